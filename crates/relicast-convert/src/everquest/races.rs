//! Models of creatures by the race numbers of servers. They are common knowledge of server operators; no file
//! of a client has them all.

/// Number of a race, and the codes of its models: male or neutral, and female if it differs.
type Race = (u32, &'static str, &'static str);

/// Races by number, sorted.
#[rustfmt::skip]
const RACES: &[Race] = &[
    (1, "HUM", "HUF"), (2, "BAM", "BAF"), (3, "ERM", "ERF"), (4, "ELM", "ELF"), (5, "HIM", "HIF"), (6, "DAM", "DAF"),
    (7, "HAM", "HAF"), (8, "DWM", "DWF"), (9, "TRM", "TRF"), (10, "OGM", "OGF"), (11, "HOM", "HOF"), (12, "GNM", "GNF"),
    (13, "AVI", ""), (14, "WER", ""), (15, "BRM", "BRF"), (16, "CEN", ""), (17, "GOL", ""), (18, "GIA", ""),
    (21, "BEH", ""), (22, "BET", ""), (23, "CPM", "CPF"), (24, "FIS", ""), (26, "FRO", ""), (27, "FRG", ""),
    (28, "FUN", ""), (29, "GAR", ""), (31, "CUB", ""), (33, "GHU", ""), (34, "BAT", ""), (36, "RAT", ""),
    (37, "SNA", ""), (38, "SPI", ""), (39, "GNN", ""), (40, "GOB", ""), (41, "GOR", ""), (42, "WOL", ""),
    (43, "BEA", ""), (44, "FPM", ""), (46, "IMP", ""), (47, "GRI", ""), (48, "KOB", ""), (49, "DRA", ""),
    (50, "LIM", "LIF"), (51, "LIZ", ""), (52, "MIM", ""), (53, "MIN", ""), (54, "ORC", ""), (55, "BGM", ""),
    (60, "SKE", ""), (61, "SHA", ""), (63, "TIG", ""), (64, "TRE", ""), (65, "DVM", "DVF"), (67, "HHM", ""),
    (68, "TEN", ""), (69, "WIL", ""), (70, "ZOM", "ZOF"), (71, "QCM", "QCF"), (72, "SHIP", ""), (73, "LAUNCH", ""),
    (74, "PIR", ""), (75, "ELE", ""), (76, "PUM", ""), (77, "NGM", ""), (78, "EGM", ""), (79, "BIX", ""),
    (80, "REA", ""), (81, "RIM", "RIF"), (82, "SCA", ""), (83, "SKU", ""), (85, "SPE", ""), (86, "SPH", ""),
    (87, "ARM", ""), (88, "CLM", "CLF"), (89, "DRK", ""), (90, "HLM", "HLF"), (91, "ALL", ""), (92, "GRM", "GRF"),
    (93, "OKM", "OKF"), (94, "KAM", "KAF"), (95, "CAZ", ""), (96, "COC", ""), (98, "VSM", "VSF"), (100, "DER", ""),
    (101, "EFR", ""), (102, "FRT", ""), (103, "KED", ""), (106, "FEM", "FEF"), (107, "MAM", ""), (109, "WAS", ""),
    (110, "MER", ""), (111, "HAR", ""), (112, "GFM", "GFF"), (113, "DRI", ""), (114, "GSP", ""), (116, "SEA", ""),
    (117, "GDM", ""), (118, "GEM", "GEF"), (121, "GRG", ""), (122, "DRU", ""), (123, "INN", ""), (124, "UNI", ""),
    (125, "PEG", ""), (126, "DJI", ""), (128, "IKM", "IKF"),
];

/// Number of the female gender.
const FEMALE: u32 = 1;

/// The code of the model of a race.
pub(super) fn model_of(race: u32, gender: u32) -> Option<&'static str> {
    let place = RACES
        .binary_search_by_key(&race, |(number, ..)| *number)
        .ok()?;
    let &(_, male, female) = RACES.get(place)?;
    Some(if gender == FEMALE && !female.is_empty() {
        female
    } else {
        male
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_are_sorted_and_have_a_model_for_each_gender() {
        assert!(RACES.is_sorted_by_key(|(number, ..)| *number));
        assert_eq!(model_of(1, 0), Some("HUM"));
        assert_eq!(model_of(1, 1), Some("HUF"));
        assert_eq!(model_of(39, 1), Some("GNN"));
        assert_eq!(model_of(127, 0), None);
    }
}
