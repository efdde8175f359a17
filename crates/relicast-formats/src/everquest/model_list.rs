//! `ZONE_chr.txt` and `ZONE_assets.txt`: further archives that a zone takes models from. A text with one
//! archive per line. No retail list was available, so every possible archive name is taken as one.
//!
//! ```
//! use relicast_formats::everquest::model_list::zone_of;
//!
//! assert_eq!(zone_of("gfaydark_chr.txt"), Some("gfaydark"));
//! ```

use super::plain;

/// Endings of the names of lists, after the name of their zone.
const ENDINGS: [&str; 2] = ["_chr.txt", "_assets.txt"];

/// Extensions of archives, which lists may omit.
const ARCHIVES: [&str; 3] = [".s3d", ".pfs", ".eqg"];

/// End of the names of archives with creatures, where a list has the creature alone.
const CREATURES: &str = "_chr";

/// An archive that a list names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedArchive {
    /// The line.
    pub text: String,
    /// Names that the archive may have, best first: lower case, without folder and extension.
    pub names: Vec<String>,
}

/// The zone of a list by the name of the list in lower case; `None` for other files.
pub fn zone_of(name: &str) -> Option<&str> {
    let mut endings = ENDINGS.iter();
    let zone = endings.find_map(|ending| name.strip_suffix(ending))?;
    (!zone.is_empty()).then_some(zone)
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

/// The archives of a list, in order. Comments and lines without a name, such as the count of entries, are
/// skipped.
pub fn archives(bytes: &[u8]) -> Vec<ListedArchive> {
    let text = plain::text(bytes);
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with([';', '#', '/']));
    let listed = lines.filter_map(|line| {
        let fields = line.split([',', ' ', '\t']).map(|field| {
            let field = field.trim_matches('"').to_lowercase();
            let name = field.rsplit(['/', '\\']).next().unwrap_or_default();
            let mut endings = ARCHIVES.iter();
            let stem = endings.find_map(|ending| name.strip_suffix(ending));
            stem.unwrap_or(name).to_owned()
        });
        // For a creature and its archive, the archive is the last one.
        let mut names: Vec<String> = fields.filter(|field| !is_number(field)).collect();
        names.reverse();
        let longer: Vec<String> = names
            .iter()
            .map(|name| format!("{name}{CREATURES}"))
            .collect();
        names.extend(longer);
        (!names.is_empty()).then(|| ListedArchive {
            text: line.to_owned(),
            names,
        })
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_belong_to_zones() {
        assert_eq!(zone_of("abc_chr.txt"), Some("abc"));
        assert_eq!(zone_of("abc_2_assets.txt"), Some("abc_2"));
        assert_eq!(zone_of("_chr.txt"), None);
        assert_eq!(zone_of("readme.txt"), None);
    }

    #[test]
    fn lines_name_archives_in_any_form() {
        let text = b"3\r\n; models\r\nabc,Def_chr\r\n\r\n  \"models/GHI.s3d\"\nabc\x80\n7,8\n";
        let found = archives(text);
        let names: Vec<Vec<&str>> = found
            .iter()
            .map(|one| one.names.iter().map(String::as_str).collect())
            .collect();
        assert_eq!(
            names,
            [
                vec!["def_chr", "abc", "def_chr_chr", "abc_chr"],
                vec!["ghi", "ghi_chr"],
                vec!["abc€", "abc€_chr"],
            ]
        );
        assert_eq!(found[0].text, "abc,Def_chr");
        assert_eq!(archives(b""), []);
    }
}
