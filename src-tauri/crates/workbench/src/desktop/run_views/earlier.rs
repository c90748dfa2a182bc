//! Steps that an earlier run of the plan left unverified. The tick in the file does not say so, and a
//! later run must not hide it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::journal::Entry;
use agent::run::state::{Standing, State};

use crate::desktop::{Shared, lock};
use crate::error::Result;
use crate::journal_rows;

/// Earlier runs that are looked at, the newest.
const MOST_RUNS: usize = 20;

/// How the ended steps of a run ended: whether each was left unverified.
type Ends = Arc<BTreeMap<String, bool>>;

/// The same by run, with the time of the run's last change.
#[derive(Debug, Default)]
pub(crate) struct EarlierRuns(BTreeMap<String, (i64, Ends)>);

impl Shared {
    /// The steps that the runs before this one left unverified, and none of them verified since.
    pub(super) fn left_unverified(&self, run: &store::Run) -> Result<BTreeSet<String>> {
        let rows = self.workbench().store.runs().of_plan(&run.plan)?;
        let older = rows.into_iter().skip_while(|row| row.id != run.id).skip(1);
        let mut known: BTreeMap<String, bool> = BTreeMap::new();
        for row in older.take(MOST_RUNS) {
            for (task, is_unverified) in self.ends_of(&row)?.iter() {
                known.entry(task.clone()).or_insert(*is_unverified);
            }
        }
        let left = known
            .into_iter()
            .filter(|(_, is_unverified)| *is_unverified);
        Ok(left.map(|(task, _)| task).collect())
    }

    fn ends_of(&self, row: &store::Run) -> Result<Ends> {
        if let Some((at, ends)) = lock(&self.earlier).0.get(&row.id)
            && *at == row.updated_ms
        {
            return Ok(Arc::clone(ends));
        }
        let journal = journal_rows::read(&self.workbench().store, &row.id)?;
        let entries: Vec<Entry> = journal.into_iter().map(|(_, entry)| entry).collect();
        let tasks = State::replay(&entries).map(|state| state.tasks);
        let ended = tasks.into_iter().flatten();
        let ended = ended.filter(|(_, known)| known.standing == Standing::Done);
        let ends: Ends = Arc::new(
            ended
                .map(|(task, known)| (task, known.is_unverified()))
                .collect(),
        );
        let kept = (row.updated_ms, Arc::clone(&ends));
        lock(&self.earlier).0.insert(row.id.clone(), kept);
        Ok(ends)
    }
}
