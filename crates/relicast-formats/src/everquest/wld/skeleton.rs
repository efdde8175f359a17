//! Skeletons: trees of bones with meshes and skins.

use super::name::Name;
use super::reference::FragmentRef;
use relicast_codec::{F32, Result, Stream, Vec3};

bitflags::bitflags! {
    /// Optional fields of a skeleton.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SkeletonFlags: u32 {
        /// An offset of the center.
        const CENTER = 1 << 0;
        /// A bounding radius.
        const RADIUS = 1 << 1;
        /// Skins.
        const SKINS = 1 << 9;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(SkeletonFlags: u32);

relicast_codec::record! {
    /// A bone.
    pub struct Bone[20..] {
        /// Its name, which ends in `_DAG`.
        name: Name [by |name, stream| name.walk(stream, "name")],
        /// Always 0.
        flags: u32,
        /// Its rest pose, by the first frame.
        track: FragmentRef,
        /// Attachment: a mesh, particles, a sprite, or nothing.
        attachment: FragmentRef,
        /// Indices of its child bones.
        children: Vec<u32> [counted],
    }
}

relicast_codec::record! {
    /// A mesh that the bones move.
    pub struct Skin[8]: FixedSize {
        /// The mesh.
        mesh: FragmentRef,
        /// A hint for updates, 0 or 2.
        link: u32,
    }
}

relicast_codec::record! {
    /// A skeleton (kind 0x10).
    pub struct Skeleton[12..] {
        /// Flags of the optional fields that follow.
        flags: SkeletonFlags [bind],
        /// Number of bones.
        bone_count: u32 [counts bones],
        /// A collision volume, if any.
        bounds: FragmentRef,
        /// Offset of the center.
        center: Option<Vec3> [if flags.contains(SkeletonFlags::CENTER)],
        /// Bounding radius.
        radius: Option<F32> [if flags.contains(SkeletonFlags::RADIUS)],
        /// The bones; the first is the root.
        bones: Vec<Bone> [records bone_count] [check Self::check],
        /// The skins.
        skins: Option<Vec<Skin>> [if flags.contains(SkeletonFlags::SKINS)] [by |skins, stream| walk_skins(stream, skins)],
    }
}

impl Skeleton {
    /// The bones in an order in which each comes after its parent, with the parent's index. Every
    /// bone comes once: a child that is already in the list is skipped, and a bone without a parent
    /// is a root. So cycles and unreachable bones are harmless.
    pub fn parents_first(&self) -> Vec<(usize, Option<usize>)> {
        let mut seen = vec![false; self.bones.len()];
        let mut is_child = vec![false; self.bones.len()];
        for child in self.bones.iter().flat_map(|bone| &bone.children) {
            if let Some(mark) = is_child.get_mut(*child as usize) {
                *mark = true;
            }
        }
        let mut order = Vec::with_capacity(self.bones.len());
        let roots = (0..self.bones.len())
            .filter(|&bone| bone == 0 || is_child.get(bone) == Some(&false))
            .chain(0..self.bones.len());
        for root in roots {
            let mut pending = vec![(root, None)];
            while let Some((bone, parent)) = pending.pop() {
                let (Some(mark), Some(entry)) = (seen.get_mut(bone), self.bones.get(bone)) else {
                    continue;
                };
                if std::mem::replace(mark, true) {
                    continue;
                }
                order.push((bone, parent));
                let children = entry.children.iter().rev();
                pending.extend(children.map(|&child| (child as usize, Some(bone))));
            }
        }
        order
    }

    /// Soft rules: children come after their parent, and each bone but the first has one parent.
    fn check<'a, S: Stream<'a>>(&self, stream: &mut S, offset: usize) {
        let mut parents = vec![0_u32; self.bones.len()];
        for (index, bone) in self.bones.iter().enumerate() {
            for &child in &bone.children {
                match parents.get_mut(child as usize) {
                    Some(count) if child as usize > index => *count = count.saturating_add(1),
                    _ => stream.deviate(
                        "bones",
                        offset,
                        format_args!("children of bone {index} after it"),
                        child,
                    ),
                }
            }
        }
        let odd = parents.iter().skip(1).filter(|&&count| count != 1).count();
        if odd > 0 {
            let found = format_args!("{odd} with none or several");
            stream.deviate("bones", offset, "one parent for each bone", found);
        }
    }
}

/// All meshes, then all hints.
fn walk_skins<'a, S: Stream<'a>>(stream: &mut S, skins: &mut Vec<Skin>) -> Result<()> {
    let mut meshes: Vec<FragmentRef> = skins.iter().map(|skin| skin.mesh).collect();
    let mut links: Vec<u32> = skins.iter().map(|skin| skin.link).collect();
    stream.counted("skins", &mut meshes)?;
    stream.values("links", &mut links, meshes.len())?;
    if S::READING {
        let pairs = meshes.into_iter().zip(links);
        *skins = pairs.map(|(mesh, link)| Skin { mesh, link }).collect();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skeleton(children: &[&[u32]]) -> Skeleton {
        let bones = children.iter().map(|children| Bone {
            children: children.to_vec(),
            ..Bone::default()
        });
        Skeleton {
            bones: bones.collect(),
            ..Skeleton::default()
        }
    }

    #[test]
    fn parents_come_first_and_children_in_order() {
        let order = skeleton(&[&[2, 1], &[], &[3], &[]]).parents_first();
        assert_eq!(order, [(0, None), (2, Some(0)), (3, Some(2)), (1, Some(0))]);
    }

    #[test]
    fn loops_lost_bones_and_wild_indices_do_no_harm() {
        let order = skeleton(&[&[1], &[0, 1, 99], &[3], &[2], &[1]]).parents_first();
        let mut bones: Vec<usize> = order.iter().map(|&(bone, _)| bone).collect();
        bones.sort_unstable();
        assert_eq!(bones, [0, 1, 2, 3, 4]);
        assert_eq!(order[..2], [(0, None), (1, Some(0))]);
        assert!(order.contains(&(4, None)));
    }

    #[test]
    fn a_chain_of_many_bones_needs_no_recursion() {
        let mut bones: Vec<Bone> = (1..=65_536_u32)
            .map(|child| Bone {
                children: vec![child],
                ..Bone::default()
            })
            .collect();
        bones.push(Bone::default());
        let skeleton = Skeleton {
            bones,
            ..Skeleton::default()
        };
        let order = skeleton.parents_first();
        assert_eq!(order.len(), 65_537);
        assert_eq!(order.last(), Some(&(65_536, Some(65_535))));
    }
}
