//! Recognizes manifest changes other than updating a library: adding or removing one, and setting a
//! value of the project itself.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::names::pattern;
use super::versions::{Change, Dependency};
use crate::among;

const NAME: &str = r"(?P<name>@?[A-Za-z][\w./-]*)";
const VERSION: &str = r"v?(?P<version>\d[\w.+-]*)";
const KIND: &str = r"(?P<dev>dev(?:elopment)?[\s-]*)?(?:runtime\s+)?";
const PLACE: &str = r"(?:\s+(?:in|of|to|from)\s+(?P<path>\S+))?";

/// The patterns of clauses that add a library, remove one, or set a value.
struct Patterns {
    add: Vec<Regex>,
    remove: Vec<Regex>,
    set: Vec<Regex>,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let all = |texts: &[String]| -> Vec<Regex> {
        let texts = texts.iter();
        texts
            .filter_map(|text| pattern(&format!("(?i)^{text}$")))
            .collect()
    };
    let between = r"(?:\s*@\s*|\s*==\s*|\s+(?:at\s+)?(?:version\s+)?)";
    let noun = "(?:dependency|package|library|crate|module)";
    Patterns {
        add: all(&[
            format!(
                r"(?:add|install)\s+(?:the\s+)?{NAME}{between}{VERSION}\s+(?:as\s+an?|to\s+the|to\s+our|to)\s+{KIND}dependenc(?:y|ies){PLACE}"
            ),
            format!(
                r"(?:add|install)\s+(?:the\s+|a\s+)?{KIND}{noun}\s+(?:on\s+)?{NAME}{between}{VERSION}{PLACE}"
            ),
        ]),
        remove: all(&[
            format!(
                r"(?:remove|drop|delete|uninstall)\s+(?:the\s+|our\s+)?(?:unused\s+)?{KIND}{noun}\s+(?:on\s+)?{NAME}{PLACE}"
            ),
            format!(
                r"(?:remove|drop|uninstall)\s+(?:the\s+)?{NAME}\s+from\s+(?:the\s+|our\s+)?{KIND}dependencies{PLACE}"
            ),
            format!(
                r"(?:remove|drop|uninstall)\s+(?:the\s+)?(?:unused\s+)?{NAME}\s+{KIND}{noun}{PLACE}"
            ),
        ]),
        set: all(&[format!(
            r"(?:set|change|raise)\s+(?:the\s+)?{NAME}(?:\s+(?:field|key|value))?(?:\s+from\s+\S+)?\s+to\s+{VERSION}{PLACE}"
        )]),
    }
});

/// The manifest change that a clause asks for, if it asks for nothing else.
pub(super) fn read(clause: &str) -> Option<Dependency> {
    let clause = super::imperative(clause).trim_end_matches(['.', '!', ' ']);
    let clause = clause.replace(['`', '"', '\''], "");
    let first = |list: &'static [Regex]| list.iter().find_map(|one| one.captures(&clause));
    let named = |captures: &Captures<'_>, name: &str| {
        captures
            .name(name)
            .map_or_else(String::new, |found| found.as_str().to_owned())
    };
    let wanted = |captures: &Captures<'_>, change: Change| {
        let version = named(captures, "version");
        let path = named(captures, "path");
        let is_manifest = path.is_empty() || crate::solver::is_manifest(&path);
        let dependency = Dependency {
            name: named(captures, "name"),
            version: (!version.is_empty()).then_some(version),
            is_own: change == Change::Set,
            change,
        };
        is_manifest.then_some((dependency, path))
    };
    let is_dev = |captures: &Captures<'_>| captures.name("dev").is_some();
    let patterns = &*PATTERNS;
    if let Some(found) = first(&patterns.add) {
        let is_dev = is_dev(&found);
        return wanted(&found, Change::Add { is_dev }).map(|(one, _)| one);
    }
    if let Some(found) = first(&patterns.remove) {
        let (one, _) = wanted(&found, Change::Remove)?;
        let is_vague = among(&one.name, "on from and all the it of that which for");
        return (!is_vague).then_some(one);
    }
    let found = first(&patterns.set)?;
    let (one, path) = wanted(&found, Change::Set)?;
    let is_known = among(&one.name, "edition rust-version");
    (!path.is_empty() || is_known).then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        let all = &*PATTERNS;
        assert_eq!((all.add.len(), all.remove.len(), all.set.len()), (2, 3, 1));
        for clause in [
            "Install dong 1.0.0 to the dev dependencies",
            "Add lodash 4.17.21 as a dependency",
            "Remove the dependency on vary",
        ] {
            assert!(read(clause).is_some(), "{clause}");
        }
    }
}
