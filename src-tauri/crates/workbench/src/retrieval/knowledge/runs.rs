//! Statements from one run: how its steps ended, what they changed, and what people decided.
//!
//! Only the relevant journal entries are read, newest first, skipping very long ones. The titles of
//! steps come from the plan's last content written by the run.

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EndState, Entry};
use gate::answers::Answer;
use gate::question::QuestionKind;
use plan::{Plan, Task, TaskKind};
use planning::knowledge::{Ending, Relation, Source, Statement};
use store::{JournalEntry, Run, Store};

use crate::error::Result;
use crate::facts::named_paths;

/// The kinds of journal entries that are read.
const KINDS: [&str; 9] = [
    "asked",
    "answered",
    "checked",
    "decided",
    "done",
    "failed",
    "refused",
    "undone",
    "plan_edited",
];

/// Maximum number of entries of a run that are read, newest first.
const MAX_ENTRIES: usize = 400;

/// The length limit of an entry, in bytes; the output of a check is much shorter.
const MAX_ENTRY_LEN: usize = 64 << 10;

/// The size limit of a plan read for its steps' titles, and of all of them together, in bytes.
const MAX_PLAN_LEN: usize = 256 << 10;
const MAX_PLAN_BYTES: usize = 4 << 20;

/// Maximum number of files that a statement is about.
const MAX_ABOUT: usize = 20;

/// Maximum number of changed files of a step that get a statement.
const MAX_CHANGED: usize = 40;

/// Maximum number of answered questions read per plan.
const MAX_QUESTIONS: usize = 20;

/// Reads the runs of one workspace.
pub(crate) struct Reader<'s> {
    pub store: &'s Store,
    /// The absolute path of the workspace.
    root: &'s str,
    plan_bytes: usize,
    is_cut: bool,
}

/// What has been read about a step so far.
#[derive(Default)]
struct Step {
    ended: Option<(i64, Ending, String)>,
    /// The files it changed, except those whose changes were undone.
    changed: Vec<String>,
    /// The files whose changes were undone.
    undone: Vec<String>,
    /// The command of the latest check, if it passed.
    check: Option<String>,
    /// The unanswered question that the step's model asked.
    asked: Option<String>,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(store: &'s Store, root: &'s str) -> Self {
        Self {
            store,
            root,
            plan_bytes: 0,
            is_cut: false,
        }
    }

    /// Whether a limit left out anything.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The statements of a run.
    pub(super) fn run(&mut self, run: &Run) -> Result<Vec<Statement>> {
        let journal = self.store.journal();
        let mut rows = journal.of_kinds(&run.id, &KINDS, MAX_ENTRIES + 1, MAX_ENTRY_LEN)?;
        if rows.len() > MAX_ENTRIES {
            self.is_cut = true;
            rows.remove(0);
        }
        let entries: Vec<(i64, Entry)> = rows.iter().filter_map(read).collect();
        let edited = entries.iter().rev().find_map(|(_, entry)| match entry {
            Entry::PlanEdited { revision, .. } => Some(revision.as_str()),
            _ => None,
        });
        let plan = match edited {
            Some(revision) => self.plan(revision)?,
            None => None,
        };
        let plan = match plan {
            Some(plan) => Some(plan),
            None => self.plan(&run.revision)?,
        };
        let telling = Statements {
            run,
            plan_path: relative(self.root, &run.plan),
            plan: plan.as_ref(),
        };
        Ok(telling.all(&entries))
    }

    /// The answers that people gave to questions about a plan.
    pub(super) fn answered_questions(&self, plan: &str) -> Result<Vec<Statement>> {
        let chosen = self.store.plan_questions().chosen(plan, MAX_QUESTIONS)?;
        let statements = chosen.into_iter().filter_map(|asked| {
            let body: serde_json::Value = serde_json::from_str(&asked.body).ok()?;
            let choice = usize::try_from(asked.choice?).ok()?;
            Some(Statement {
                subject: body["question"].as_str()?.to_owned(),
                relation: Relation::Decided,
                object: body["options"].get(choice)?["label"].as_str()?.to_owned(),
                about: Vec::new(),
                source: Source::Run {
                    run: plan.to_owned(),
                    plan: relative(self.root, plan),
                    task: None,
                    at_ms: asked.settled_ms?,
                },
                is_stale: false,
            })
        });
        Ok(statements.collect())
    }

    /// Parses a plan's revision; `None` if it is too large or unreadable.
    fn plan(&mut self, revision: &str) -> Result<Option<Plan>> {
        if self.plan_bytes >= MAX_PLAN_BYTES {
            self.is_cut = true;
            return Ok(None);
        }
        let Some(bytes) = self.store.revisions().content(revision)? else {
            return Ok(None);
        };
        self.plan_bytes += bytes.len();
        if bytes.len() > MAX_PLAN_LEN {
            self.is_cut = true;
            return Ok(None);
        }
        let text = plan::source::decode(&bytes).ok();
        Ok(text.map(|text| plan::parse(text).0))
    }
}

/// Parses an entry; `None` if this version can't.
fn read(row: &JournalEntry) -> Option<(i64, Entry)> {
    let entry = serde_json::from_str(&row.payload).ok()?;
    Some((row.at_ms, entry))
}

/// Makes a path relative to the workspace; a path outside stays as it is.
pub(super) fn relative(root: &str, path: &str) -> String {
    let inside = path.strip_prefix(root);
    inside
        .map_or(path, |rest| rest.trim_start_matches('/'))
        .to_owned()
}

/// Turns a run's entries into statements.
struct Statements<'r> {
    run: &'r Run,
    plan_path: String,
    plan: Option<&'r Plan>,
}

impl Statements<'_> {
    fn all(&self, entries: &[(i64, Entry)]) -> Vec<Statement> {
        let mut steps: BTreeMap<&str, Step> = BTreeMap::new();
        let mut all: Vec<Statement> = Vec::new();
        for (at_ms, entry) in entries {
            self.take(*at_ms, entry, &mut steps, &mut all);
        }
        let mut changed: BTreeSet<String> = BTreeSet::new();
        for (id, step) in steps {
            let Some((at_ms, ending, object)) = step.ended else {
                continue;
            };
            let title = self.title(id);
            for path in step.changed.iter().take(MAX_CHANGED) {
                all.push(self.said((id, at_ms), &title, Relation::Changed, path, Vec::new()));
            }
            let about = match (ending, step.changed.is_empty()) {
                (Ending::Undone, _) => step.undone.clone(),
                (_, true) => self.named(id),
                (_, false) => step.changed.clone(),
            };
            let ended = Relation::Ended(ending);
            all.push(self.said((id, at_ms), &title, ended, &object, about));
            changed.extend(step.changed);
        }
        let ending = match self.run.state.as_str() {
            state if state == EndState::Done.as_str() => Some(Ending::PlanDone),
            state if state == EndState::Stopped.as_str() => Some(Ending::PlanStopped),
            _ => None,
        };
        if let Some(ending) = ending {
            let about = changed.into_iter().collect();
            let at = ("", self.run.updated_ms);
            all.push(self.said(at, &self.run.title, Relation::Ended(ending), "", about));
        }
        all
    }

    fn take<'e>(
        &self,
        at_ms: i64,
        entry: &'e Entry,
        steps: &mut BTreeMap<&'e str, Step>,
        all: &mut Vec<Statement>,
    ) {
        match entry {
            Entry::Asked { question } if question.question == QuestionKind::Question => {
                steps.entry(&question.task).or_default().asked = Some(question.message.clone());
            }
            Entry::Answered {
                task,
                question: QuestionKind::Question,
                answer: Answer::Choice { label, note },
                ..
            } => {
                if let Some(asked) = steps.entry(task).or_default().asked.take() {
                    let answer = with_note(label, note.as_deref());
                    let about = self.named(task);
                    all.push(self.said((task, at_ms), &asked, Relation::Decided, &answer, about));
                }
            }
            Entry::Checked { task, outcome, .. } => {
                let passed = outcome.command.clone().filter(|_| outcome.ok);
                steps.entry(task).or_default().check = passed;
            }
            Entry::Decided { task, label } => {
                let title = self.title(task);
                let about = self.hangs_on(task);
                all.push(self.said((task, at_ms), &title, Relation::Decided, label, about));
            }
            Entry::Done {
                task,
                changes,
                signed,
                ..
            } => {
                let step = steps.entry(task).or_default();
                step.changed.clone_from(&changes.files);
                let how = match (&step.check, signed) {
                    (Some(check), _) => format!("`{check}`"),
                    (None, Some(_)) => "a person".to_owned(),
                    (None, None) => String::new(),
                };
                step.ended = Some((at_ms, Ending::Done, how));
            }
            Entry::Failed { task, reason }
            | Entry::Broken { task, reason, .. }
            | Entry::Refused { task, reason, .. } => {
                let step = steps.entry(task).or_default();
                step.ended = Some((at_ms, Ending::Failed, reason.clone()));
            }
            Entry::Undone { task, files } => {
                let step = steps.entry(task).or_default();
                step.changed.retain(|path| !files.contains(path));
                step.undone.extend_from_slice(files);
                // If only the changes to some of its files were undone, the step is still done.
                if step.changed.is_empty() {
                    step.ended = Some((at_ms, Ending::Undone, String::new()));
                }
            }
            _ => {}
        }
    }

    fn said(
        &self,
        (task, at_ms): (&str, i64),
        subject: &str,
        relation: Relation,
        object: &str,
        mut about: Vec<String>,
    ) -> Statement {
        about.truncate(MAX_ABOUT);
        Statement {
            subject: subject.to_owned(),
            relation,
            object: object.to_owned(),
            about,
            source: Source::Run {
                run: self.run.id.clone(),
                plan: self.plan_path.clone(),
                task: Some(task.to_owned()).filter(|task| !task.is_empty()),
                at_ms,
            },
            is_stale: false,
        }
    }

    fn task(&self, id: &str) -> Option<&Task> {
        let tasks = self.plan?.tasks.iter();
        tasks.clone().find(|task| task.id.as_str() == id)
    }

    /// A step's title, or its ID if the title is unknown.
    fn title(&self, id: &str) -> String {
        let task = self.task(id);
        task.map_or_else(|| id.to_owned(), |task| task.title.clone())
    }

    /// The files that a step names.
    fn named(&self, id: &str) -> Vec<String> {
        named_paths(self.task(id).into_iter()).into_iter().collect()
    }

    /// The files that a decision is about: its own, and those of the steps that depend on it or, if
    /// none does, of the next step in the plan.
    fn hangs_on(&self, id: &str) -> Vec<String> {
        let tasks = self.plan.map_or(&[][..], |plan| &plan.tasks);
        let waits = |task: &&Task| {
            let depends = task.depends.iter().flatten();
            depends.map(plan::TaskId::as_str).any(|on| on == id)
        };
        let mut waiting: Vec<&Task> = tasks.iter().filter(waits).collect();
        if waiting.is_empty() {
            let below = tasks
                .iter()
                .skip_while(|task| task.id.as_str() != id)
                .skip(1);
            waiting.extend(below.take(1).filter(|task| task.kind != TaskKind::Decision));
        }
        let tasks = self.task(id).into_iter().chain(waiting);
        named_paths(tasks).into_iter().collect()
    }
}

/// An answer with its note.
fn with_note(label: &str, note: Option<&str>) -> String {
    match note.filter(|note| !note.trim().is_empty()) {
        Some(note) => format!("{label} ({note})"),
        None => label.to_owned(),
    }
}
