//! Renames an identifier: classifies its occurrences as certain, ambiguous or unrelated.
//!
//! A file is *linked* to the name if it defines or imports it, reaches it through its module, or
//! shares a package with its definition. In a linked file, definitions, imports, calls and uses are
//! certain; if the file also has a variable, parameter, key or string of that name, those
//! occurrences are ambiguous, and a person checks them. An unlinked file that only has its own
//! variable or key of that name is left alone, and the plan says so.

mod definitions;
mod distinct;

use std::collections::{BTreeMap, BTreeSet};

use definitions::{Definitions, definitions, is_value, module_names};

use crate::context::{Context, Occurrence};
use crate::indexing::is_generated;
use crate::intake::Rename;
use crate::text::{Family, Shape, family_of, is_document, is_history};

/// How a rename affects the occurrences of a name.
#[derive(Debug, Default, Clone)]
pub(super) struct Places {
    /// Occurrences that certainly refer to the name, by path.
    pub(super) meant: BTreeMap<String, Vec<Occurrence>>,
    /// Ambiguous occurrences, by path.
    pub(super) unsure: BTreeMap<String, Vec<Occurrence>>,
    /// Files in which the word certainly means something else, with its meaning there.
    pub(super) left_alone: BTreeMap<String, BTreeSet<&'static str>>,
    /// Files that must not be edited, with the reason.
    pub(super) kept: Vec<(String, &'static str)>,
    /// The files that define the name.
    pub(super) defined_in: Vec<String>,
    /// Whether any occurrence is certain or ambiguous.
    pub(super) is_found: bool,
}

/// Classifies the occurrences of a name.
pub(super) fn sort(rename: &Rename, context: &Context) -> Places {
    let found = context.found(&rename.from);
    let definitions = definitions(rename, found);
    let mut by_file: BTreeMap<&str, Vec<&Occurrence>> = BTreeMap::new();
    for occurrence in found {
        by_file
            .entry(&occurrence.path)
            .or_default()
            .push(occurrence);
    }
    let mut places = Places {
        defined_in: definitions.paths.iter().cloned().collect(),
        ..Places::default()
    };
    for (path, occurrences) in by_file {
        let text = context.texts.get(path).map_or("", String::as_str);
        let kept = match path {
            path if is_history(path) => Some("history"),
            path if is_generated(path, Some(text)) => Some("generated"),
            _ => None,
        };
        if let Some(why) = kept {
            places.kept.push((path.to_owned(), why));
            continue;
        }
        let file = File::new(path, text, &occurrences, &definitions, rename);
        let mut other = BTreeSet::new();
        let mut own = Vec::new();
        let mut meant = Vec::new();
        let mut unsure = Vec::new();
        for occurrence in &occurrences {
            match file.verdict(occurrence, context) {
                Verdict::Meant => meant.push((*occurrence).clone()),
                Verdict::Unsure => unsure.push((*occurrence).clone()),
                Verdict::Other(Some(what)) => {
                    other.insert(what);
                    own.push((*occurrence).clone());
                }
                Verdict::Other(None) => {}
            }
        }
        // A person who resolves an ambiguous line also needs to see the related ones.
        if !unsure.is_empty() {
            unsure.extend(own.into_iter().filter(|one| one.shape.is_code()));
        }
        // No occurrence in this file is certain or ambiguous, so it isn't linked and the others are
        // unrelated.
        if meant.is_empty() && unsure.is_empty() && !other.is_empty() {
            places.left_alone.insert(path.to_owned(), other);
        }
        if !meant.is_empty() {
            places.meant.insert(path.to_owned(), meant);
        }
        if !unsure.is_empty() {
            places.unsure.insert(path.to_owned(), unsure);
        }
    }
    places.is_found = !places.meant.is_empty() || !places.unsure.is_empty();
    places
}

enum Verdict {
    Meant,
    Unsure,
    /// The word means something else; says what, if it is in code or data.
    Other(Option<&'static str>),
}

struct File<'a> {
    text: &'a str,
    family: Family,
    definitions: &'a Definitions,
    linked: bool,
    defines: bool,
    /// Whether the file has an unrelated definition of the same name.
    has_another: bool,
    /// Whether the file declares a variable or parameter of that name.
    binds: bool,
    /// Whether the file has a parameter of that name, whose value may be a function that is called.
    binds_callable: bool,
    value: bool,
}

impl<'a> File<'a> {
    fn new(
        path: &str,
        text: &'a str,
        occurrences: &[&Occurrence],
        definitions: &'a Definitions,
        rename: &Rename,
    ) -> Self {
        let has = |shape: Shape| {
            occurrences
                .iter()
                .any(|occurrence| occurrence.shape == shape)
        };
        let defines = definitions.paths.contains(path);
        let family = family_of(path);
        let mut file = Self {
            text,
            family,
            definitions,
            linked: false,
            defines,
            has_another: !defines && has(Shape::Definition) && !definitions.paths.is_empty(),
            binds: has(Shape::Assignment)
                || has(Shape::Parameter)
                || (has(Shape::Constant) && !defines),
            binds_callable: has(Shape::Parameter),
            value: is_value(&rename.noun),
        };
        let is_loaded = |one: &&&Occurrence| file.is_loaded(one);
        let loads = occurrences.iter().any(|one| is_loaded(&one));
        if loads {
            let mut rest = occurrences.iter().filter(|one| !is_loaded(one));
            file.binds = rest.any(|one| matches!(one.shape, Shape::Assignment | Shape::Parameter));
        }
        let reaches = occurrences
            .iter()
            .any(|occurrence| occurrence.shape == Shape::Attribute && file.is_reached(occurrence));
        let calls = has(Shape::Call) && !file.binds_callable;
        file.linked = defines
            || occurrences
                .iter()
                .any(|occurrence| occurrence.shape == Shape::Import && !file.is_module(occurrence))
            || reaches
            || loads
            || file.imports_everything()
            || (calls && file.sees_without_import(path));
        file
    }

    /// Whether the file can use the names of another file without importing them.
    fn sees_without_import(&self, path: &str) -> bool {
        match self.family {
            Family::Python | Family::JavaScript | Family::Rust => false,
            Family::Go => {
                let folder =
                    |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
                self.definitions
                    .paths
                    .iter()
                    .any(|defining| folder(defining) == folder(path))
            }
            Family::C | Family::Script => !self.definitions.paths.is_empty(),
            Family::Data | Family::Document => false,
        }
    }

    fn imports_everything(&self) -> bool {
        self.text.lines().map(str::trim).any(|line| {
            let star = match self.family {
                Family::Python => line.starts_with("from ") && line.ends_with("import *"),
                Family::Rust => line.starts_with("use ") && line.ends_with("::*;"),
                _ => false,
            };
            star && words(line).any(|word| {
                self.definitions.modules.contains(word)
                    || (self.family == Family::Rust && word == "super")
            })
        })
    }

    /// The identifier before the dot or double colon of an attribute; empty if there is none.
    fn qualifier(&self, occurrence: &Occurrence) -> &'a str {
        let before = self
            .text
            .get(..occurrence.offset)
            .unwrap_or("")
            .trim_end_matches(['.', ':', '?', '>', '-']);
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
            .last()
            .map_or(before.len(), |(at, _)| at);
        &before[start..]
    }

    /// Whether an attribute accesses the name through the module or package that defines it.
    fn is_reached(&self, occurrence: &Occurrence) -> bool {
        if !self.definitions.free {
            return false;
        }
        let qualifier = self.qualifier(occurrence);
        if qualifier.is_empty() {
            return false;
        }
        if self.definitions.modules.contains(qualifier) {
            return true;
        }
        let paths = self.family == Family::Rust;
        let lower = qualifier
            .chars()
            .next()
            .is_some_and(|c| c.is_lowercase() || c == '_');
        let standard = ["std", "core", "alloc"]
            .iter()
            .any(|name| occurrence.text.contains(&format!("{name}::")));
        if paths && lower && !standard && self.text[..occurrence.offset].ends_with("::") {
            return true;
        }
        if self.family == Family::Go && lower {
            return self
                .definitions
                .paths
                .iter()
                .any(|path| path.rsplit('/').nth(1) == Some(qualifier));
        }
        // Recognize aliases of the module: `import report as r`, `import * as r from "./report"`,
        // `const r = require("./report")`.
        self.text.lines().any(|line| {
            let imports = ["import ", "from ", "require(", "use "]
                .iter()
                .any(|word| line.contains(word));
            imports
                && words(line).any(|word| word == qualifier)
                && words(line).any(|word| self.definitions.modules.contains(word))
        })
    }

    /// Whether the occurrence's line loads the name from a script that defines it: `const total =
    /// require('./sums').total`.
    fn is_loaded(&self, occurrence: &Occurrence) -> bool {
        self.family == Family::JavaScript
            && occurrence
                .text
                .split_once("require(")
                .is_some_and(|(_, path)| {
                    let path = path.split(')').next().unwrap_or_default();
                    let name = path.trim_matches(['"', '\'', '`', ' ']);
                    let last = name.rsplit('/').next().unwrap_or(name);
                    let stem = last.split('.').next().unwrap_or(last);
                    name.starts_with('.') && self.definitions.modules.contains(stem)
                })
    }

    /// Whether the occurrence is a destructured member: one of the names in `const { one, other } =
    /// thing`.
    fn is_destructured(&self, occurrence: &Occurrence) -> bool {
        let rest = &self.text[occurrence.offset..];
        let behind = rest.split_once('}').map(|(_, behind)| behind.trim_start());
        let is_closed = behind.is_some_and(|text| text.starts_with('=') && !text.starts_with("=="));
        let inside = rest.split('}').next().unwrap_or_default();
        self.family == Family::JavaScript && is_closed && !inside.contains(['{', ';', '('])
    }

    /// Whether an import names a module of that name rather than the name itself, as the first
    /// `total` in `from total import total` does.
    fn is_module(&self, occurrence: &Occurrence) -> bool {
        if self.family != Family::Python {
            return false;
        }
        let line_start = self.text[..occurrence.offset]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let before = self.text[line_start..occurrence.offset].trim_start();
        (before.starts_with("from ") && !before.contains(" import"))
            || (before.starts_with("import ") && !before.contains(" as "))
    }

    fn verdict(&self, occurrence: &Occurrence, context: &Context) -> Verdict {
        let unlinked = |what| {
            if self.linked {
                Verdict::Unsure
            } else {
                Verdict::Other(Some(what))
            }
        };
        let known = !self.definitions.paths.is_empty();
        let is_name = |shape| {
            matches!(
                shape,
                Shape::Reference | Shape::Assignment | Shape::Constant | Shape::Parameter
            )
        };
        if known && occurrence.shape.is_code() && self.is_loaded(occurrence) {
            return Verdict::Meant;
        }
        if self.has_another && occurrence.shape.is_code() {
            return Verdict::Unsure;
        }
        match self.definitions.form.means(occurrence.shape, self.linked) {
            Some(true) => return Verdict::Meant,
            Some(false) if known => return Verdict::Unsure,
            _ => {}
        }
        match occurrence.shape {
            shape
                if known && is_name(shape) && !self.linked && self.is_destructured(occurrence) =>
            {
                Verdict::Unsure
            }
            Shape::Prose | Shape::Comment | Shape::OtherName => Verdict::Other(None),
            Shape::CodeMention if known || is_document(&occurrence.path) => Verdict::Meant,
            _ if !known => match occurrence.shape {
                shape if shape.is_code() || shape == Shape::CodeText => Verdict::Unsure,
                _ => Verdict::Other(Some("a word in a data file")),
            },
            Shape::Definition | Shape::Member => Verdict::Meant,
            Shape::Import if self.is_module(occurrence) => {
                let is_file = context.paths.iter().any(|path| {
                    module_names(path)
                        .iter()
                        .any(|name| occurrence.text.contains(name.as_str()))
                        && path.ends_with(".py")
                });
                if is_file {
                    Verdict::Other(Some("a module"))
                } else {
                    Verdict::Unsure
                }
            }
            Shape::Import | Shape::QualifiedText | Shape::CodeMention => Verdict::Meant,
            Shape::Constant if self.defines && (self.value || !self.binds) => Verdict::Meant,
            Shape::Attribute if self.is_reached(occurrence) || self.definitions.member => {
                Verdict::Meant
            }
            Shape::Attribute => {
                let own = matches!(self.qualifier(occurrence), "self" | "this" | "cls" | "Self");
                if own && !self.linked {
                    Verdict::Other(Some("an unrelated member"))
                } else {
                    Verdict::Unsure
                }
            }
            Shape::Call if !self.linked && self.binds => unlinked("an unrelated variable"),
            Shape::Call if !self.linked => Verdict::Unsure,
            Shape::Call if self.binds_callable => Verdict::Unsure,
            Shape::Call => Verdict::Meant,
            Shape::Reference if self.linked && (!self.binds || self.value && self.defines) => {
                Verdict::Meant
            }
            Shape::Reference | Shape::Assignment | Shape::Constant => {
                if self.value && self.linked {
                    Verdict::Meant
                } else {
                    unlinked("an unrelated variable")
                }
            }
            Shape::Parameter => unlinked("an unrelated parameter"),
            Shape::Key => unlinked("a key"),
            Shape::CodeText => Verdict::Unsure,
            Shape::Text => unlinked("a string"),
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}
