//! 'Mechs of MechWarrior 3 and Pirate's Moon, as scenes with their motions as clips.
