//! A small project with a plan of one step, handed over to the scripted agent.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent::journal::Entry;
use bridges::acp_client::worker::StepWorkers;
use serde_json::{Value, json};
use workbench::wire::RunEvent;
use workbench::{
    CancelToken, EndState, Environment, HandOverChoice, ModelChoice, ResumeRequest, RunChoice,
    RunRequest, Workbench,
};

/// The scripted agent's program, which is also the sandbox's helper.
const AGENT: &str = env!("CARGO_BIN_EXE_scripted-agent");

/// How the agent's changes reach the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// The agent asks Planwright to make each write.
    Mediated,
    /// The agent works in a copy of the workspace.
    Copy,
}

pub(crate) const TIERS: [Tier; 2] = [Tier::Mediated, Tier::Copy];

impl Tier {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mediated => "mediated",
            Self::Copy => "copier",
        }
    }

    /// The script action with which an agent of this tier changes a file.
    pub(crate) fn change(self, path: &str, text: &str) -> String {
        match self {
            Self::Mediated => format!("write {path} {text}"),
            Self::Copy => format!("put {path} {text}"),
        }
    }
}

/// A project in a temporary folder, with a plan and a data folder.
pub(crate) struct Site {
    folder: tempfile::TempDir,
    pub(crate) bench: Workbench,
    tier: Tier,
    runs: Vec<String>,
}

/// The result of running or resuming a run in this process.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) state: EndState,
    /// The agent's output, as shown.
    pub(crate) said: String,
    /// The questions that the run asked, each with its kind.
    pub(crate) asked: Vec<String>,
    pub(crate) notices: Vec<String>,
}

impl Site {
    /// A project with one step that names `a.txt` and `b.txt`, has this script, and runs the
    /// command `check` to verify itself.
    pub(crate) fn new(tier: Tier, script: &str, check: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "data", "project/plans", "project/deps"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let path = |name: &str| folder.path().join(name).into_os_string();
        let variable = |name: &str, value: &str| (name.to_owned(), value.into());
        let environment = Environment {
            variables: vec![
                ("HOME".to_owned(), path("home")),
                ("PLANWRIGHT_HOME".to_owned(), path("data")),
                ("PATH".to_owned(), std::env::var_os("PATH").unwrap()),
                variable("OPENAI_API_KEY", "named"),
                variable("OTHER_API_KEY", "not named"),
            ],
            cwd: folder.path().join("home"),
            program: AGENT.into(),
        };
        let (mut bench, _) = Workbench::open(environment).unwrap();
        bench.set_agents(Arc::new(StepWorkers));
        let site = Self {
            folder,
            bench,
            tier,
            runs: Vec::new(),
        };
        site.settings(json!({}));
        for (name, text) in [
            ("a.txt", "original a\n"),
            ("c.txt", "original c\n"),
            (".env", "HIDDEN_KEY=hidden-value\n"),
            (".gitignore", "deps/\n"),
            ("deps/lib.js", "lib\n"),
            ("deps/.env", "HIDDEN_KEY=hidden-value\n"),
        ] {
            std::fs::write(site.path(name), text).unwrap();
        }
        let plan = format!(
            "---\nplanwright: 1\ngoal: Change the files\n---\n# Change the files\n\n## Tasks\n\
             - [ ] **T1** Change the files script: {script}\n  - files: `a.txt`, `b.txt`\n  - verify: `{check}`\n"
        );
        std::fs::write(site.path("plans/p.md"), plan).unwrap();
        site
    }

    /// Writes the user's settings: the two agents, and the keys in `more`.
    pub(crate) fn settings(&self, more: Value) {
        let mut settings = json!({
            "agents": [
                {"name": "mediated", "like": "qwen", "command": [AGENT], "network": false},
                {"name": "copier", "command": [AGENT], "network": false},
            ],
        });
        for (key, value) in more.as_object().unwrap() {
            settings[key] = value.clone();
        }
        std::fs::write(&self.bench.home.settings_file, settings.to_string()).unwrap();
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        let root = self.folder.path().join("project").canonicalize().unwrap();
        root.join(path)
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.path(path)).ok()
    }

    /// Every file in the project and the home folder, except plans and Planwright's own files.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path(""), self.folder.path().join("home")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                match path.is_dir() {
                    true if [".planwright", "plans"].contains(&name.as_str()) => {}
                    true => folders.push(path),
                    false => drop(found.insert(path.clone(), std::fs::read(path).unwrap())),
                }
            }
        }
        found
    }

    /// Approves the plan and runs it, but stops abruptly before the side effect with number `cut`;
    /// `None` if it was stopped.
    pub(crate) fn run_until(&mut self, cut: usize) -> Option<Ran> {
        let text = std::fs::read(self.path("plans/p.md")).unwrap();
        let request = RunRequest {
            file: self.path("plans/p.md"),
            revision: tools::ContentHash::of(&text).to_hex(),
            workspace: Some(self.path("")),
            policy: None,
            upto: None,
            answers: None,
            reason: Some("a test".to_owned()),
            parallel: 1,
            model: ModelChoice::None,
            choice: RunChoice::default(),
            hand_over: Some(HandOverChoice {
                name: format!("acp:{}", self.tier.name()),
                tasks: Vec::new(),
            }),
        };
        self.play(cut, |bench, cancel, sink| bench.run(&request, cancel, sink))
    }

    pub(crate) fn run(&mut self) -> Ran {
        self.run_until(usize::MAX).unwrap()
    }

    pub(crate) fn resume(&mut self, answers: Value) -> Ran {
        self.resume_until(usize::MAX, answers).unwrap()
    }

    pub(crate) fn resume_until(&mut self, cut: usize, answers: Value) -> Option<Ran> {
        let file = self.folder.path().join("answers.json");
        std::fs::write(&file, answers.to_string()).unwrap();
        let request = ResumeRequest {
            run: self.runs.last().unwrap().clone(),
            answers: Some(file),
            model: ModelChoice::Configured,
            hand_over: None,
        };
        self.play(cut, |bench, cancel, sink| {
            bench.resume(&request, cancel, sink)
        })
    }

    /// Starts or resumes a run. Returns `None` if it was stopped before effect `cut`, which leaves
    /// everything as a killed process would.
    fn play(
        &mut self,
        cut: usize,
        start: impl FnOnce(
            &mut Workbench,
            &CancelToken,
            &mut dyn FnMut(RunEvent),
        ) -> workbench::Result<EndState>,
    ) -> Option<Ran> {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        self.bench.watch(Box::new(move |_| {
            match counted.fetch_add(1, Ordering::SeqCst) == cut {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }));
        let cancel = CancelToken::new().unwrap();
        let (mut said, mut asked, mut notices) = (String::new(), Vec::new(), Vec::new());
        let mut run = None;
        let ended = start(&mut self.bench, &cancel, &mut |event| match event {
            RunEvent::Started { run: id, .. } => run = Some(id),
            RunEvent::Output { text, .. } => said.push_str(&text),
            RunEvent::Waiting { kind, message, .. } => asked.push(format!("{kind}: {message}")),
            RunEvent::Notice { message } => notices.push(message),
            RunEvent::Task {
                reason: Some(reason),
                ..
            } => notices.push(reason),
            _ => {}
        });
        self.runs.extend(run);
        match ended {
            Ok(state) => Some(Ran {
                state,
                said,
                asked,
                notices,
            }),
            Err(error) if count.load(Ordering::SeqCst) > cut => {
                assert!(error.message.contains("watch callback"), "{error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The entries in the latest run's journal.
    pub(crate) fn journal(&self) -> Vec<Entry> {
        let run = self.runs.last().unwrap();
        let rows = self.bench.store.journal().read(run).unwrap();
        let entries = rows.iter();
        entries
            .map(|row| serde_json::from_str(&row.payload).unwrap())
            .collect()
    }

    pub(crate) fn has_run(&self) -> bool {
        !self.runs.is_empty()
    }

    /// The paths that the run wrote, with repetitions.
    pub(crate) fn writes(&self) -> Vec<String> {
        let lines = self.journal().into_iter().filter_map(|entry| match entry {
            Entry::Intended { line, .. } => Some(line),
            _ => None,
        });
        let path = |line: String| {
            let call = plan::ToolCall::parse(&line).unwrap();
            call.path().unwrap_or_default().to_owned()
        };
        lines.map(path).collect()
    }

    /// Whether any process of the agent is still running.
    pub(crate) fn has_processes(&self) -> bool {
        let marker = self.runs.last().unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|entry| std::fs::read(entry.path().join("environ")).ok())
            .any(|environment| {
                let environment = String::from_utf8_lossy(&environment).into_owned();
                environment.contains(&format!("PLANWRIGHT_RUN={marker}-"))
            })
    }
}
