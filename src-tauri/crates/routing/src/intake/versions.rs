//! The library that a goal updates, or the project's own version, and to which.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{group, pattern};
use crate::among;

/// A library and the version wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// The version, without a leading `v`.
    pub version: Option<String>,
    /// Whether it is the version of the project itself; the name is then `version`.
    pub is_own: bool,
}

static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:to|at|=|==|version|@)\s*(?:version\s+)?[`'\x22]?v?(\d+(?:\.\d+)*(?:[-.+][0-9A-Za-z.]+)?)[`'\x22]?(?:[\s,.;)]|$)",
    )
});
static OWN_VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:bump|update|upgrade|set|change|raise|increase)\s+(?:the\s+|our\s+|its\s+)?(?:(?:package|crate|project|library|release)(?:'s)?\s+)?version(?:\s+number)?(?:\s+of\s+(?:the|this)\s+(?:package|crate|project|library))?(?:\s+from\s+\S+)?\s+to\s+v?(\d+(?:\.\d+)*(?:[-.+][0-9A-Za-z.]+)?)(?:\s+in\s+\S+)?$",
    )
});
static LIBRARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)^(?:update|upgrade|bump|pin|downgrade)\s+(?:(?:the|our|its)\s+)?(?:version\s+of\s+)?(?:(?:dependency|dependencies|package|crate|library|module)\s+)?(?:on\s+)?[`"']?(@?[A-Za-z][\w.@/-]*?)[`"']?(?:@v?([\d][\w.+-]*))?(?:\s+(?:dependency|package|crate|library|module|version))?(?:\s+version)?(?:[\s,.;]|$)"#,
    )
});

/// The library and version of a clause that asks to update one, when it says so.
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
    let vague = [
        "dependencies",
        "dependency",
        "all",
        "the",
        "packages",
        "libraries",
        "to",
        "version",
    ];
    (!name.is_empty() && !vague.contains(&name.to_lowercase().as_str())).then_some(Dependency {
        name,
        version,
        is_own: false,
    })
}

/// The project's own version, when a clause asks to set it.
pub(super) fn own_version(clause: &str) -> Option<Dependency> {
    let captures = OWN_VERSION.as_ref()?.captures(clause)?;
    Some(Dependency {
        name: "version".to_owned(),
        version: Some(group(&captures, 1).trim_end_matches('.').to_owned()),
        is_own: true,
    })
}

/// Whether a clause asks for the newest version, whichever that is.
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

/// The version that a clause names as the target.
pub(super) fn version(clause: &str) -> Option<String> {
    let captures = VERSION.as_ref()?.captures(clause)?;
    Some(group(&captures, 1).trim_end_matches('.').to_owned())
}
