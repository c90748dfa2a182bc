//! Test fixture: the commands over a fresh home and a workspace with one plan.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use workbench::Environment;

use crate::wire::{DesktopEvent, NumberedEvent};
use crate::{Desktop, lock};

/// A home, a workspace, and the commands over both.
pub(crate) struct Fixture {
    pub(crate) desktop: Desktop,
    pub(crate) root: PathBuf,
    events: Arc<Mutex<Vec<DesktopEvent>>>,
    _folder: tempfile::TempDir,
}

impl Fixture {
    /// A workspace with this text in `plans/p.md`.
    pub(crate) fn with_plan(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let base = folder.path().canonicalize().expect("a folder");
        let root = base.join("project");
        let home = base.join("home");
        std::fs::create_dir_all(root.join("plans")).expect("a folder");
        std::fs::create_dir_all(&home).expect("a folder");
        std::fs::write(root.join("plans/p.md"), text).expect("a plan");
        let variable = |name: &str, value: &Path| (name.to_owned(), value.into());
        let environment = Environment {
            variables: vec![
                variable("HOME", &home),
                variable("PLANWRIGHT_HOME", &home.join("data")),
                ("PATH".to_owned(), "/usr/bin:/bin".into()),
            ],
            cwd: root.clone(),
            program: std::env::current_exe().expect("this program"),
        };
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&events);
        let on_event = move |numbered: NumberedEvent| lock(&heard).push(numbered.event);
        let desktop = Desktop::open(environment, Box::new(on_event)).expect("data");
        desktop
            .open_workspace(&root.display().to_string())
            .expect("a workspace");
        Self {
            desktop,
            root,
            events,
            _folder: folder,
        }
    }

    /// The plan's key.
    pub(crate) fn plan(&self) -> String {
        self.root.join("plans/p.md").display().to_string()
    }

    /// The plan's text.
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(self.plan()).expect("the plan")
    }

    /// Writes the plan as another program would.
    pub(crate) fn write(&self, text: &str) {
        std::fs::write(self.plan(), text).expect("the plan");
    }

    /// The current revision, including changes by other programs.
    pub(crate) fn revision(&self) -> String {
        let outline = self.desktop.outline(&self.plan(), None);
        outline.expect("an outline").revision
    }

    /// All events that were sent.
    pub(crate) fn events(&self) -> Vec<DesktopEvent> {
        lock(&self.events).clone()
    }
}
