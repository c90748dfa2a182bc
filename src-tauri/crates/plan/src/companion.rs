//! Which files beside another tool's task list hold its requirements, and how they are parsed.
//!
//! - Kiro's `requirements.md`: the numbered lines, as `2.1` under `### Requirement 2`, else as `1`.
//!   Its tasks reference them in `_Requirements: 2.1_`.
//! - spec-kit's `spec.md`: the items that begin with an id (`**FR-001**`).
//! - OpenSpec's `proposal.md`: the items under `## What Changes`. In its `specs/*/spec.md`: each
//!   `### Requirement: Name` with the line below it.
//!
//! Parsed line by line; code blocks are skipped. Line numbers and spans are those of the companion
//! file itself.

use crate::dialect::fence::Fence;
use crate::lines::{self, Lines};
use crate::model::{Dialect, Requirement};

/// The files that may contain the requirements of a dialect, relative to the plan's folder; `*`
/// matches any folder.
pub fn files(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Kiro => &["requirements.md"],
        Dialect::SpecKit => &["spec.md"],
        Dialect::OpenSpec => &["proposal.md", "specs/*/spec.md"],
        Dialect::Native | Dialect::Plain | Dialect::Headings | Dialect::Todos => &[],
    }
}

/// The requirements in one of these files. A requirement without an id gets an empty one.
pub fn requirements(dialect: Dialect, text: &str) -> Vec<Requirement> {
    let mut found: Vec<Requirement> = Vec::new();
    let places = Lines::of(text);
    let mut fence: Option<Fence> = None;
    let mut section = Section::default();
    let mut at = 0;
    while at < text.len() {
        let end = lines::line_end(text, at);
        let (line, start) = (&text[at..end], at);
        at = lines::after_line_end(text, end);
        if at == end {
            at = text.len();
        }
        let words = line.trim();
        if let Some(open) = &fence {
            if open.closes(words) {
                fence = None;
            }
            continue;
        }
        fence = Fence::opened(words, line.len() - line.trim_start().len());
        if words.starts_with('#') {
            section = section.enter(words);
            continue;
        }
        let taken = match dialect {
            Dialect::Kiro => numbered(words, &section),
            Dialect::SpecKit => named(words),
            Dialect::OpenSpec => section.take(words),
            _ => None,
        };
        if let Some((id, text)) = taken {
            found.push(Requirement {
                id,
                text,
                line: places.number(start),
                span: start..end,
            });
        }
    }
    found
}

/// The heading that a line is under.
#[derive(Debug, Default)]
struct Section {
    /// The number in `Requirement 2`.
    number: Option<String>,
    /// The name in `Requirement: Name`, until the line below it has been read.
    name: Option<String>,
    is_what_changes: bool,
    /// Whether the heading excludes its items: `Non-Requirements`, `Out of scope`.
    is_not: bool,
    /// The level of the heading with the number.
    level: usize,
}

impl Section {
    /// The section that a heading begins. A heading under a numbered requirement keeps its number.
    fn enter(self, heading: &str) -> Self {
        let level = heading.len() - heading.trim_start_matches('#').len();
        let own = Self::of(heading);
        match (&own.number, level > self.level) {
            (None, true) if self.number.is_some() => Self {
                level: self.level,
                number: self.number,
                ..own
            },
            _ => Self { level, ..own },
        }
    }

    fn of(heading: &str) -> Self {
        let words = heading.trim_matches(['#', ' ', '\t']);
        let lower = words.to_lowercase();
        let number: String = words
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        Self {
            number: Some(number)
                .filter(|number| !number.is_empty() && lower.starts_with("requirement")),
            name: words
                .strip_prefix("Requirement:")
                .map(|name| name.trim().to_owned()),
            is_what_changes: lower == "what changes",
            is_not: lower.starts_with("non-") || lower.starts_with("out of scope"),
            level: 0,
        }
    }

    /// The requirement on a line: an item under `What Changes`, or the line after a requirement's
    /// name.
    fn take(&mut self, words: &str) -> Option<(String, String)> {
        if words.is_empty() {
            return None;
        }
        if let Some(name) = self.name.take() {
            return Some((String::new(), format!("{name}: {words}")));
        }
        let text = item(words).filter(|_| self.is_what_changes)?;
        Some((String::new(), text.to_owned()))
    }
}

/// The text of a list item.
fn item(words: &str) -> Option<&str> {
    let text = words
        .strip_prefix(['-', '*', '+'])?
        .strip_prefix(' ')?
        .trim();
    (!text.is_empty()).then_some(text)
}

/// The id and text of a numbered requirement: `1. WHEN … THE SYSTEM SHALL …`.
fn numbered(words: &str, section: &Section) -> Option<(String, String)> {
    let digits = words
        .find(|c: char| !c.is_ascii_digit())
        .filter(|at| *at > 0)?;
    let (number, rest) = words.split_at(digits);
    let text = rest.strip_prefix(['.', ')'])?.strip_prefix(' ')?.trim();
    if section.is_not || text.is_empty() {
        return None;
    }
    let id = match &section.number {
        Some(above) => format!("{above}.{number}"),
        None => number.to_owned(),
    };
    Some((id, text.to_owned()))
}

/// The id and text of a requirement that begins with its id: `- **FR-001**: System MUST …`.
fn named(words: &str) -> Option<(String, String)> {
    let text = item(words)?;
    let (id, rest) = text.trim_start_matches('*').split_once([':', '*', ' '])?;
    let (letters, digits) = id.split_once('-')?;
    let is_id = (1..=4).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && digits.len() >= 2
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let rest = rest.trim_start_matches(['*', ':', ' ']).trim();
    (is_id && !rest.is_empty()).then(|| (id.to_owned(), rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dialect: Dialect, text: &str) -> Vec<(String, String)> {
        let found = requirements(dialect, text).into_iter();
        found.map(|one| (one.id, one.text)).collect()
    }

    fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
        wanted
            .iter()
            .map(|(id, text)| ((*id).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn kiro_counts_criteria_under_their_requirement() {
        let text = "# Requirements\n\n### Requirement 2: Coupons\n\n**User Story:** x\n\n#### Acceptance Criteria\n\n1. WHEN a coupon is read THE SYSTEM SHALL say its value\n2. a\n\n## Non-Requirements\n\n1. none\n";
        assert_eq!(
            read(Dialect::Kiro, text),
            pairs(&[
                (
                    "2.1",
                    "WHEN a coupon is read THE SYSTEM SHALL say its value"
                ),
                ("2.2", "a")
            ])
        );
        assert_eq!(read(Dialect::Kiro, "1. a\n"), pairs(&[("1", "a")]));
    }

    #[test]
    fn spec_kit_names_its_requirements() {
        let text = "- **FR-001**: System MUST read coupons\n- **SC-002** Under a second\n- a note\n```\n- **FR-009**: code\n```\n";
        assert_eq!(
            read(Dialect::SpecKit, text),
            pairs(&[
                ("FR-001", "System MUST read coupons"),
                ("SC-002", "Under a second")
            ])
        );
    }

    #[test]
    fn openspec_has_changes_and_deltas() {
        let text = "## Why\n- no\n## What Changes\n- Read coupons\n- **BREAKING** Drop vouchers\n## Impact\n- no\n";
        assert_eq!(
            read(Dialect::OpenSpec, text),
            pairs(&[("", "Read coupons"), ("", "**BREAKING** Drop vouchers")])
        );
        let delta = "## ADDED Requirements\n### Requirement: Coupons\nThe till SHALL read coupons.\n\n#### Scenario: one\n- WHEN x\n";
        assert_eq!(
            read(Dialect::OpenSpec, delta),
            pairs(&[("", "Coupons: The till SHALL read coupons.")])
        );
    }
}
