//! Table `finding_actions`: what users did about findings. Append-only.

use rusqlite::{Connection, params};

use crate::StoreError;

/// What a user can do about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingAction {
    /// Its fix was applied.
    Fixed,
    /// It was muted, with a reason.
    Muted,
    /// It was unmuted.
    Unmuted,
    /// The plan was approved despite it, with a reason.
    Overridden,
}

impl FindingAction {
    /// The name used in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Muted => "muted",
            Self::Unmuted => "unmuted",
            Self::Overridden => "overridden",
        }
    }
}

/// An action to add.
#[derive(Clone, Copy, Debug)]
pub struct NewFindingAction<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the content with the finding.
    pub revision: &'a str,
    /// The finding's id.
    pub finding: &'a str,
    /// The finding's code.
    pub code: &'a str,
    /// The id of the step that the finding is about, if any.
    pub task: Option<&'a str>,
    /// What the user did.
    pub action: FindingAction,
    /// The reason in the user's words, if there is one.
    pub reason: Option<&'a str>,
    /// Time of the action, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// How often each action was taken on findings with a given code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionCounts {
    /// The findings' code.
    pub code: String,
    /// How often a fix was applied.
    pub fixed: u32,
    /// How often a finding was muted, even if it was unmuted later.
    pub muted: u32,
    /// How often a plan was approved despite such a finding.
    pub overridden: u32,
}

/// Access to the actions.
pub struct FindingActions<'s> {
    pub(crate) conn: &'s Connection,
}

impl FindingActions<'_> {
    /// Records an action.
    pub fn add(&self, new: &NewFindingAction<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO finding_actions
                     (plan, revision, finding, code, task, action, reason, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                new.plan,
                new.revision,
                new.finding,
                new.code,
                new.task,
                new.action.as_str(),
                new.reason,
                new.at_ms
            ])?;
        Ok(())
    }

    /// Counts by code, for one plan, the plans below a folder, or all plans.
    pub fn counts(&self, within: Option<&str>) -> Result<Vec<ActionCounts>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT code, sum(action = 'fixed'), sum(action = 'muted'), sum(action = 'overridden')
             FROM finding_actions
             WHERE ?1 IS NULL OR plan = ?1 OR substr(plan, 1, length(?1) + 1) = ?1 || '/'
             GROUP BY code ORDER BY code",
        )?;
        let counts = statement.query_map([within], |row| {
            Ok(ActionCounts {
                code: row.get(0)?,
                fixed: row.get(1)?,
                muted: row.get(2)?,
                overridden: row.get(3)?,
            })
        })?;
        Ok(counts.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn what_was_done_is_counted_by_code() {
        let (_folder, store) = fresh();
        let actions = store.finding_actions();
        let add = |code, action| {
            let new = NewFindingAction {
                plan: PLAN,
                revision: "a",
                finding: "f",
                code,
                task: None,
                action,
                reason: None,
                at_ms: 1,
            };
            actions.add(&new).unwrap();
        };
        add("vague_short", FindingAction::Fixed);
        add("vague_short", FindingAction::Fixed);
        add("vague_short", FindingAction::Muted);
        add("vague_short", FindingAction::Unmuted);
        add("no_way_back", FindingAction::Overridden);
        let counts = |code: &str, fixed, muted, overridden| ActionCounts {
            code: code.to_owned(),
            fixed,
            muted,
            overridden,
        };
        let all = [
            counts("no_way_back", 0, 0, 1),
            counts("vague_short", 2, 1, 0),
        ];
        assert_eq!(actions.counts(None).unwrap(), all);
        assert_eq!(actions.counts(Some("/w")).unwrap(), all);
        assert!(actions.counts(Some("/other")).unwrap().is_empty());
    }
}
