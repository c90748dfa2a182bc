//! The evaluation's scenarios: tiny Git projects with a plan, as data.
//!
//! A [`Scenario`] contains the files, the plan's steps, the correct actions for each step, facts
//! planted for the model to find, and checks of the result. The checks are outside the workspace
//! and only the scorer runs them; a client gets the files and the plan, nothing else. Half of the
//! scenarios are held out: they are measured, but developers of the harness don't look at them.
//!
//! Commands use `sh` and `python3`, since an evaluation runs thousands of them. This module is
//! independent of clients, model servers and Planwright.

mod build;
mod ladder;
mod long;
mod short;
mod three;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use crate::Project;

/// The path of the plan in a project.
pub const PLAN: &str = "plans/plan.md";

/// A correct action of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A read-only call. Needed until `shows` appears somewhere in the messages.
    Look {
        /// The name of the tool.
        tool: &'static str,
        /// The arguments of the call.
        arguments: Value,
        /// Text that its result contains.
        shows: String,
    },
    /// A replacement in a file.
    Edit {
        /// The path of the file.
        path: String,
        /// The text to replace.
        old: String,
        /// The replacement.
        new: String,
    },
    /// Writes a whole file.
    Write {
        /// The path of the file.
        path: String,
        /// The new content of the file.
        content: String,
    },
    /// Deletes a file.
    Delete {
        /// The path of the file.
        path: String,
    },
    /// A command whose output is needed.
    Run {
        /// The command line.
        command: String,
        /// Text that its output contains on success.
        shows: String,
    },
    /// A question to the person.
    Ask {
        /// The text of the question.
        question: String,
        /// The possible answers.
        options: Vec<String>,
    },
}

/// A fact that a step has to find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// The exact token that a record of the fact must contain.
    pub token: String,
    /// The sentence in which a model states the fact.
    pub text: String,
}

/// A model's behavior in a step that cannot succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hopeless {
    /// It reports that the step cannot be done.
    Honest,
    /// It keeps claiming that the step is done.
    Stubborn,
}

/// A step of the plan and its correct solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The step's id in the plan.
    pub id: String,
    /// What to do; the step's title in the plan.
    pub what: String,
    /// Why the step is needed, as the plan explains it.
    pub why: String,
    /// The paths that the plan lists for the step.
    pub files: Vec<String>,
    /// The correct actions, in order.
    pub acts: Vec<Act>,
    /// The fact that the step has to find, if any.
    pub fact: Option<Planted>,
    /// The token of an earlier step's fact, if the step needs it.
    pub needs: Option<String>,
    /// The command that checks the step, if any.
    pub verify: Option<String>,
    /// What a model does if the step can't succeed; `None` if it can.
    pub hopeless: Option<Hopeless>,
    /// Additional lines for the plan: `type: decision`, `option: …`, `depends: …`.
    pub lines: Vec<String>,
}

/// A check by the scorer at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The file contains this text.
    Has(String, String),
    /// The file does not contain this text.
    Lacks(String, String),
    /// The file does not exist.
    Gone(String),
    /// The file has exactly these bytes.
    Is(String, Vec<u8>),
    /// A Python script, run in the project folder, succeeds.
    Python(String),
    /// The client recorded this token.
    Kept(String),
}

/// A disturbance that doesn't come from the model's replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Error responses and a broken stream.
    FlakyServer,
    /// The process ends in the middle of a step, and the run is resumed.
    Crash,
    /// The person edits the plan file during the run.
    PlanEdited,
}

/// The expected outcome of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RightEnd {
    /// Everything is done.
    Done,
    /// The person is asked, or the run gives up.
    AskedOrGivenUp,
}

/// A project with a plan, its solution, and checks of the result.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The scenario's id: `S1`, `S2`, …
    pub id: &'static str,
    /// What the scenario is about, in a few words.
    pub name: &'static str,
    /// The person's goal.
    pub goal: String,
    /// The initial files of the project: path and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The checks of the result.
    pub checks: Vec<Check>,
    /// Whether it is held out, that is, hidden from developers of the harness.
    pub held_out: bool,
    /// The server's context window in tokens, if limited.
    pub window: Option<u64>,
    /// The disturbance, if any.
    pub trouble: Option<Trouble>,
    /// The expected outcome.
    pub end: RightEnd,
    /// Number of necessary questions to the person.
    pub questions: usize,
    /// The labels of the options that the person chooses when asked.
    pub answers: Vec<String>,
}

/// All scenarios, in order.
#[must_use]
pub fn all() -> Vec<Scenario> {
    let mut all = short::all();
    all.extend(three::all());
    all.extend(long::all());
    all.extend(ladder::all());
    all
}

impl Scenario {
    /// Number of steps that a model carries out.
    #[must_use]
    pub fn length(&self) -> usize {
        self.worked().count()
    }

    /// The steps that a model carries out.
    pub fn worked(&self) -> impl Iterator<Item = &Step> {
        self.steps
            .iter()
            .filter(|step| !step.acts.is_empty() || step.hopeless.is_some())
    }

    /// The text of the plan file.
    #[must_use]
    pub fn plan(&self) -> String {
        let mut text = format!(
            "---\nplanwright: 1\nid: eval-{}-0000\ngoal: {}\n---\n# {}\n\n## Tasks\n",
            self.id.to_lowercase(),
            self.goal,
            self.goal
        );
        for step in &self.steps {
            text.push_str(&step.plan_lines());
        }
        if self
            .steps
            .iter()
            .any(|step| step.lines.iter().any(|line| line == "type: decision"))
        {
            text.push_str("\n## Decisions\n");
            for step in self
                .steps
                .iter()
                .filter(|step| step.lines.iter().any(|line| line == "type: decision"))
            {
                text.push_str(&format!("- {} open\n", step.id));
            }
        }
        text
    }

    /// The plan with only its goal, for planning during the run.
    #[must_use]
    pub fn seedling(&self, strategy: &str) -> String {
        format!(
            "---\nplanwright: 1\nid: eval-{}-0000\ngoal: {}\nstrategy: {strategy}\n---\n# {}\n\n## Tasks\n",
            self.id.to_lowercase(),
            self.goal,
            self.goal,
        )
    }

    /// Creates the project with its plan, as one commit.
    #[must_use]
    pub fn project(&self) -> Project {
        self.project_with(&self.plan())
    }

    /// Creates the project with another plan. Git runs only once per plan; later projects get
    /// copies of the files.
    #[must_use]
    pub fn project_with(&self, plan: &str) -> Project {
        type Files = Vec<(String, Vec<u8>)>;
        static MADE: Mutex<BTreeMap<String, Arc<Files>>> = Mutex::new(BTreeMap::new());
        let made = {
            let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
            let key = format!("{}\n{plan}", self.id);
            let entry = made.entry(key);
            Arc::clone(entry.or_insert_with(|| {
                let first = self.first_project(plan);
                let mut found = Vec::new();
                walk(first.path(), "", &[], &mut found);
                let content = |path: String| {
                    let bytes = std::fs::read(first.at(&path)).expect("a file can be read");
                    (path, bytes)
                };
                Arc::new(found.into_iter().map(content).collect())
            }))
        };
        let project = Project::new();
        for (path, content) in made.iter() {
            project.write(path, content);
        }
        // Git requires this folder, even if it is empty.
        std::fs::create_dir_all(project.at(".git/refs/heads")).expect("a folder can be created");
        project
    }

    fn first_project(&self, plan: &str) -> Project {
        let project = Project::new();
        for (path, content) in &self.files {
            project.write(path, content);
        }
        project.write(PLAN, plan);
        let project = project.git();
        // Removes Git's sample hooks, so that they aren't copied each time.
        let _ = std::fs::remove_dir_all(project.at(".git/hooks"));
        project
    }

    /// The initial content of a file.
    #[must_use]
    pub fn content_of(&self, path: &str) -> Option<&[u8]> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.map(|(_, content)| content.as_slice())
    }

    /// The content of a file after the step with this index, if done correctly; `None` if it was
    /// deleted.
    #[must_use]
    pub fn content_after(&self, step: usize, path: &str) -> Option<String> {
        let before = self.content_of(path).map(String::from_utf8_lossy);
        let mut text = before.map(std::borrow::Cow::into_owned);
        for act in self.steps.iter().take(step + 1).flat_map(|step| &step.acts) {
            match act {
                Act::Edit { path: of, old, new } if of == path => {
                    text = text.map(|text| text.replacen(old.as_str(), new, 1));
                }
                Act::Write { path: of, content } if of == path => text = Some(content.clone()),
                Act::Delete { path: of } if of == path => text = None,
                _ => {}
            }
        }
        text
    }

    /// Whether the files that a step changes are as they should be after it.
    #[must_use]
    pub fn is_step_right(&self, project: &Project, id: &str) -> bool {
        let Some(at) = self.steps.iter().position(|step| step.id == id) else {
            return false;
        };
        self.steps[at].acts.iter().all(|act| match act {
            Act::Edit { path, .. } | Act::Write { path, .. } | Act::Delete { path } => {
                let found = std::fs::read_to_string(project.at(path)).ok();
                let (found, right) = (found, self.content_after(at, path));
                found.as_deref().map(str::trim_end) == right.as_deref().map(str::trim_end)
            }
            Act::Look { .. } | Act::Run { .. } | Act::Ask { .. } => true,
        })
    }

    /// Whether a step overwrites or deletes a file.
    #[must_use]
    pub fn replaces(&self, step: &str, path: &str) -> bool {
        let step = self.steps.iter().find(|known| known.id == step);
        let mut acts = step.into_iter().flat_map(|step| &step.acts);
        acts.any(|act| match act {
            Act::Write { path: of, .. } | Act::Delete { path: of } => of == path,
            _ => false,
        })
    }

    /// The paths that any step may change.
    pub fn changed_paths(&self) -> impl Iterator<Item = &str> {
        self.steps
            .iter()
            .flat_map(|step| &step.acts)
            .filter_map(|act| match act {
                Act::Edit { path, .. } | Act::Write { path, .. } | Act::Delete { path } => {
                    Some(path.as_str())
                }
                Act::Look { .. } | Act::Run { .. } | Act::Ask { .. } => None,
            })
    }

    /// Errors in the result; empty if it is correct. `kept` contains the facts and answers that the
    /// client recorded. Files that no step may change are compared byte for byte.
    #[must_use]
    pub fn faults_of(&self, project: &Project, kept: &str) -> Vec<String> {
        let mut wrong: Vec<String> = self
            .checks
            .iter()
            .filter_map(|check| check.fault(project.path(), kept))
            .collect();
        for (path, content) in &self.files {
            if self.changed_paths().any(|changed| changed == path) {
                continue;
            }
            if std::fs::read(project.at(path)).ok().as_ref() != Some(content) {
                wrong.push(format!("{path} was not to change"));
            }
        }
        let known = |path: &str| {
            path == PLAN
                || self.content_of(path).is_some()
                || self.changed_paths().any(|changed| changed == path)
                || path.contains("__pycache__")
        };
        let mut found = Vec::new();
        walk(project.path(), "", &[".git", ".planwright"], &mut found);
        wrong.extend(
            found
                .into_iter()
                .filter(|path| !known(path))
                .map(|path| format!("{path} was not to be there")),
        );
        wrong
    }
}

impl Step {
    fn plan_lines(&self) -> String {
        let mut text = format!("- [ ] **{}** {}\n", self.id, self.what);
        let mut line = |content: String| text.push_str(&format!("  - {content}\n"));
        for more in &self.lines {
            line(more.clone());
        }
        if !self.why.is_empty() {
            line(format!("why: {}", self.why));
        }
        if !self.files.is_empty() {
            let ticked: Vec<String> = self.files.iter().map(|path| format!("`{path}`")).collect();
            line(format!("files: {}", ticked.join(", ")));
        }
        let tools = self.tools();
        if !tools.is_empty() {
            line(format!("tools: {}", tools.join(", ")));
        }
        if let Some(verify) = &self.verify {
            line(format!("verify: `{verify}`"));
        }
        text
    }

    /// The tools that the model is offered for this step: the ones that the step needs, and
    /// read-only ones.
    #[must_use]
    pub fn tools(&self) -> Vec<&'static str> {
        if self.acts.is_empty() && self.hopeless.is_none() {
            return Vec::new();
        }
        let mut tools = vec!["read_file", "search_files"];
        for act in &self.acts {
            let tool = act.call().0;
            if !tools.contains(&tool) && tool != "ask_user" {
                tools.push(tool);
            }
        }
        if self.hopeless.is_some() && !tools.contains(&"edit_file") {
            tools.push("edit_file");
        }
        tools
    }
}

impl Act {
    /// The tool call that performs this act.
    #[must_use]
    pub fn call(&self) -> (&'static str, Value) {
        match self {
            Self::Look {
                tool, arguments, ..
            } => (tool, arguments.clone()),
            Self::Edit { path, old, new } => (
                "edit_file",
                json!({"path": path, "old_text": old, "new_text": new}),
            ),
            Self::Write { path, content } => {
                ("write_file", json!({"path": path, "content": content}))
            }
            Self::Delete { path } => ("delete_file", json!({"path": path})),
            Self::Run { command, .. } => ("run_command", json!({"command": command})),
            Self::Ask { question, options } => (
                "ask_user",
                json!({"question": question, "options": options}),
            ),
        }
    }

    /// The file that this act changes, if any.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Edit { path, .. } | Self::Write { path, .. } | Self::Delete { path } => {
                Some(path)
            }
            Self::Look { .. } | Self::Run { .. } | Self::Ask { .. } => None,
        }
    }
}

impl Check {
    fn fault(&self, root: &Path, kept: &str) -> Option<String> {
        let text = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let is_so = match self {
            Self::Has(path, part) => text(path).contains(part),
            Self::Lacks(path, part) => !text(path).contains(part) && root.join(path).exists(),
            Self::Gone(path) => !root.join(path).exists(),
            Self::Is(path, bytes) => std::fs::read(root.join(path)).ok().as_ref() == Some(bytes),
            Self::Python(script) => python(root, script),
            Self::Kept(token) => kept.contains(token),
        };
        (!is_so).then(|| format!("not so: {self:?}"))
    }
}

/// Runs a script that isn't part of the project; returns whether it succeeded, and leaves no files
/// behind.
fn python(root: &Path, script: &str) -> bool {
    Command::new(interpreter())
        .args(["-B", "-c", script])
        .current_dir(root)
        .env("PYTHONPATH", root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The actual interpreter, since `python3` is a slow wrapper script on some machines.
fn interpreter() -> &'static str {
    static FOUND: OnceLock<String> = OnceLock::new();
    FOUND.get_or_init(|| {
        let asked = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output();
        let told = asked
            .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
            .unwrap_or_default();
        if told.is_empty() {
            "python3".to_owned()
        } else {
            told
        }
    })
}

/// All files below a folder, skipping folders with the names in `but`.
fn walk(root: &Path, below: &str, but: &[&str], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(below))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() {
            name.clone()
        } else {
            format!("{below}/{name}")
        };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !but.contains(&name.as_str()) => {
                walk(root, &path, but, found)
            }
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
}
