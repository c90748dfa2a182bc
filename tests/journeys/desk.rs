//! The window's backend without a window, with a home and a project with one plan. Used by journeys
//! that approve, answer, steer and inspect.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use desktop::Desktop;
use desktop::wire::{
    AnswerRequest, ApproveRequest, DesktopEvent, GivenAnswer, NumberedEvent, RunQuestion, RunView,
};
use planwright_tests::{Home, PATIENCE, Project, planwright_binary};
use serde_json::json;
use workbench::Environment;

/// The desktop backend, with its home and a project with one plan.
pub(crate) struct Desk {
    pub(crate) home: Home,
    pub(crate) project: Project,
    desktop: Option<Desktop>,
    events: Receiver<DesktopEvent>,
    /// Received events, by kind.
    pub(crate) heard: BTreeMap<String, Vec<DesktopEvent>>,
}

fn open(home: &Home, project: &Project) -> (Desktop, Receiver<DesktopEvent>) {
    let environment = Environment {
        variables: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| !name.starts_with("PLANWRIGHT_"))
            .chain([("PLANWRIGHT_HOME".to_owned(), home.path().into())])
            .collect(),
        cwd: project.path().to_owned(),
        program: planwright_binary().to_owned(),
    };
    let (sender, events) = channel();
    let sender = Mutex::new(sender);
    let tell = move |numbered: NumberedEvent| {
        // Sending fails if the test has ended.
        let _ = sender.lock().unwrap().send(numbered.event);
    };
    (Desktop::open(environment, Box::new(tell)).unwrap(), events)
}

impl Desk {
    pub(crate) fn new(project: Project) -> Self {
        Self::with(Home::new(), project)
    }

    /// Like `new`, but without a sandbox, so that every command requires approval.
    pub(crate) fn asking(project: Project) -> Self {
        let home = Home::new();
        home.write_settings(&json!({ "sandbox": "none" }));
        Self::with(home, project)
    }

    pub(crate) fn with(home: Home, project: Project) -> Self {
        let (desktop, events) = open(&home, &project);
        desktop
            .open_workspace(project.path().to_str().unwrap())
            .unwrap();
        Self {
            home,
            project,
            desktop: Some(desktop),
            events,
            heard: BTreeMap::new(),
        }
    }

    /// Ends the program cleanly and starts it again.
    pub(crate) fn restart(&mut self) {
        if let Some(desktop) = self.desktop.take() {
            desktop.close().unwrap();
        }
        let (desktop, events) = open(&self.home, &self.project);
        self.desktop = Some(desktop);
        self.events = events;
    }

    pub(crate) fn desktop(&self) -> &Desktop {
        self.desktop.as_ref().unwrap()
    }

    pub(crate) fn key(&self) -> String {
        self.project.at("plans/p.md").display().to_string()
    }

    pub(crate) fn revision(&self) -> String {
        self.desktop().outline(&self.key(), None).unwrap().revision
    }

    pub(crate) fn request(&self) -> ApproveRequest {
        ApproveRequest {
            plan: self.key(),
            revision: self.revision(),
            run: true,
            upto: None,
            policy: None,
            parallel: None,
            reason: None,
            notes: None,
            branch: None,
            effort: None,
            shown_ms: None,
        }
    }

    pub(crate) fn approve(&self) -> String {
        let approved = self.desktop().approve(self.request()).unwrap();
        approved.run.unwrap()
    }

    pub(crate) fn view(&self, run: &str) -> RunView {
        self.desktop().run(run).unwrap()
    }

    /// Waits until `is_so` accepts the run's state, checking after each event.
    #[track_caller]
    pub(crate) fn wait(
        &mut self,
        run: &str,
        what: &str,
        is_so: impl Fn(&RunView) -> bool,
    ) -> RunView {
        let until = Instant::now() + PATIENCE;
        loop {
            let view = self.view(run);
            if is_so(&view) {
                return view;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => self.keep(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited for {what}: {view:#?}");
                }
            }
        }
    }

    fn keep(&mut self, event: DesktopEvent) {
        let kind = serde_json::to_value(&event).unwrap()["kind"].clone();
        let kind = kind.as_str().unwrap().to_owned();
        self.heard.entry(kind).or_default().push(event);
    }

    pub(crate) fn heard(&mut self, kind: &str) -> Vec<DesktopEvent> {
        while let Ok(event) = self.events.try_recv() {
            self.keep(event);
        }
        self.heard.get(kind).cloned().unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn wait_state(&mut self, run: &str, state: &str) -> RunView {
        self.wait(run, state, |view| view.state == state && !view.is_live)
    }

    /// Waits until the run has stopped with a question of this kind, and returns the question.
    #[track_caller]
    pub(crate) fn wait_question(&mut self, run: &str, kind: &str) -> RunQuestion {
        let view = self.wait(run, kind, |view| {
            view.questions.iter().any(|asked| asked.kind == kind) && !view.is_live
        });
        view.questions
            .into_iter()
            .find(|asked| asked.kind == kind)
            .unwrap()
    }

    pub(crate) fn answer(&self, asked: &RunQuestion, answer: GivenAnswer) -> workbench::Result<()> {
        self.desktop().answer(AnswerRequest {
            run: asked.run.clone(),
            task: asked.task.clone(),
            kind: asked.kind.clone(),
            fingerprint: asked.fingerprint.clone(),
            answer,
        })
    }
}

/// The answer that chooses an option of a checkpoint or decision.
pub(crate) fn choice(label: &str) -> GivenAnswer {
    GivenAnswer::Choice {
        label: label.to_owned(),
        note: None,
    }
}

/// A plan with an edit, a command, a checkpoint and a decision.
pub(crate) const PLAN: &str = "\
# Greet in another way

## Tasks
- [ ] **T1** Find where the greeting is written
  - call: `search_files {\"pattern\": \"hello\", \"path\": \"greetings.txt\"}`
- [ ] **T2** Change the greeting in greetings.txt
  - files: `greetings.txt`
  - call: `edit_file {\"path\": \"greetings.txt\", \"old_text\": \"hello\", \"new_text\": \"good day\"}`
  - call: `run_command {\"command\": \"touch made.txt\"}`
  - verify: `grep -q good greetings.txt`
- [ ] **C1** Review the changes before a farewell is written
  - type: checkpoint
  - option: Go on -> continue
  - option: Let me review first -> review
- [ ] **D1** Which farewell is it to be?
  - type: decision
  - option: The short one -> T3
  - option: The long one -> T4
- [ ] **T3** Write the short farewell into bye.txt
  - depends: D1
  - call: `write_file {\"path\": \"bye.txt\", \"content\": \"bye\\n\"}`
  - verify: `grep -q good greetings.txt`
- [ ] **T4** Write the long farewell into farewell.txt
  - depends: D1
  - call: `write_file {\"path\": \"farewell.txt\", \"content\": \"farewell\\n\"}`
";

/// A project with [`PLAN`].
pub(crate) fn greetings() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("greetings.txt", "hello\nyou\n")
}

/// A step that prints a word and ends when a file appears.
pub(crate) fn gate(id: &str, word: &str, opens: &str) -> String {
    let command = format!("sh -c 'echo {word}; while [ ! -e {opens} ]; do sleep 0.02; done'");
    let call = json!({ "command": command });
    format!("- [ ] **{id}** Wait until the gate is open\n  - call: `run_command {call}`\n")
}
