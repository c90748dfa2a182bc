//! Restoring an earlier revision as a new one.

use store::Author;
use time::OffsetDateTime;

use crate::document::ParsedPlan;
use crate::editing::Next;
use crate::wire::EditOutcome;
use crate::{Desktop, Shared};
use workbench::error::Result;
use workbench::plan_file::Writer;

impl Desktop {
    /// Restores the exact content of a revision as the person's change. If the file differs from
    /// what the person saw, nothing is written and the outcome is a conflict. A missing file is
    /// recreated if nothing was recorded since `seen`.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for an unknown revision; otherwise same as [`Desktop::edit`].
    pub fn restore(&self, plan: &str, seen: &str, revision: &str) -> Result<EditOutcome> {
        let shared: &Shared = &self.shared;
        let wanted = shared.parsed_at(plan, revision)?;
        let (label, is_there) = {
            let workbench = shared.workbench();
            let located = shared.locate(&workbench, plan)?;
            let revisions = workbench.store.revisions();
            let held = revisions.last_with(&located.file.key(), wanted.revision().as_str())?;
            let when = held.map(|event| written_at(event.at_ms));
            let label = match when {
                Some(when) => format!("Restored the revision from {when}"),
                None => format!("Restored revision {}", wanted.revision().short()),
            };
            (label, located.file.path.exists())
        };
        if !is_there {
            return shared.put_back(plan, seen, &wanted, &label);
        }
        shared.write_step(plan, &label, |now| {
            Ok(Next::in_place_of(seen, now, &label, wanted.text()))
        })
    }
}

impl Shared {
    /// Writes a revision of a plan whose file is missing.
    fn put_back(
        &self,
        plan: &str,
        seen: &str,
        wanted: &ParsedPlan,
        label: &str,
    ) -> Result<EditOutcome> {
        let key = {
            let workbench = self.workbench();
            let located = self.locate(&workbench, plan)?;
            let key = located.file.key();
            let latest = workbench.store.revisions().latest(&key)?;
            let latest =
                latest.ok_or_else(|| err!(Usage: "no history of {plan}; check the path"))?;
            if !latest.hash.starts_with(&seen.to_ascii_lowercase()) {
                return Ok(EditOutcome::Conflict {
                    revision: latest.hash,
                    mine: label.to_owned(),
                    theirs: "The plan had newer content before its file was deleted.".to_owned(),
                });
            }
            let workspace = workbench.open_workspace(&located.root)?;
            let writer = Writer::person(&workbench, &workspace, &located.file, label);
            if !writer.create(&wanted.content, Some(latest.hash.as_str()))? {
                return Err(err!(Usage:
                    "{} exists again, so nothing was written. Open it, then restore", located.file.relative));
            }
            if latest.hash != wanted.revision().as_str() {
                writer.remember(&latest.hash, wanted.revision())?;
            }
            key
        };
        let revision = wanted.revision().as_str().to_owned();
        self.announce(&key, Some(revision.clone()), Author::Person);
        Ok(EditOutcome::Written {
            revision,
            task: None,
            merged: false,
        })
    }
}

/// A time as shown in the history: `2026-11-20 14:03 UTC`.
fn written_at(at_ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1_000));
    let at = at.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, hour, minute) = (at.date(), at.hour(), at.minute());
    format!("{date} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::written_at;

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!(written_at(1_795_293_900_000), "2026-11-21 20:45 UTC");
        assert_eq!(written_at(0), "1970-01-01 00:00 UTC");
        assert_eq!(written_at(i64::MAX), "1970-01-01 00:00 UTC");
    }
}
