//! References from one file to others: imports, includes, Markdown links.
//!
//! A target is a path without its extension. With a leading `/` it is relative to the workspace
//! root; otherwise it is a path suffix, since the root of an import is unknown. Library names also
//! produce targets, which resolve to no file. [`resolves`] says whether a target refers to a path;
//! [`keys`] and [`target_key`] return the lookup keys that connect the two.

use crate::among;
use crate::text::{Family, family_of};

/// Maximum number of targets per file.
const MAX_TARGETS: usize = 200;

/// Names of files that stand for their folder.
const FOLDER_FILES: &str = "__init__ index mod lib main";

/// The references in a text, in order and without duplicates; at most 200.
pub(super) fn links(path: &str, text: &str) -> Vec<String> {
    let mut found = Targets {
        folder: path.rsplit_once('/').map_or("", |(folder, _)| folder),
        targets: Vec::new(),
    };
    let family = family_of(path);
    let mut is_in_go_block = false;
    for line in text.lines() {
        if found.targets.len() >= MAX_TARGETS {
            break;
        }
        let line = line.trim();
        match family {
            Family::Python => python(line, &mut found),
            Family::JavaScript => javascript(line, &mut found),
            Family::Rust => rust(path, line, &mut found),
            Family::Go => {
                is_in_go_block = match line {
                    "import (" => true,
                    ")" => false,
                    _ => is_in_go_block,
                };
                if (is_in_go_block || line.starts_with("import "))
                    && let Some(name) = quoted(line)
                {
                    found.loose(name);
                }
            }
            Family::C => c_like(line, &mut found),
            Family::Document => markdown(line, &mut found),
            Family::Script | Family::Data => {}
        }
    }
    found.targets
}

/// Whether a target refers to this path.
pub fn resolves(target: &str, path: &str) -> bool {
    let means = |form: &str| match target.strip_prefix('/') {
        Some(target) => form == target,
        None => {
            form == target
                || form
                    .strip_suffix(target)
                    .is_some_and(|before| before.ends_with('/'))
                || is_in_a_module(target, form)
        }
    };
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = without_ending(path);
    let stands_for_folder = among(without_ending(name), FOLDER_FILES) || name.ends_with(".go");
    means(path) || means(stem) || stands_for_folder && !folder.is_empty() && means(folder)
}

/// Whether a target consists of a module address, as in Go, followed by this path within the
/// module.
fn is_in_a_module(target: &str, form: &str) -> bool {
    let has_host = target
        .split('/')
        .next()
        .is_some_and(|host| host.contains('.'));
    let inside = target.strip_suffix(form);
    has_host && inside.is_some_and(|before| before.ends_with('/'))
}

/// The lookup keys of a path; a target whose [`target_key`] is one of them may refer to it. A test
/// and the file it tests share a key.
pub fn keys(path: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = crate::text::stem(name);
    let mut keys = vec![bare(stem).to_lowercase()];
    if (among(stem, FOLDER_FILES) || name.ends_with(".go")) && !folder.is_empty() {
        let folder = folder.rsplit('/').next().unwrap_or(folder).to_lowercase();
        if !keys.contains(&folder) {
            keys.push(folder);
        }
    }
    keys
}

/// The lookup key of a target.
pub fn target_key(target: &str) -> String {
    let name = target.rsplit('/').next().unwrap_or(target);
    bare(crate::text::stem(name)).to_lowercase()
}

/// A file name without its test prefix or suffix.
fn bare(stem: &str) -> &str {
    let stem = stem.strip_prefix("test_").unwrap_or(stem);
    ["_test", "_tests", "_spec", "Test", "Tests"]
        .into_iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .filter(|bare| !bare.is_empty())
        .unwrap_or(stem)
}

fn without_ending(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') && !stem.is_empty() => stem,
        _ => path,
    }
}

/// The targets found in one file.
struct Targets<'a> {
    folder: &'a str,
    targets: Vec<String>,
}

impl Targets<'_> {
    fn add(&mut self, target: String) {
        let is_real = target.chars().any(char::is_alphanumeric)
            && target.len() <= 200
            && !target.contains(char::is_whitespace);
        if is_real && !self.targets.contains(&target) {
            self.targets.push(target);
        }
    }

    /// Adds a target that is a path suffix.
    fn loose(&mut self, target: &str) {
        self.add(target.trim_matches('/').to_owned());
    }

    /// Adds a target that is relative to a workspace folder, unless it leaves the workspace.
    fn below(&mut self, folder: &str, relative: &str) {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return;
                    }
                }
                part => parts.push(part),
            }
        }
        self.add(format!("/{}", parts.join("/")));
    }

    fn beside(&mut self, relative: &str) {
        self.below(self.folder, relative);
    }
}

fn python(line: &str, found: &mut Targets<'_>) {
    if let Some(names) = line.strip_prefix("import ") {
        for name in names.split(',') {
            let name = name.split_whitespace().next().unwrap_or_default();
            found.loose(&name.replace('.', "/"));
        }
    }
    let Some((module, names)) = line
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "))
    else {
        return;
    };
    let module = module.trim();
    let dots = module.bytes().take_while(|byte| *byte == b'.').count();
    let inside = module[dots..].replace('.', "/");
    // In `from . import x`, one dot stands for this folder, and each further dot for one folder up.
    let up = "../".repeat(dots.saturating_sub(1));
    let mut put = |target: &str| match dots {
        0 => found.loose(target),
        _ => found.beside(&format!("{up}{target}")),
    };
    if !inside.is_empty() {
        put(&inside);
    }
    let names = names.split('#').next().unwrap_or_default();
    for name in names.split(',') {
        let name = name.trim_matches(['(', ')', ' ']);
        let name = name.split_whitespace().next().unwrap_or_default();
        if name.starts_with(char::is_alphabetic) {
            let slash = if inside.is_empty() { "" } else { "/" };
            put(&format!("{inside}{slash}{name}"));
        }
    }
}

fn javascript(line: &str, found: &mut Targets<'_>) {
    let at = ["from ", "import ", "require(", "import("]
        .into_iter()
        .filter_map(|mark| Some(line.find(mark)? + mark.len()))
        .filter(|at| line[*at..].trim_start().starts_with(['"', '\'']))
        .min();
    let Some(name) = at.and_then(|at| quoted(&line[at..])) else {
        return;
    };
    let name = ["js", "jsx", "ts", "tsx", "mjs", "cjs"]
        .into_iter()
        .find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'))
        .unwrap_or(name);
    match name.strip_prefix("@/").or_else(|| name.strip_prefix("~/")) {
        Some(inside) => found.loose(inside),
        None if name.starts_with('.') => found.beside(name),
        None => found.loose(name),
    }
}

fn rust(path: &str, line: &str, found: &mut Targets<'_>) {
    let line = line
        .trim_start_matches("pub(crate) ")
        .trim_start_matches("pub(super) ")
        .trim_start_matches("pub ");
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = without_ending(name);
    let own = match among(stem, FOLDER_FILES) {
        true => folder.to_owned(),
        false => format!("{folder}/{stem}"),
    };
    if let Some(module) = line
        .strip_prefix("mod ")
        .and_then(|rest| rest.strip_suffix(';'))
    {
        found.below(&own, module.trim());
        return;
    }
    let Some(used) = line.strip_prefix("use ") else {
        return;
    };
    let mut parts = used
        .trim_end_matches(';')
        .split("::")
        .map(|part| part.split_whitespace().next().unwrap_or_default())
        .take_while(|part| part.starts_with(|c: char| c.is_lowercase()));
    let base = match parts.next() {
        Some("crate") => {
            let folders: Vec<&str> = path.split('/').collect();
            let top = folders.iter().rposition(|folder| *folder == "src");
            folders[..top.map_or(0, |top| top + 1)].join("/")
        }
        Some("super") => own
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned(),
        Some("self") => own,
        _ => return,
    };
    let mut inside = String::new();
    for part in parts {
        inside = format!("{inside}/{part}");
        found.below(&base, &inside);
    }
}

fn c_like(line: &str, found: &mut Targets<'_>) {
    if let Some(included) = line.strip_prefix("#include") {
        if let Some(name) = quoted(included) {
            found.loose(name.trim_start_matches("../").trim_start_matches("./"));
        }
        return;
    }
    if let Some(name) = line.strip_prefix("import ") {
        let name = name.trim_start_matches("static ").trim_end_matches(';');
        if name.contains('.') && !name.ends_with(".*") {
            found.loose(&name.replace('.', "/"));
        }
    }
}

fn markdown(line: &str, found: &mut Targets<'_>) {
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        rest = &rest[at + 2..];
        let end = rest.find([')', ' ', '#', '?']).unwrap_or(rest.len());
        let target = &rest[..end];
        if !target.is_empty() && !target.contains(':') {
            match target.strip_prefix('/') {
                Some(inside) => found.below("", inside),
                None => found.beside(target),
            }
        }
    }
}

/// The first quoted string in a text.
fn quoted(text: &str) -> Option<&str> {
    let at = text.find(['"', '\''])?;
    let quote = &text[at..=at];
    let inside = &text[at + 1..];
    Some(&inside[..inside.find(quote)?])
}

#[cfg(test)]
mod tests;
