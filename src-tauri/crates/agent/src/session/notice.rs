//! Tells the model about changes to the plan since the revision that it knows.
//!
//! The notice is compact: it contains the lines that differ, up to a few hundred tokens, and the
//! number of remaining ones.

use plan::diff::ChangeKind;
use similar::{ChangeTag, TextDiff};

use super::entry::PlanChange;
use crate::envelope::{clipped, escaped};

const DIFF_BYTES: usize = 900;

/// Maximum bytes of one line in the diff.
const LINE_BYTES: usize = 200;

/// The first twelve digits of a revision, which are enough to identify it.
pub(crate) fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

/// The change from the revision that the model knows to the current one. `before` is the text of
/// the known revision; without it, the notice says that no diff is available.
pub fn edited(from: &str, before: Option<&str>, to: &str, after: &str) -> PlanChange {
    let diff = match before {
        Some(before) if before.len() + after.len() > LARGE => in_words(before, after),
        Some(before) => ticks(before, after).unwrap_or_else(|| diff(before, after)),
        None => "(the earlier text is no longer available; use read_plan)".to_owned(),
    };
    PlanChange::Edited {
        from: from.to_owned(),
        to: to.to_owned(),
        diff,
    }
}

/// Maximum number of ticked tasks listed by name.
const TICKS: usize = 30;

/// Plans with more bytes than this are compared task by task, because a line diff takes too long if
/// the texts have little in common.
const LARGE: usize = 200_000;

/// A description of the change if it only ticked boxes, as a run does.
fn ticks(before: &str, after: &str) -> Option<String> {
    let (old, new) = (plan::parse(before).0, plan::parse(after).0);
    let found = plan::diff::diff((before, &old), (after, &new));
    let is_tick = |task: &plan::diff::TaskDiff| {
        task.kind == ChangeKind::Done && task.notes.is_empty() && task.parts.is_empty()
    };
    let only_ticks =
        !found.tasks.is_empty() && found.around.is_empty() && found.tasks.iter().all(is_tick);
    only_ticks.then(|| plan::diff::summary(&found, TICKS))
}

fn in_words(before: &str, after: &str) -> String {
    const NAMED: usize = 20;
    let (old, new) = (plan::parse(before).0, plan::parse(after).0);
    let words = plan::diff::summary(&plan::diff::diff((before, &old), (after, &new)), NAMED);
    clipped(&words, DIFF_BYTES)
}

/// The removed lines, marked with `-`, and the added lines, marked with `+`, in order.
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
        let lines = if left_out == 1 { "line" } else { "lines" };
        out.push_str(&format!("… {left_out} more {lines}; use read_plan\n"));
    }
    out.truncate(out.trim_end().len());
    out
}

/// The text of the notice.
pub fn text(change: &PlanChange) -> String {
    match change {
        PlanChange::Edited { to, diff, .. } if diff.is_empty() => format!(
            "[The plan was changed since you last saw it; it is now at revision {}.]",
            short(to)
        ),
        PlanChange::Edited { to, diff, .. } => format!(
            "[The plan was changed by somebody else; it is now at revision {}. Keep these changes.]\n\
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_stays_small_whatever_was_changed() {
        for lines in [300, 30_000] {
            let before: String = (0..lines)
                .map(|n| format!("- [ ] **T{n}** old\n"))
                .collect();
            let after = before.replace("old", "new words");
            let told = text(&edited("a", Some(&before), "b", &after));
            assert!(told.len() < 1_400, "{}", told.len());
            assert!(told.contains("more"), "{told}");
        }
    }

    #[test]
    fn ticks_are_told_in_words() {
        let before = "# P\n\n## Tasks\n- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n";
        let after = before.replacen("[ ]", "[x]", 2);
        let told = text(&edited("a", Some(before), "b", &after));
        assert!(told.contains("<plan-change>\nT1 done, T2 done\n"), "{told}");
        let more = after.replace("c\n", "d\n");
        assert!(text(&edited("a", Some(before), "b", &more)).contains("+- [ ] **T3** d"));
    }

    #[test]
    fn without_the_earlier_text_it_says_how_to_see_the_plan() {
        assert!(text(&edited("a", None, "b", "x")).contains("read_plan"));
    }
}
