//! Finds the library whose version a goal changes, or the project's own version, and the target
//! version.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{group, pattern};
use crate::among;

/// A change to a dependency that a goal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the library, or of the value.
    pub name: String,
    /// The version, without a leading `v`.
    pub version: Option<String>,
    /// Whether the change is to a value of the project itself, such as its version; the name is
    /// then the value's key.
    pub is_own: bool,
    /// What to change.
    pub change: Change,
}

/// The changes that can be made to a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Sets the version or value.
    Set,
    /// Adds the library, as a development dependency if the goal says so.
    Add {
        /// Whether it is a development dependency.
        is_dev: bool,
    },
    /// Removes the library.
    Remove,
}

impl Dependency {
    /// The library's name as an identifier in code.
    pub(crate) fn in_code(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Its name in lowercase and capitalized: people may capitalize it like a product name, while
    /// manifests spell it as in the registry.
    pub(crate) fn spellings(&self) -> [String; 2] {
        let small = self.name.to_lowercase();
        let mut letters = small.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let large = first + letters.as_str();
        [small, large]
    }

    /// Search terms for the places that the change concerns: spellings of the library, the
    /// dependency section of a manifest, or the constant with the project's version.
    pub(super) fn terms(&self) -> Vec<String> {
        let terms = match self.change {
            Change::Set if self.is_own && self.name == "version" => vec![VERSION_CONSTANT],
            Change::Add { is_dev: false } => vec!["dependencies"],
            Change::Add { is_dev: true } => vec!["devDependencies", "dev-dependencies"],
            Change::Set if self.is_own => Vec::new(),
            Change::Set | Change::Remove => {
                return self
                    .spellings()
                    .into_iter()
                    .chain([self.in_code()])
                    .collect();
            }
        };
        terms.into_iter().map(str::to_owned).collect()
    }
}

/// The constant that holds a Python project's own version.
pub(crate) const VERSION_CONSTANT: &str = "__version__";

static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:to|at|=|==|version|@)\s*(?:version\s+)?[`'\x22]?v?(\d+(?:\.\d+)*(?:[-.+][0-9A-Za-z.]+)?)[`'\x22]?(?:[\s,.;)]|$)",
    )
});
static OWN_VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:bump|update|upgrade|set|change|raise|increase)\s+(?:the\s+|our\s+|its\s+)?(?:(?:package|crate|project|library|release)(?:'s)?\s+)?version(?:\s+number)?(?:\s+of\s+(?:the|this)\s+(?:package|crate|project|library))?(?:\s+in\s+\S+)?(?:\s+from\s+\S+)?\s+to\s+v?(\d+(?:\.\d+)*(?:[-.+][0-9A-Za-z.]+)?)(?:\s+in\s+\S+)?$",
    )
});
static LIBRARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)^(?:update|upgrade|bump|pin|downgrade)\s+(?:(?:the|our|its)\s+)?(?:version\s+of\s+)?(?:(?:dependency|dependencies|package|crate|library|module)\s+)?(?:on\s+)?[`"']?(@?[A-Za-z][\w.@/-]*?)[`"']?(?:@v?([\d][\w.+-]*))?(?:\s+(?:dependency|package|crate|library|module|version))?(?:\s+version)?(?:[\s,.;]|$)"#,
    )
});

/// The library and version, if a clause asks to update one.
pub(super) fn dependency(clause: &str) -> Option<Dependency> {
    let captures = LIBRARY.as_ref()?.captures(clause)?;
    let name = group(&captures, 1);
    let name = name.trim_end_matches(['.', ',']).to_owned();
    let at = group(&captures, 2);
    let version = if at.is_empty() {
        version(clause)
    } else {
        Some(at)
    };
    const VAGUE: &str = "dependencies dependency all the packages libraries to version";
    let is_vague = crate::among(&name.to_lowercase(), VAGUE);
    (!name.is_empty() && !is_vague).then_some(Dependency {
        name,
        version,
        is_own: false,
        change: Change::Set,
    })
}

/// The project's own version, if a clause asks to set it.
pub(super) fn own_version(clause: &str) -> Option<Dependency> {
    let captures = OWN_VERSION.as_ref()?.captures(clause)?;
    Some(Dependency {
        name: "version".to_owned(),
        version: Some(group(&captures, 1).trim_end_matches('.').to_owned()),
        is_own: true,
        change: Change::Set,
    })
}

/// Whether a clause asks for the latest version.
pub(super) fn wants_newest(clause: &str) -> bool {
    let words: Vec<String> = clause.split_whitespace().map(str::to_lowercase).collect();
    words.windows(2).any(|pair| {
        let is_newest = |word: &str| among(word.trim_end_matches(['.', '!']), "latest newest");
        pair[0] == "to" && is_newest(&pair[1])
    }) || words.windows(3).any(|three| {
        three[0] == "to"
            && three[1] == "the"
            && among(three[2].trim_end_matches(['.', '!']), "latest newest")
    })
}

/// The target version in a clause.
pub(super) fn version(clause: &str) -> Option<String> {
    let captures = VERSION.as_ref()?.captures(clause)?;
    Some(group(&captures, 1).trim_end_matches('.').to_owned())
}

/// Matches the next item in a list of libraries: a conjunction, then a name with its version.
static NEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+)([`"']?@?[A-Za-z][\w./-]*[`"']?(?:\s+(?:to|at|auf)\s+|\s*@|\s*==\s*)v?\d)"#,
    )
});

/// Splits a clause that sets the versions of several libraries into one clause per library; leaves
/// other clauses unchanged.
pub(super) fn pieces(clause: &str) -> Vec<String> {
    let whole = || vec![clause.to_owned()];
    let Some((verb, list)) = clause.split_once(' ') else {
        return whole();
    };
    let Some(next) = NEXT.as_ref() else {
        return whole();
    };
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for captures in next.captures_iter(list) {
        if let (Some(joint), Some(item)) = (captures.get(0), captures.get(1)) {
            cuts.push((joint.start(), item.start()));
        }
    }
    let starts = std::iter::once(0).chain(cuts.iter().map(|(_, start)| *start));
    let ends = cuts.iter().map(|(end, _)| *end).chain([list.len()]);
    starts
        .zip(ends)
        .map(|(start, end)| format!("{verb} {}", &list[start..end]))
        .collect()
}

/// Words allowed in a clause about one library besides its name, version and manifest.
const GRAMMAR: &str = "to at the our its their a of on in from this version versions number release dependency dependencies package \
     crate project library module latest newest current please up just everywhere auf die der das den im von version paket \
     bibliothek abhängigkeit anheben aktualisieren unsere unser neueste aktuelle";
/// Words that introduce a reason.
const REASONS: &str = "because so since due for as weil da damit wegen für";

/// Whether a clause does nothing except set this library or value to its version.
pub(super) fn is_all(clause: &str, wanted: &Dependency, named_paths: &[String]) -> bool {
    if super::manifests::read(clause).as_ref() == Some(wanted) {
        return true;
    }
    let mut words = super::imperative(clause)
        .split_whitespace()
        .skip(1)
        .map(|word| word.trim_matches(['`', '"', '\'', ',', '.', ';', '!', '(', ')']));
    let version = wanted.version.as_deref().unwrap_or_default();
    let is_known = |word: &str| {
        let plain = word.to_lowercase();
        let bare = plain.trim_start_matches(['v', '=', '^', '~', '@']);
        let is_version = bare.starts_with(|c: char| c.is_ascii_digit());
        let is_both = word.starts_with(&*wanted.name) && word.ends_with(version);
        word.is_empty()
            || word == wanted.name
            || is_both
            || is_version && !version.is_empty()
            || among(&plain, GRAMMAR)
            || named_paths.iter().any(|path| path == word)
            || matches!(word, "=" | "==" | "->")
    };
    for word in words.by_ref() {
        if among(&word.to_lowercase(), REASONS) {
            return !words.any(super::names::is_code_name);
        }
        if !is_known(word) {
            return false;
        }
    }
    true
}
