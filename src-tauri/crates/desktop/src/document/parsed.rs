//! A cache of parsed plans, so that rows, tasks, findings and edits of one revision need a single
//! parse.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime};

use adequacy::{Report, WorkspaceFacts};
use plan::graph::Graph;
use plan::{Plan, Problem, Revision, TaskId};
use tools::listing;

use crate::searching::SearchedTexts;
use crate::wire::PlanSummary;
use workbench::checking;
use workbench::plan_file::Content;

/// Maximum parsed revisions to keep: enough for the plans of a few windows, each with its previous
/// revision.
const KEPT: usize = 8;

/// Maximum total text of kept plans, in bytes. A parsed plan takes about ten times its text.
const KEPT_BYTES: usize = 24 << 20;

/// A parsed revision of a plan. Expensive parts are computed on first use.
#[derive(Debug)]
pub(crate) struct ParsedPlan {
    /// The plan's key.
    pub(crate) key: String,
    pub(crate) content: Content,
    pub(crate) plan: Plan,
    pub(crate) problems: Vec<Problem>,
    /// The facts about the workspace that it was scored with.
    pub(crate) facts: Arc<WorkspaceFacts>,
    /// The adequacy report.
    pub(crate) report: Report,
    graph: OnceLock<Graph>,
    fingerprints: OnceLock<BTreeMap<TaskId, String>>,
    findings: OnceLock<HashMap<TaskId, Vec<usize>>>,
    index: OnceLock<HashMap<TaskId, usize>>,
}

impl ParsedPlan {
    /// Parses and scores a plan's content.
    pub(crate) fn new(key: &str, content: Content, facts: Arc<WorkspaceFacts>) -> Self {
        let read = plan::parse(&content.text);
        Self::of(key, content, facts, read)
    }

    /// Same result as [`ParsedPlan::new`], but faster if the content differs little from one
    /// already parsed.
    pub(crate) fn after(
        key: &str,
        content: Content,
        facts: Arc<WorkspaceFacts>,
        known: &Self,
    ) -> Self {
        let text = &content.text;
        let read = plan::reparse(known.text(), &known.plan, &known.problems, text)
            .unwrap_or_else(|| plan::parse(text));
        Self::of(key, content, facts, read)
    }

    fn of(
        key: &str,
        content: Content,
        facts: Arc<WorkspaceFacts>,
        (plan, problems): (Plan, Vec<Problem>),
    ) -> Self {
        let report = checking::report(&plan, &problems, &facts);
        Self {
            key: key.to_owned(),
            content,
            plan,
            problems,
            facts,
            report,
            graph: OnceLock::new(),
            fingerprints: OnceLock::new(),
            findings: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// The plan's text.
    pub(crate) fn text(&self) -> &str {
        &self.content.text
    }

    /// The plan's revision.
    pub(crate) fn revision(&self) -> &Revision {
        &self.content.revision
    }

    /// The task graph.
    pub(crate) fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::of(&self.plan))
    }

    /// The fingerprint of each step, which is what an approval covers.
    pub(crate) fn fingerprints(&self) -> &BTreeMap<TaskId, String> {
        self.fingerprints
            .get_or_init(|| agent::run::fingerprints(self.text(), &self.plan))
    }

    /// Indices of a task's findings in the report, without muted ones.
    pub(crate) fn findings_of(&self, task: &TaskId) -> &[usize] {
        let all = self.findings.get_or_init(|| {
            let mut all: HashMap<TaskId, Vec<usize>> = HashMap::new();
            for (index, finding) in self.report.findings.iter().enumerate() {
                if let (Some(task), None) = (&finding.task, &finding.muted) {
                    all.entry(task.clone()).or_default().push(index);
                }
            }
            all
        });
        all.get(task).map_or(&[], Vec::as_slice)
    }

    /// Index of the first task with this id, by linear search. Use it for a single lookup.
    pub(crate) fn find(&self, task: &str) -> Option<usize> {
        let mut tasks = self.plan.tasks.iter();
        tasks.position(|one| one.id.as_str() == task)
    }

    /// Index of the first task with this id, from a table built on first use. Use it for many
    /// lookups.
    pub(crate) fn index_of(&self, task: &str) -> Option<usize> {
        let all = self.index.get_or_init(|| {
            let tasks = self.plan.tasks.iter().enumerate().rev();
            tasks.map(|(at, task)| (task.id.clone(), at)).collect()
        });
        all.get(&TaskId::from(task)).copied()
    }
}

/// File metadata when a plan was summarized, to detect changes without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) len: u64,
    pub(super) modified: Option<SystemTime>,
    /// Device, inode, and seconds and nanoseconds of the ctime.
    pub(super) id: (u64, u64, i64, i64),
}

/// The last edit of a plan in this process, so that further edits can join its undo step.
#[derive(Debug, Clone)]
pub(crate) struct LastEdit {
    /// The edited field.
    pub(crate) field: String,
    pub(crate) at: Instant,
    /// Its number on the undo stack.
    pub(crate) seq: i64,
    /// The revision it produced.
    pub(crate) after: String,
}

/// The files of a workspace, as last listed for the picker.
#[derive(Debug, Clone)]
pub(super) struct ListedFiles {
    pub(super) workspace: String,
    pub(super) at: Instant,
    pub(super) files: Arc<Vec<String>>,
}

/// Recently parsed plans, and other data that can be recomputed if it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Most recently used first.
    plans: VecDeque<Arc<ParsedPlan>>,
    pub(super) digests: HashMap<String, (Stamp, PlanSummary)>,
    pub(super) files: Option<ListedFiles>,
    /// Whether each Markdown file outside the known folders is a plan.
    pub(super) sniffed: HashMap<PathBuf, (listing::Stamp, bool)>,
    /// Plan texts from the last search.
    pub(crate) searched: SearchedTexts,
    pub(crate) last_edits: HashMap<String, LastEdit>,
    /// Plans for which leftovers of an earlier process were already cleaned up.
    pub(super) tidied: std::collections::HashSet<String>,
}

impl Parsed {
    /// Looks up a revision of a plan by its hash or a prefix of it.
    pub(super) fn get(&mut self, key: &str, revision: &str) -> Option<Arc<ParsedPlan>> {
        let at = self
            .plans
            .iter()
            .position(|parsed| parsed.key == key && parsed.revision().matches(revision))?;
        let found = self.plans.remove(at)?;
        self.plans.push_front(Arc::clone(&found));
        Some(found)
    }

    /// Whether any revision of a plan was used recently.
    pub(crate) fn has_of(&self, key: &str) -> bool {
        self.plans.iter().any(|parsed| parsed.key == key)
    }

    /// The keys of all cached plans.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.plans.iter().map(|parsed| parsed.key.clone()).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The most recently used revision of a plan.
    pub(crate) fn newest_of(&self, key: &str) -> Option<Arc<ParsedPlan>> {
        self.plans.iter().find(|parsed| parsed.key == key).cloned()
    }

    /// A cached revision of a plan that was scored with different facts.
    pub(crate) fn judged_otherwise(
        &self,
        key: &str,
        facts: &Arc<WorkspaceFacts>,
    ) -> Option<Arc<ParsedPlan>> {
        let mut of_plan = self.plans.iter().filter(|parsed| parsed.key == key);
        of_plan
            .find(|parsed| !Arc::ptr_eq(&parsed.facts, facts))
            .cloned()
    }

    /// Replaces one cached revision with another.
    pub(crate) fn replace(&mut self, old: &Arc<ParsedPlan>, new: &Arc<ParsedPlan>) {
        if let Some(place) = self
            .plans
            .iter_mut()
            .find(|parsed| Arc::ptr_eq(parsed, old))
        {
            *place = Arc::clone(new);
        }
    }

    /// Drops a plan's summary, so that it is recomputed; `false` if there was none.
    pub(crate) fn forget_digest(&mut self, key: &str) -> bool {
        self.digests.remove(key).is_some()
    }

    /// Caches a plan and returns the evicted ones, to be freed after the lock is released.
    #[must_use]
    pub(super) fn keep(&mut self, parsed: &Arc<ParsedPlan>) -> LetGo {
        if let Some(known) = self.get(&parsed.key, parsed.revision().as_str()) {
            self.replace(&known, parsed);
            return LetGo::default();
        }
        self.plans.push_front(Arc::clone(parsed));
        let mut bytes = 0;
        let fits = |parsed: &Arc<ParsedPlan>| {
            bytes += parsed.text().len();
            bytes <= KEPT_BYTES
        };
        let fitting = self
            .plans
            .iter()
            .take(KEPT)
            .map(fits)
            .take_while(|fits| *fits);
        let kept = fitting.count().max(1);
        LetGo(self.plans.split_off(kept))
    }
}

/// Minimum text size, in bytes, at which plans are freed on a separate thread, since freeing a
/// large one takes milliseconds.
const LARGE: usize = 256 << 10;

/// Evicted plans.
#[derive(Debug, Default)]
pub(super) struct LetGo(VecDeque<Arc<ParsedPlan>>);

impl LetGo {
    /// Frees the plans without holding up the caller if they are large.
    pub(super) fn free(self) {
        let Self(plans) = self;
        let bytes: usize = plans.iter().map(|parsed| parsed.text().len()).sum();
        if bytes >= LARGE {
            let thread = std::thread::Builder::new().name("old plans".to_owned());
            // If no thread can be started, they are freed here.
            let _ = thread.spawn(move || drop(plans));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(key: &str, text: &str) -> Arc<ParsedPlan> {
        let content = Content::of(text.to_owned());
        Arc::new(ParsedPlan::new(key, content, Arc::default()))
    }

    #[test]
    fn the_ones_asked_for_last_are_kept() {
        let mut all = Parsed::default();
        let plans: Vec<_> = (0..KEPT + 1)
            .map(|at| parsed("/p.md", &format!("- [ ] step {at}\n")))
            .collect();
        for plan in &plans[..KEPT] {
            all.keep(plan).free();
        }
        let first = plans[0].revision();
        assert!(all.get("/p.md", first.short()).is_some());
        assert!(all.get("/other.md", first.as_str()).is_none());
        all.keep(&plans[KEPT]).free();
        assert!(all.get("/p.md", first.as_str()).is_some());
        assert!(all.get("/p.md", plans[1].revision().as_str()).is_none());
    }

    #[test]
    fn a_plan_read_from_the_one_before_is_the_same() {
        let before =
            "# A plan\n\n- [ ] **T1** One\n- [ ] **T2** Two\n  - depends: T9\n- [ ] **T3** Three\n";
        let known = parsed("/p.md", before);
        for after in [
            before.replace("Two", "Second"),
            before.replace("T9", "T1"),
            before.replace("A plan", "Another plan"),
        ] {
            let new = parsed("/p.md", &after);
            let found = ParsedPlan::after("/p.md", new.content.clone(), Arc::default(), &known);
            assert_eq!((&found.plan, &found.problems), (&new.plan, &new.problems));
            assert_eq!(found.revision(), new.revision());
            assert_eq!(format!("{:?}", found.report), format!("{:?}", new.report));
        }
    }

    #[test]
    fn large_plans_do_not_fill_the_memory() {
        let mut all = Parsed::default();
        let large = |name: &str| parsed(name, &"x\n".repeat(KEPT_BYTES / 3));
        for name in ["/a.md", "/b.md"] {
            all.keep(&large(name)).free();
        }
        assert_eq!(all.plans.len(), 1);
        assert_eq!(all.plans[0].key, "/b.md");
    }
}
