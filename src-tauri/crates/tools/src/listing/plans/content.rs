//! Decides by its content whether a Markdown file is a plan: it calls itself one, or has
//! [`MIN_TASKS`] task items, or [`MIN_TASKS_OF_PROSE`] if its name suggests documentation
//! (`README.md`). This is only a hint for lists; the plan parser decides. Read-only.

use crate::documents;
use crate::workspace::Workspace;

/// Number of task items that make a Markdown file a plan.
const MIN_TASKS: usize = 2;

/// Number of task items that make a documentation file a plan.
const MIN_TASKS_OF_PROSE: usize = 10;

/// Maximum size of a file that is checked, in bytes.
const LARGEST_READ: u64 = 4 << 20;

/// Whether a Markdown file is a plan by its content. Unreadable files and files larger than 4 MiB
/// are not.
pub fn is_plan(workspace: &Workspace, path: &str) -> bool {
    let Ok(bytes) = documents::read(workspace, path, LARGEST_READ) else {
        return false;
    };
    let least = match is_prose(path) {
        true => MIN_TASKS_OF_PROSE,
        false => MIN_TASKS,
    };
    calls_itself_a_plan(&bytes) || task_items(&bytes, least) == least
}

/// Whether this is a documentation file, which may contain a few checkboxes without being a plan.
fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    matches!(
        stem.as_str(),
        "readme"
            | "changelog"
            | "changes"
            | "history"
            | "news"
            | "releases"
            | "release_notes"
            | "contributing"
            | "code_of_conduct"
            | "security"
            | "support"
            | "license"
            | "agents"
            | "claude"
            | "gemini"
            | "pull_request_template"
            | "issue_template"
    )
}

fn calls_itself_a_plan(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines
        .next()
        .is_some_and(|first| first.trim_ascii_end() == b"---")
        && lines
            .take(100)
            .take_while(|line| line.trim_ascii_end() != b"---")
            .any(|line| line.starts_with(b"planwright:"))
}

/// Number of task items outside of code fences, counted up to `most`.
fn task_items(bytes: &[u8], most: usize) -> usize {
    let mut fence: Option<(u8, usize)> = None;
    let mut items = 0;
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = line.trim_ascii_start();
        let run = |byte: u8| line.iter().take_while(|other| **other == byte).count();
        let marks = [(b'`', run(b'`')), (b'~', run(b'~'))];
        let opened = marks.into_iter().find(|(_, long)| *long >= 3);
        match (fence, opened) {
            (None, Some(opened)) => fence = Some(opened),
            (Some((byte, long)), Some((other, closing))) if byte == other && closing >= long => {
                fence = None;
            }
            (None, None) if is_task_item(line) => items += 1,
            _ => {}
        }
        if items == most {
            break;
        }
    }
    items
}

/// Whether a line is a task item: `- [ ] words`, with any bullet or number and any mark in the box.
fn is_task_item(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = match (digits, line.get(digits)) {
        (0, Some(b'-' | b'*' | b'+')) => &line[1..],
        (1..=9, Some(b'.' | b')')) => &line[digits + 1..],
        _ => return false,
    };
    let Some(inside) = rest.trim_ascii_start().strip_prefix(b"[") else {
        return false;
    };
    let Some(close) = inside.iter().take(8).position(|byte| *byte == b']') else {
        return false;
    };
    let marker = inside[..close].trim_ascii();
    let is_marker = std::str::from_utf8(marker).is_ok_and(|marker| marker.chars().count() <= 1);
    // `[x](…)` is a link.
    is_marker
        && rest.first().is_some_and(u8::is_ascii_whitespace)
        && inside.get(close + 1) != Some(&b'(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_every_shape_are_task_items_and_links_are_not() {
        let items = [
            "- [ ] a",
            "* [x] a",
            "+ [] a",
            "12. [X] a",
            "3) [-] a",
            "- [  ] a",
            "- [ ]* 1.2 a",
            "-\t[✓] a",
        ];
        for item in items {
            assert!(is_task_item(item.as_bytes()), "{item}");
        }
        let others = [
            "[ ] a",
            "-[ ] a",
            "- [x](a)",
            "- [link] a",
            "a - [ ] b",
            "1 [ ] a",
            "- []",
            "",
            "-",
        ];
        let count = others
            .iter()
            .filter(|item| is_task_item(item.as_bytes()))
            .count();
        assert_eq!(count, 1, "`- []` alone");
    }
}
