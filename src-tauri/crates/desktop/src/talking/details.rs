//! Details that rows omit, fetched when a row is opened: a full call, a proposal's text, and what a
//! permission would allow.

use agent::session::Entry;
use agent::session::entry::Question;
use agent::turn::Call;
use serde_json::Value;

use crate::run_views::permission::as_asked;
use crate::wire::{DiffLine, PermissionView, TalkCall, TalkItem, TalkProposal};
use crate::{Desktop, Shared};
use workbench::approval::revision_text;
use workbench::error::{Error, Result};
use workbench::sessions::rows::from_row;

/// Maximum lines of a change shown.
const MAX_LINES: usize = 400;

/// Maximum bytes of arguments and of a result shown.
const MAX_BYTES: usize = 64 * 1024;

impl Desktop {
    /// A call of a conversation in full.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for an unknown call, [`workbench::Code::UnknownSession`],
    /// [`workbench::Code::Storage`].
    pub fn talk_call(&self, session: &str, call: &str) -> Result<TalkCall> {
        let workbench = self.shared.workbench();
        let row = workbench.find_session(session)?;
        let mut found: Option<TalkCall> = None;
        workbench.store.session_entries().each(&row.id, |stored| {
            // Skip entries of other kinds without parsing them.
            if !["replied", "call_ended", "refused"].contains(&stored.kind.as_str())
                || !stored.payload.contains(call)
            {
                return Ok(());
            }
            match from_row(&row.id, &stored)? {
                Entry::Replied { reply } => {
                    if let Some(written) = reply.calls.iter().find(|written| written.id == call) {
                        found = Some(TalkCall {
                            arguments: arguments(written),
                            ..TalkCall::default()
                        });
                    }
                }
                Entry::CallEnded { id, result, .. } if id == call => {
                    if let Some(found) = &mut found {
                        found.diff = diff_of(result.screen.as_ref());
                        (found.content, found.is_cut) = bounded(&result.content);
                    }
                }
                Entry::Refused { id, message } if id == call => {
                    if let Some(found) = &mut found {
                        (found.content, found.is_cut) = bounded(&message);
                    }
                }
                _ => {}
            }
            Ok::<(), Error>(())
        })?;
        found.ok_or_else(|| err!(Usage: "the conversation has no such call"))
    }

    /// The text of a proposed plan.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for a row that isn't a proposal, and for a revision that isn't
    /// stored; [`workbench::Code::UnknownSession`], [`workbench::Code::Storage`].
    pub fn talk_proposal(&self, session: &str, row: u32) -> Result<TalkProposal> {
        let id = self.shared.workbench().find_session(session)?.id;
        let item = self
            .shared
            .folded(&id, |fold| fold.rows.item(row).cloned())?;
        let (number, revision) = match item {
            Some(TalkItem::Proposal {
                number, revision, ..
            }) => (number, revision),
            _ => return Err(err!(Usage: "that row isn't a proposal")),
        };
        let workbench = self.shared.workbench();
        if let Some(revision) = revision {
            return Ok(TalkProposal {
                text: revision_text(&workbench.store, &revision)?,
            });
        }
        // A row in an older format contains the text itself.
        let mut seen = 0;
        let mut text = None;
        workbench.store.session_entries().each(&id, |stored| {
            if stored.kind == "proposed"
                && let Entry::Proposed { card } = from_row(&id, &stored)?
            {
                seen += 1;
                if seen == number {
                    text = card.content;
                }
            }
            Ok::<(), Error>(())
        })?;
        text.map(|text| TalkProposal { text })
            .ok_or_else(|| err!(Usage: "the text of this proposal isn't stored"))
    }
}

/// Describes what an open permission request would allow now.
pub(super) fn permission(shared: &Shared, question: &Question) -> PermissionView {
    let request = question.permission.as_ref();
    let tier = || {
        let workbench = shared.workbench();
        let (settings, _) = workbench.settings_for(None);
        workbench.probe(&settings).tier().as_str().to_owned()
    };
    request.map_or_else(PermissionView::default, |request| {
        as_asked(request, true, tier)
    })
}

fn arguments(call: &Call) -> String {
    let texts = call.arguments.iter().map(|(key, value)| match value {
        // Multi-line text is more readable unquoted.
        Value::String(text) if text.contains('\n') => format!("{key}:\n{text}"),
        Value::String(text) => format!("{key}: {text}"),
        other => format!("{key}: {other}"),
    });
    let all = texts.collect::<Vec<_>>().join("\n");
    bounded(if all.is_empty() { "nothing" } else { &all }).0
}

/// Cuts out the middle of a text that is too long.
fn bounded(text: &str) -> (String, bool) {
    if text.len() <= MAX_BYTES {
        return (text.to_owned(), false);
    }
    let head = text.floor_char_boundary(MAX_BYTES / 2);
    let tail = text.ceil_char_boundary(text.len() - MAX_BYTES / 2);
    (format!("{}\n…\n{}", &text[..head], &text[tail..]), true)
}

/// Parses the unified diff that was stored for display.
fn diff_of(screen: Option<&Value>) -> Vec<DiffLine> {
    let text = screen.and_then(|screen| screen.get("diff")?.as_str());
    let mut lines = Vec::new();
    let (mut old, mut new) = (0_u32, 0_u32);
    for line in text.unwrap_or_default().lines() {
        if lines.len() >= MAX_LINES {
            break;
        }
        if line.starts_with("+++ ") || line.starts_with("--- ") {
            continue;
        }
        if let Some(hunk) = line.strip_prefix("@@ ") {
            (old, new) = starts(hunk).unwrap_or((0, 0));
            if !lines.is_empty() {
                lines.push(shown("gap", None, None, ""));
            }
            continue;
        }
        let Some(sign) = line.chars().next() else {
            continue;
        };
        let text = &line[sign.len_utf8()..];
        match sign {
            '+' => {
                lines.push(shown("added", None, Some(new), text));
                new += 1;
            }
            '-' => {
                lines.push(shown("removed", Some(old), None, text));
                old += 1;
            }
            ' ' => {
                lines.push(shown("same", Some(old), Some(new), text));
                old += 1;
                new += 1;
            }
            _ => {}
        }
    }
    lines
}

fn shown(kind: &str, old: Option<u32>, new: Option<u32>, text: &str) -> DiffLine {
    DiffLine {
        kind: kind.to_owned(),
        old,
        new,
        text: crate::document::cut(text, 500),
    }
}

/// The start lines of a hunk: `-1,3 +1,4 @@`.
fn starts(hunk: &str) -> Option<(u32, u32)> {
    let mut words = hunk.split(' ');
    let mut first = |sign: char| {
        let word = words.next()?.strip_prefix(sign)?;
        word.split(',').next()?.parse().ok()
    };
    Some((first('-')?, first('+')?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{bounded, diff_of};

    #[test]
    fn a_kept_diff_becomes_lines_with_their_numbers() {
        let screen = json!({"diff": "--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n same\n-old\n+new\n@@ -9 +9 @@\n+end\n"});
        let lines = diff_of(Some(&screen));
        let told: Vec<String> = lines
            .iter()
            .map(|line| format!("{} {:?} {:?} {}", line.kind, line.old, line.new, line.text))
            .collect();
        assert_eq!(
            told,
            [
                "same Some(3) Some(3) same",
                "removed Some(4) None old",
                "added None Some(4) new",
                "gap None None ",
                "added None Some(9) end",
            ]
        );
        assert!(diff_of(None).is_empty());
    }

    #[test]
    fn a_long_answer_loses_its_middle_and_says_so() {
        let (text, is_cut) = bounded(&"ä".repeat(100_000));
        assert!(is_cut && text.len() < 70_000 && text.contains("\n…\n"));
        assert_eq!(bounded("short"), ("short".to_owned(), false));
    }
}
