//! The `mute:` key of the front matter: a list of lines, each with a code and a reason.
//!
//! It is written as a list in brackets. The rest of the front matter stays unchanged, and an edit
//! that would change how it is parsed is rejected.

use plan::{FrontMatter, Plan};

use workbench::error::{Error, Result};

/// Returns the text with a new `mute:` list. Fails with [`Code::Usage`] if the front matter can't
/// be edited that way.
pub(super) fn with(
    text: &str,
    plan: &Plan,
    change: impl FnOnce(&mut Vec<String>),
) -> Result<String> {
    let ending = plan.line_ending.to_string();
    let block = plan.front.span.clone();
    let found = block.clone().and_then(|block| place(text, block));
    let mut lines = plan.front.mute.clone();
    let written = found.clone().map_or("", |found| text[found].trim());
    if lines.is_empty() && !["", "mute:", "mute: []"].contains(&written) {
        return Err(unreadable());
    }
    change(&mut lines);
    let quoted: Vec<String> = lines.iter().map(|line| quote(line)).collect();
    let key = match quoted.is_empty() {
        true => String::new(),
        false => format!("mute: [{}]{ending}", quoted.join(", ")),
    };
    let mut changed = text.to_owned();
    match (found, block) {
        (Some(found), _) => changed.replace_range(found, &key),
        (None, Some(block)) => {
            let fence = text[..block.end].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            changed.insert_str(fence, &key);
        }
        (None, None) if key.is_empty() => {}
        (None, None) => {
            let at = text.len() - text.trim_start_matches('\u{feff}').len();
            changed.insert_str(at, &format!("---{ending}{key}---{ending}"));
        }
    }
    let (after, problems) = plan::parse(&changed);
    let (_, before) = plan::parse(text);
    let front = FrontMatter {
        mute: lines,
        span: after.front.span.clone(),
        ..plan.front.clone()
    };
    let is_same = after.tasks.len() == plan.tasks.len()
        && problems.len() <= before.len()
        && after.title.as_ref().map(|title| &title.text)
            == plan.title.as_ref().map(|title| &title.text)
        && after.front == front;
    match is_same {
        true => Ok(changed),
        false => Err(unreadable()),
    }
}

fn unreadable() -> Error {
    err!(Usage:
        "the plan's front matter can't be edited safely; add `mute: [\"CODE REASON\"]` to it manually")
}

/// The byte range of the key and its value, including the last line ending.
fn place(text: &str, block: std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let mut from = None;
    let mut at = block.start;
    for line in text[block.clone()].split_inclusive('\n') {
        let goes_on = line.starts_with([' ', '\t']) || line.starts_with("- ");
        match from {
            None if line.starts_with("mute:") => from = Some(at),
            Some(from) if !goes_on => return Some(from..at),
            _ => {}
        }
        at += line.len();
    }
    None
}

fn quote(line: &str) -> String {
    let escaped = line.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    fn muted(text: &str, line: &str) -> String {
        let (plan, _) = plan::parse(text);
        with(text, &plan, |lines| lines.push(line.to_owned())).unwrap()
    }

    #[test]
    fn a_line_is_added_to_whatever_is_there() {
        let body = "# A\n\n- [ ] **T1** b\n";
        let all = [
            (String::new(), "---\nmute: [\"a b\"]\n---\n"),
            (
                "---\ngoal: x\n---\n".to_owned(),
                "---\ngoal: x\nmute: [\"a b\"]\n---\n",
            ),
            (
                "---\nmute: one \"two\"\ngoal: x\n---\n".to_owned(),
                "---\nmute: [\"one \\\"two\\\"\", \"a b\"]\ngoal: x\n---\n",
            ),
            (
                "---\nmute:\n  - one, two\n  - 'it''s'\ngoal: x\n---\n".to_owned(),
                "---\nmute: [\"one, two\", \"it's\", \"a b\"]\ngoal: x\n---\n",
            ),
        ];
        for (front, expected) in all {
            assert_eq!(
                muted(&format!("{front}{body}"), "a b"),
                format!("{expected}{body}")
            );
        }
    }

    #[test]
    fn what_was_written_is_read_again_and_taken_away_without_a_trace() {
        let text = "---\r\ngoal: x\r\n---\r\n# A\r\n";
        let once = muted(text, "code say \"so\" \\ here");
        let (plan, _) = plan::parse(&once);
        let mut seen = Vec::new();
        let back = with(&once, &plan, |lines| seen.append(lines)).unwrap();
        assert_eq!(seen, ["code say \"so\" \\ here"]);
        assert_eq!(back, text);
    }
}
