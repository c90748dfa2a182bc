//! What somebody else changed in the plan, for a model that knows an earlier revision.
//!
//! Compact: the lines that differ, at most a few hundred tokens of them, and a count of the rest.

use similar::{ChangeTag, TextDiff};

use super::entry::PlanChange;
use super::envelope::{clipped, escaped};

/// The most bytes of a diff.
const DIFF_BYTES: usize = 900;

/// The most bytes of one line of it.
const LINE_BYTES: usize = 200;

/// The first twelve digits of a revision: enough to name it.
pub(crate) fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

/// The change from what the model knows to what the file holds now. `before` is the text of the known
/// revision; without it the diff says so.
pub fn edited(from: &str, before: Option<&str>, to: &str, after: &str) -> PlanChange {
    let diff = match before {
        Some(before) if before.len() + after.len() > LARGE => in_words(before, after),
        Some(before) => diff(before, after),
        None => "(the earlier text is not held any more; use read_plan)".to_owned(),
    };
    PlanChange::Edited {
        from: from.to_owned(),
        to: to.to_owned(),
        diff,
    }
}

/// Plans of this many bytes are compared task by task: line by line takes too long where little is
/// the same.
const LARGE: usize = 200_000;

fn in_words(before: &str, after: &str) -> String {
    const NAMED: usize = 20;
    let (old, new) = (plan::parse(before).0, plan::parse(after).0);
    let words = plan::diff::summary(&plan::diff::diff((before, &old), (after, &new)), NAMED);
    clipped(&words, DIFF_BYTES)
}

/// Lines that went with `-`, lines that came with `+`, in order.
fn diff(before: &str, after: &str) -> String {
    let lines = TextDiff::from_lines(before, after);
    let mut out = String::new();
    let mut left_out = 0;
    for change in lines.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let line = clipped(change.value().trim_end(), LINE_BYTES);
        if left_out > 0 || out.len() + line.len() > DIFF_BYTES {
            left_out += 1;
            continue;
        }
        out.push_str(&format!("{sign}{line}\n"));
    }
    if left_out > 0 {
        out.push_str(&format!("… {left_out} more lines; use read_plan\n"));
    }
    out.truncate(out.trim_end().len());
    out
}

/// The message.
pub fn text(change: &PlanChange) -> String {
    match change {
        PlanChange::Edited { to, diff, .. } if diff.is_empty() => format!(
            "[The plan was changed since you last saw it; it is at revision {} now.]",
            short(to)
        ),
        PlanChange::Edited { to, diff, .. } => format!(
            "[The plan was changed by somebody else; it is at revision {} now. Keep these changes.]\n\
             <plan-change>\n{}\n</plan-change>",
            short(to),
            escaped(diff)
        ),
        PlanChange::Deleted { .. } => {
            "[The plan file was deleted by somebody else. Do not write it again unless asked.]"
                .to_owned()
        }
    }
}
