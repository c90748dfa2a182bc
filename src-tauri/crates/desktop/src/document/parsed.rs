//! Plans as last parsed, so that rows, tasks, findings and edits of one revision cost one parse.

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

/// How many revisions are kept parsed: the plans of a few windows, each with the one before.
const KEPT: usize = 8;

/// Bytes of text beyond which fewer are kept; a parsed plan takes some ten times its text.
const KEPT_BYTES: usize = 24 << 20;

/// One revision of a plan, read. What takes long and is not always needed is made when it is.
#[derive(Debug)]
pub(crate) struct ParsedPlan {
    /// The plan's key.
    pub(crate) key: String,
    pub(crate) content: Content,
    pub(crate) plan: Plan,
    pub(crate) problems: Vec<Problem>,
    /// What was known of the workspace when it was judged.
    pub(crate) facts: Arc<WorkspaceFacts>,
    /// How it was judged.
    pub(crate) report: Report,
    graph: OnceLock<Graph>,
    fingerprints: OnceLock<BTreeMap<TaskId, String>>,
    findings: OnceLock<HashMap<TaskId, Vec<usize>>>,
    index: OnceLock<HashMap<TaskId, usize>>,
}

impl ParsedPlan {
    /// Reads a content and judges it.
    pub(crate) fn new(key: &str, content: Content, facts: Arc<WorkspaceFacts>) -> Self {
        let read = plan::parse(&content.text);
        Self::of(key, content, facts, read)
    }

    /// As [`ParsedPlan::new`], and the same comes of it; sooner where little differs from a content that
    /// was read before.
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

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.content.text
    }

    /// The revision.
    pub(crate) fn revision(&self) -> &Revision {
        &self.content.revision
    }

    /// The order of its tasks.
    pub(crate) fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::of(&self.plan))
    }

    /// What an approval of each step covers.
    pub(crate) fn fingerprints(&self) -> &BTreeMap<TaskId, String> {
        self.fingerprints
            .get_or_init(|| agent::run::fingerprints(self.text(), &self.plan))
    }

    /// The indices of a task's findings in the report, without those that are muted.
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

    /// The index of the first task with this id, for who asks for one task.
    pub(crate) fn find(&self, task: &str) -> Option<usize> {
        let mut tasks = self.plan.tasks.iter();
        tasks.position(|one| one.id.as_str() == task)
    }

    /// The index of the first task with this id, for who asks for many: a table of all is made.
    pub(crate) fn index_of(&self, task: &str) -> Option<usize> {
        let all = self.index.get_or_init(|| {
            let tasks = self.plan.tasks.iter().enumerate().rev();
            tasks.map(|(at, task)| (task.id.clone(), at)).collect()
        });
        all.get(&TaskId::from(task)).copied()
    }
}

/// How a file looked from outside when it was summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) len: u64,
    pub(super) modified: Option<SystemTime>,
    /// Device, inode and the time of its last change of any kind.
    pub(super) id: (u64, u64, i64, i64),
}

/// The last edit of a plan in this process, for edits that go on with it.
#[derive(Debug, Clone)]
pub(crate) struct LastEdit {
    /// Which field.
    pub(crate) field: String,
    pub(crate) at: Instant,
    /// Its number in the undo stack.
    pub(crate) seq: i64,
    /// The revision after it.
    pub(crate) after: String,
}

/// The files of a workspace as last listed for the picker.
#[derive(Debug, Clone)]
pub(super) struct ListedFiles {
    pub(super) workspace: String,
    pub(super) at: Instant,
    pub(super) files: Arc<Vec<String>>,
}

/// Plans as last parsed, the newest few; and other things that are read again when they are lost.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// The one asked for last comes first.
    plans: VecDeque<Arc<ParsedPlan>>,
    pub(super) digests: HashMap<String, (Stamp, PlanSummary)>,
    pub(super) files: Option<ListedFiles>,
    /// Whether Markdown files outside of known places are plans.
    pub(super) sniffed: HashMap<PathBuf, (listing::Stamp, bool)>,
    /// The texts of plans as last searched.
    pub(crate) searched: SearchedTexts,
    pub(crate) last_edits: HashMap<String, LastEdit>,
    /// Plans that were tidied up after an earlier process.
    pub(super) tidied: std::collections::HashSet<String>,
}

impl Parsed {
    /// A revision of a plan, by its hash or the beginning of it.
    pub(super) fn get(&mut self, key: &str, revision: &str) -> Option<Arc<ParsedPlan>> {
        let at = self
            .plans
            .iter()
            .position(|parsed| parsed.key == key && parsed.revision().matches(revision))?;
        let found = self.plans.remove(at)?;
        self.plans.push_front(Arc::clone(&found));
        Some(found)
    }

    /// Whether some revision of a plan was asked for lately.
    pub(crate) fn has_of(&self, key: &str) -> bool {
        self.plans.iter().any(|parsed| parsed.key == key)
    }

    /// The keys of the plans that are kept.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.plans.iter().map(|parsed| parsed.key.clone()).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The revision of a plan that was asked for last.
    pub(crate) fn newest_of(&self, key: &str) -> Option<Arc<ParsedPlan>> {
        self.plans.iter().find(|parsed| parsed.key == key).cloned()
    }

    /// A revision of a plan that was judged with other facts than these.
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

    /// Puts one in the place of another.
    pub(crate) fn replace(&mut self, old: &Arc<ParsedPlan>, new: &Arc<ParsedPlan>) {
        if let Some(place) = self
            .plans
            .iter_mut()
            .find(|parsed| Arc::ptr_eq(parsed, old))
        {
            *place = Arc::clone(new);
        }
    }

    /// Has a plan of the list summed up again; `false` if it was not listed.
    pub(crate) fn forget_digest(&mut self, key: &str) -> bool {
        self.digests.remove(key).is_some()
    }

    /// Keeps a plan. What is kept no longer for it is given back, to be freed behind the lock.
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

/// Bytes of text from which on a plan is let go of on a thread of its own: it takes milliseconds to free
/// all that a large one is made of.
const LARGE: usize = 256 << 10;

/// Plans that are kept no longer.
#[derive(Debug, Default)]
pub(super) struct LetGo(VecDeque<Arc<ParsedPlan>>);

impl LetGo {
    /// Frees them. Large ones do not hold the caller up.
    pub(super) fn free(self) {
        let Self(plans) = self;
        let bytes: usize = plans.iter().map(|parsed| parsed.text().len()).sum();
        if bytes >= LARGE {
            let thread = std::thread::Builder::new().name("old plans".to_owned());
            // Where no thread can be started, they are freed here.
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
