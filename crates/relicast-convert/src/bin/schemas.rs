//! Writes the JSON Schemas that the program embeds to a folder, and their list to a Rust source file:
//! `relicast-schemas FOLDER LIST`. Called by `cargo xtask docs`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use relicast_convert::documents;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(folder), Some(list)) = (arguments.next(), arguments.next()) else {
        return Err("usage: relicast-schemas FOLDER LIST".into());
    };
    fs::create_dir_all(&folder)?;
    let mut forms = documents::forms();
    forms.sort_by(|one, other| one.name.cmp(&other.name));
    let mut rows = String::new();
    for form in forms {
        let name = format!("{}.schema.json", form.name);
        let mut text = serde_json::to_string_pretty(&form.schema())?;
        text.push('\n');
        fs::write(Path::new(&folder).join(&name), text)?;
        let kind = form.name;
        rows += &format!("    (\"{kind}\", include_str!(\"../../schemas/{name}\")),\n");
    }
    let head = "//! JSON Schemas that are part of the program. `cargo xtask docs` writes this file and the schemas.\n\n\
                /// Names of kinds of documents with their schemas, in the order of names.\n\
                #[rustfmt::skip]\n\
                pub(super) const SCHEMAS: &[(&str, &str)] = &[\n";
    fs::write(list, format!("{head}{rows}];\n"))?;
    Ok(())
}
