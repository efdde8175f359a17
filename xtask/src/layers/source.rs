//! The modules of a source tree and their imports. Imports by tests alone are left out, because tests may use
//! everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};
use walkdir::WalkDir;

use crate::Outcome;

/// Path of a module or item from the crate's root, without `crate`.
pub type ModulePath = Vec<String>;

/// A path that a file names, and the line where it does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// From the crate's root.
    pub path: ModulePath,
    /// Counted from 1.
    pub line: usize,
}

/// A file that is a module.
#[derive(Debug, Default)]
pub struct Module {
    /// The file, relative to the root.
    pub file: PathBuf,
    /// Names of the items that it defines.
    pub items: BTreeSet<String>,
    /// Names that it re-exports, with the paths that they refer to.
    pub exports: BTreeMap<String, ModulePath>,
    /// Modules whose names it re-exports as a whole.
    pub globs: Vec<ModulePath>,
    /// Its imports, without re-exports.
    pub imports: Vec<Import>,
}

/// All modules of a crate. Binaries (`main.rs`) are outside the crate and are not read.
#[derive(Debug, Default)]
pub struct Tree {
    /// By their paths.
    pub modules: BTreeMap<ModulePath, Module>,
}

impl Tree {
    /// Reads all `.rs` files below `root`.
    ///
    /// # Errors
    /// A file cannot be read or is not valid Rust.
    pub fn read(root: &Path) -> Outcome<Self> {
        let mut tree = Self::default();
        let mut parsed = Vec::new();
        for entry in WalkDir::new(root).sort_by_file_name() {
            let entry = entry?;
            let is_source = entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "rs");
            if !is_source || entry.file_name() == "main.rs" {
                continue;
            }
            let text = fs::read_to_string(entry.path())?;
            let syntax = syn::parse_file(&text)
                .map_err(|error| format!("{}: {error}", entry.path().display()))?;
            let file = entry.path().strip_prefix(root)?.to_owned();
            let path = module_path(&file);
            let module = Module {
                file,
                ..Module::default()
            };
            tree.modules.insert(path.clone(), module);
            parsed.push((path, syntax));
        }
        let known: BTreeSet<ModulePath> = tree.modules.keys().cloned().collect();
        let mut macros = BTreeMap::new();
        for (path, syntax) in parsed {
            let Some(module) = tree.modules.get_mut(&path) else {
                continue;
            };
            let mut reader = Reader {
                path: &path,
                known: &known,
                module,
                macros: &mut macros,
            };
            reader.visit_file(&syntax);
        }
        // `#[macro_export]` puts a macro into the root, from any module.
        if let Some(root) = tree.modules.get_mut(&ModulePath::new()) {
            for (name, mut path) in macros {
                path.push(name.clone());
                root.exports.insert(name, path);
            }
        }
        Ok(tree)
    }
}

/// The module that a file is: `a/b/mod.rs` and `a/b.rs` are `a::b`.
fn module_path(file: &Path) -> ModulePath {
    let mut path: ModulePath = file
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

struct Reader<'a> {
    path: &'a ModulePath,
    known: &'a BTreeSet<ModulePath>,
    module: &'a mut Module,
    macros: &'a mut BTreeMap<String, ModulePath>,
}

impl Reader<'_> {
    /// A path of this file from the crate's root; `None` for items of other crates.
    fn resolve(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let mut from = match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => return Some([self.path.as_slice(), rest].concat()),
            "super" => self.path.clone(),
            _ => {
                let child = [self.path.as_slice(), std::slice::from_ref(first)].concat();
                return (self.known.contains(&child))
                    .then(|| [self.path.as_slice(), path].concat());
            }
        };
        let ups = path.iter().take_while(|part| *part == "super").count();
        from.truncate(from.len().checked_sub(ups)?);
        from.extend_from_slice(path.get(ups..)?);
        Some(from)
    }

    fn import(&mut self, path: &[String], line: usize) {
        if let Some(path) = self.resolve(path) {
            self.module.imports.push(Import { path, line });
        }
    }

    /// Takes the names of a `use`: re-exported ones are resolved, others are imports.
    fn take_use(&mut self, item: &ItemUse) {
        let exported = !matches!(item.vis, Visibility::Inherited);
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        for leaf in leaves {
            let Some(path) = self.resolve(&leaf.path) else {
                continue;
            };
            match leaf.name {
                Some(name) if exported => {
                    self.module.exports.insert(name, path);
                }
                None if exported => self.module.globs.push(path),
                _ => self.module.imports.push(Import {
                    path,
                    line: leaf.line,
                }),
            }
        }
    }

    /// Paths in the text of macros, which are not parsed.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.finish(&mut path, line);
                    }
                    if path.is_empty() {
                        line = name.span().start().line;
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.finish(&mut path, line);
                    colons = 0;
                    self.take_tokens(group.stream());
                }
                _ => {
                    self.finish(&mut path, line);
                    colons = 0;
                }
            }
        }
        self.finish(&mut path, line);
    }

    fn finish(&mut self, path: &mut Vec<String>, line: usize) {
        let path = std::mem::take(path);
        let rooted = (path.first()).is_some_and(|first| first == "crate" || first == "super");
        if rooted && path.len() > 1 {
            self.import(&path, line);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) {
            return;
        }
        if let Some(name) = name_of(item) {
            if attributes(item)
                .iter()
                .any(|it| it.path().is_ident("macro_export"))
            {
                self.macros.insert(name.clone(), self.path.clone());
            }
            self.module.items.insert(name);
        }
        match item {
            Item::Use(item) => self.take_use(item),
            _ => visit::visit_item(self, item),
        }
    }

    /// `pub(in path)` limits visibility, and imports nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names: ModulePath = (path.segments.iter())
                .map(|segment| segment.ident.to_string())
                .collect();
            let line = path.segments[0].ident.span().start().line;
            self.import(&names, line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.take_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

/// One name of a `use`; the name is missing for a glob.
struct Leaf {
    path: ModulePath,
    name: Option<String>,
    line: usize,
}

fn flatten(tree: &UseTree, before: &mut ModulePath, leaves: &mut Vec<Leaf>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, leaves);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, leaves);
            }
        }
        UseTree::Glob(glob) => leaves.push(Leaf {
            path: before.clone(),
            name: None,
            line: glob.star_token.spans[0].start().line,
        }),
        UseTree::Name(item) => leaves.push(leaf(before, &item.ident, &item.ident)),
        UseTree::Rename(item) => leaves.push(leaf(before, &item.ident, &item.rename)),
    }
}

fn leaf(before: &ModulePath, stored: &syn::Ident, name: &syn::Ident) -> Leaf {
    let line = stored.span().start().line;
    let mut path = before.clone();
    if stored != "self" {
        path.push(stored.to_string());
    }
    let own = (name != "self").then(|| name.to_string());
    Leaf {
        name: own.or_else(|| path.last().cloned()),
        path,
        line,
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && (attribute.parse_args::<syn::Path>()).is_ok_and(|what| what.is_ident("test"))
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Macro(it) => it.ident.as_ref()?,
        Item::Static(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::Type(it) => &it.ident,
        Item::Union(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}
