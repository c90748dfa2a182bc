//! Plans as last parsed, so that rows, tasks, findings and edits of one revision cost one parse.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime};

use adequacy::{Report, WorkspaceFacts};
use plan::graph::Graph;
use plan::{Plan, Problem, Revision, TaskId};
use tools::listing;

use super::summaries::Digest;
use crate::checking;
use crate::desktop::searching::SearchedTexts;
use crate::plan_file::Content;

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
    /// With the same facts as `planwright check` has.
    pub(crate) report: Report,
    graph: OnceLock<Graph>,
    fingerprints: OnceLock<BTreeMap<TaskId, String>>,
    findings: OnceLock<HashMap<TaskId, Vec<usize>>>,
    index: OnceLock<HashMap<TaskId, usize>>,
}

impl ParsedPlan {
    pub(crate) fn new(key: &str, content: Content) -> Self {
        let (plan, problems) = plan::parse(&content.text);
        let report = checking::report(&plan, &problems, &WorkspaceFacts::default());
        Self {
            key: key.to_owned(),
            content,
            plan,
            problems,
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

    /// The indices of a task's findings in the report.
    pub(crate) fn findings_of(&self, task: &TaskId) -> &[usize] {
        let all = self.findings.get_or_init(|| {
            let mut all: HashMap<TaskId, Vec<usize>> = HashMap::new();
            for (index, finding) in self.report.findings.iter().enumerate() {
                if let Some(task) = &finding.task {
                    all.entry(task.clone()).or_default().push(index);
                }
            }
            all
        });
        all.get(task).map_or(&[], Vec::as_slice)
    }

    /// The index of the first task with this id.
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
    pub(super) digests: HashMap<String, (Stamp, Digest)>,
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

    pub(super) fn keep(&mut self, parsed: &Arc<ParsedPlan>) {
        if self.get(&parsed.key, parsed.revision().as_str()).is_some() {
            return;
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
        self.plans.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(key: &str, text: &str) -> Arc<ParsedPlan> {
        let content = Content {
            text: text.to_owned(),
            revision: Revision::of(text.as_bytes()),
        };
        Arc::new(ParsedPlan::new(key, content))
    }

    #[test]
    fn the_ones_asked_for_last_are_kept() {
        let mut all = Parsed::default();
        let plans: Vec<_> = (0..KEPT + 1)
            .map(|at| parsed("/p.md", &format!("- [ ] step {at}\n")))
            .collect();
        for plan in &plans[..KEPT] {
            all.keep(plan);
        }
        let first = plans[0].revision();
        assert!(all.get("/p.md", first.short()).is_some());
        assert!(all.get("/other.md", first.as_str()).is_none());
        all.keep(&plans[KEPT]);
        assert!(all.get("/p.md", first.as_str()).is_some());
        assert!(all.get("/p.md", plans[1].revision().as_str()).is_none());
    }

    #[test]
    fn large_plans_do_not_fill_the_memory() {
        let mut all = Parsed::default();
        let large = |name: &str| parsed(name, &"x\n".repeat(KEPT_BYTES / 3));
        for name in ["/a.md", "/b.md"] {
            all.keep(&large(name));
        }
        assert_eq!(all.plans.len(), 1);
        assert_eq!(all.plans[0].key, "/b.md");
    }
}
