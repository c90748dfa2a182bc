//! The scenarios of the evaluation: tiny Git projects with a plan, as data.
//!
//! A [`Scenario`] holds the files, the plan's steps, what a model that can solve them does in each, the
//! facts that are planted for it to find, and the checks of the result. The checks lie outside of the
//! workspace and only the scorer runs them; a client gets the files and the plan, nothing else. Half
//! of the scenarios are held out: they are measured, and not looked at while the harness is built.
//!
//! Commands are `sh` and `python3`, since an evaluation runs thousands of them. Nothing here knows a
//! client, a model server or Planwright.

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

/// Where the plan lies in a project.
pub const PLAN: &str = "plans/plan.md";

/// One thing that a model does, as it would be right.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A call that only looks. It is needed until `shows` stands somewhere in the messages.
    Look {
        /// The tool.
        tool: &'static str,
        /// Its arguments.
        arguments: Value,
        /// What its result has.
        shows: String,
    },
    /// One replacement in a file.
    Edit {
        /// The file.
        path: String,
        /// The text to replace.
        old: String,
        /// The text to put in.
        new: String,
    },
    /// A file written whole.
    Write {
        /// The file.
        path: String,
        /// All of it.
        content: String,
    },
    /// A file removed.
    Delete {
        /// The file.
        path: String,
    },
    /// A command whose output is wanted.
    Run {
        /// The command line.
        command: String,
        /// What its output has when all is well.
        shows: String,
    },
    /// A question to the person.
    Ask {
        /// The question.
        question: String,
        /// What can be answered.
        options: Vec<String>,
    },
}

/// A fact that a step finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// The exact token that a record of it must have.
    pub token: String,
    /// The sentence in which a model says it.
    pub text: String,
}

/// What a step's model does wrong for good, where it cannot succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hopeless {
    /// It says that the step cannot be done.
    Honest,
    /// It says that it is done whatever it is told.
    Stubborn,
}

/// One step of the plan, and what is right in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its id in the plan.
    pub id: String,
    /// What is to be done; the title in the plan.
    pub what: String,
    /// Why.
    pub why: String,
    /// The files it names.
    pub files: Vec<String>,
    /// What is right, in order.
    pub acts: Vec<Act>,
    /// What it finds.
    pub fact: Option<Planted>,
    /// The token, found by an earlier step, that it cannot do without.
    pub needs: Option<String>,
    /// Its check.
    pub verify: Option<String>,
    /// Set where no model can do it.
    pub hopeless: Option<Hopeless>,
    /// More lines under the task: `type: decision`, `option: …`, `depends: …`.
    pub lines: Vec<String>,
}

/// What the scorer looks for when all is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The file has this text.
    Has(String, String),
    /// The file has it not.
    Lacks(String, String),
    /// There is no such file.
    Gone(String),
    /// A file with exactly these bytes.
    Is(String, Vec<u8>),
    /// A Python script that ends well with the project as its folder.
    Python(String),
    /// What the client kept has this token.
    Kept(String),
}

/// What goes wrong around the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Refusals and a broken stream.
    FlakyServer,
    /// The process ends in the middle of a step, and the run is taken up again.
    Crash,
    /// The person edits the plan file while it runs.
    PlanEdited,
}

/// How a run of it ends rightly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RightEnd {
    /// Everything is done.
    Done,
    /// The person is asked, or the run is given up.
    AskedOrGivenUp,
}

/// One scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// `S1`, `S2`, …
    pub id: &'static str,
    /// What it tries, in a few words.
    pub name: &'static str,
    /// What the person wants.
    pub goal: String,
    /// The files of the project.
    pub files: Vec<(String, Vec<u8>)>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// What must be so in the end.
    pub checks: Vec<Check>,
    /// Whether it was kept away from whoever built the harness.
    pub held_out: bool,
    /// The tokens that the model's server holds, where that is what is tried.
    pub window: Option<u64>,
    /// What goes wrong around it.
    pub trouble: Option<Trouble>,
    /// How it ends rightly.
    pub end: RightEnd,
    /// Questions to a person that it cannot do without.
    pub questions: usize,
    /// Labels that the person chooses, where asked.
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
    /// How many steps its plan has that a model carries out.
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

    /// The text of its plan.
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

    /// The plan with its goal alone, for one that grows while it is carried out.
    #[must_use]
    pub fn seedling(&self, strategy: &str) -> String {
        format!(
            "---\nplanwright: 1\nid: eval-{}-0000\ngoal: {}\nstrategy: {strategy}\n---\n# {}\n\n## Tasks\n",
            self.id.to_lowercase(),
            self.goal,
            self.goal,
        )
    }

    /// Makes the project, as one commit, with its plan.
    #[must_use]
    pub fn project(&self) -> Project {
        self.project_with(&self.plan())
    }

    /// Makes the project with another plan. Git is started once for each plan; what it made is written
    /// again.
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
        // Git knows its folder by it, also when it is empty.
        std::fs::create_dir_all(project.at(".git/refs/heads")).expect("a folder can be made");
        project
    }

    fn first_project(&self, plan: &str) -> Project {
        let project = Project::new();
        for (path, content) in &self.files {
            project.write(path, content);
        }
        project.write(PLAN, plan);
        let project = project.git();
        // Samples that nobody copies for nothing.
        let _ = std::fs::remove_dir_all(project.at(".git/hooks"));
        project
    }

    /// The content that a file has at the beginning.
    #[must_use]
    pub fn content_of(&self, path: &str) -> Option<&[u8]> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.map(|(_, content)| content.as_slice())
    }

    /// The content that a file has when a step, by its place, was done rightly; none where it is gone.
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

    /// Whether the files that a step changes are as they are when it was done rightly.
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

    /// Whether a step writes a file anew or removes it.
    #[must_use]
    pub fn replaces(&self, step: &str, path: &str) -> bool {
        let step = self.steps.iter().find(|known| known.id == step);
        let mut acts = step.into_iter().flat_map(|step| &step.acts);
        acts.any(|act| match act {
            Act::Write { path: of, .. } | Act::Delete { path: of } => of == path,
            _ => false,
        })
    }

    /// The paths that some step may change.
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

    /// What is wrong with the result; empty when it is right. `kept` is what the client kept of facts
    /// and answers. Files that no step may change are compared byte for byte.
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

    /// The tools that it is offered: those that it needs, and those to look with.
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
    /// The call that carries it out.
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

    /// The file that it changes.
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

/// Runs a script that lies nowhere in the project; nothing of it is left behind.
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

/// The program behind `python3`, which on some machines is a slow script that looks for it.
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

/// All files below a folder, but those below folders of these names.
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
