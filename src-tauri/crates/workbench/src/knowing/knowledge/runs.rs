//! What one run says: how its steps ended and what they changed, what persons decided in it.
//!
//! Of a journal only the entries that say this are read, the newest, and none that is very long. What
//! the steps are called stands in the plan's content that the run wrote last.

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EndState, Entry};
use gate::answers::Answer;
use gate::question::QuestionKind;
use plan::{Plan, Task, TaskKind};
use planning::knowledge::{Ending, Relation, Source, Statement};
use store::{JournalEntry, Run, Store};

use crate::error::Result;
use crate::facts::named_paths;

/// The kinds of entries that are read.
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

/// Entries of one run that are read, the newest.
const MAX_ENTRIES: usize = 400;

/// The longest entry that is read, in bytes: the output of a check is bounded far below.
const MAX_ENTRY_LEN: usize = 64 << 10;

/// The largest plan that is read for the names of its steps, and all of them together, in bytes.
const LARGEST_PLAN: usize = 256 << 10;
const MAX_PLAN_BYTES: usize = 4 << 20;

/// Files that one statement may concern.
const MAX_ABOUT: usize = 20;

/// Files that a step changed of which is told one by one.
const MAX_CHANGED: usize = 40;

/// Questions about one plan that are read.
const MAX_QUESTIONS: usize = 20;

/// Reads the runs of one workspace.
pub(crate) struct Reader<'s> {
    pub store: &'s Store,
    /// The workspace, absolute.
    root: &'s str,
    plan_bytes: usize,
    is_cut: bool,
}

/// One step, as far as it has been read.
#[derive(Default)]
struct Step {
    ended: Option<(i64, Ending, String)>,
    /// The files that it changed and that stand.
    changed: Vec<String>,
    /// The files that were put back.
    undone: Vec<String>,
    /// The command that passed last.
    check: Option<String>,
    /// What its model asks a person.
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

    /// Whether a bound left something out.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What a run says.
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
        let telling = Telling {
            run,
            plan_path: relative(self.root, &run.plan),
            plan: plan.as_ref(),
        };
        Ok(telling.all(&entries))
    }

    /// What persons answered when they were asked about a plan.
    pub(super) fn answered_questions(&self, plan: &str) -> Result<Vec<Statement>> {
        let chosen = self.store.plan_questions().chosen(plan, MAX_QUESTIONS)?;
        let told = chosen.into_iter().filter_map(|asked| {
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
        Ok(told.collect())
    }

    /// A content of a plan, unless it is too large or none that can be read.
    fn plan(&mut self, revision: &str) -> Result<Option<Plan>> {
        if self.plan_bytes >= MAX_PLAN_BYTES {
            self.is_cut = true;
            return Ok(None);
        }
        let Some(bytes) = self.store.revisions().content(revision)? else {
            return Ok(None);
        };
        self.plan_bytes += bytes.len();
        if bytes.len() > LARGEST_PLAN {
            self.is_cut = true;
            return Ok(None);
        }
        let text = plan::source::decode(&bytes).ok();
        Ok(text.map(|text| plan::parse(text).0))
    }
}

/// An entry; `None` for one that this program cannot read.
fn read(row: &JournalEntry) -> Option<(i64, Entry)> {
    let entry = serde_json::from_str(&row.payload).ok()?;
    Some((row.at_ms, entry))
}

/// A path in a workspace, without the workspace's own.
pub(super) fn relative(root: &str, path: &str) -> String {
    let inside = path.strip_prefix(root);
    inside
        .map_or(path, |rest| rest.trim_start_matches('/'))
        .to_owned()
}

/// Puts what a run says into statements.
struct Telling<'r> {
    run: &'r Run,
    plan_path: String,
    plan: Option<&'r Plan>,
}

impl Telling<'_> {
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
                // With only some of its files put back it is still done.
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

    /// What a step is called; its id where that is not known.
    fn title(&self, id: &str) -> String {
        let task = self.task(id);
        task.map_or_else(|| id.to_owned(), |task| task.title.clone())
    }

    /// The files that a step names.
    fn named(&self, id: &str) -> Vec<String> {
        named_paths(self.task(id).into_iter()).into_iter().collect()
    }

    /// The files of the steps that wait for a decision; where none says so, those of the step below it.
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

/// An answer with the words written beside it.
fn with_note(label: &str, note: Option<&str>) -> String {
    match note.filter(|note| !note.trim().is_empty()) {
        Some(note) => format!("{label} ({note})"),
        None => label.to_owned(),
    }
}
