//! Events to the windows, numbered; and what is watched on disk for them.
//!
//! Whoever writes a plan says so with [`Shared::plan_changed`]; `watching` finds what others write.
//! Both tell of a revision once, whichever comes first. `finding` reads plans and tells of what others'
//! writes were taken for.

mod finding;
mod watching;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use plan::{Revision, source};
use store::Author;

use crate::wire::{DesktopEvent, NumberedEvent};
use crate::{Shared, lock};

pub(crate) use finding::Known;
pub(crate) use watching::Watching;

/// Receives the events, on whichever thread they happen.
pub type OnEvent = Box<dyn Fn(NumberedEvent) + Send + Sync>;

/// Numbers and sends events.
pub(crate) struct Events {
    seq: AtomicU64,
    on_event: OnEvent,
}

impl Events {
    pub(crate) fn new(on_event: OnEvent) -> Self {
        Self {
            seq: AtomicU64::new(0),
            on_event,
        }
    }

    /// Sends one event.
    pub(crate) fn send(&self, event: DesktopEvent) {
        let seq = self.seq.fetch_add(1, Ordering::Relaxed) + 1;
        (self.on_event)(NumberedEvent { seq, event });
    }
}

impl Shared {
    /// Tells the windows that the list of a workspace's plans, or a badge in it, is another now.
    pub(crate) fn plans_changed(&self, workspace: &Path) {
        let workspace = workspace.display().to_string();
        self.events.send(DesktopEvent::Plans { workspace });
    }

    /// Tells the windows that this process wrote a plan. To be called by every writer, after the
    /// write; takes no lock that a use case holds.
    pub(crate) fn plan_changed(&self, plan: &str, author: Author) {
        let path = Path::new(plan);
        let is_readable = path
            .metadata()
            .is_ok_and(|found| found.is_file() && found.len() <= source::LIMIT);
        let bytes = is_readable.then(|| std::fs::read(path).ok()).flatten();
        let revision = bytes.map(|bytes| Revision::of(&bytes).as_str().to_owned());
        self.announce(plan, revision, author);
    }

    /// Tells the windows what a plan holds now; `false` if they were told already.
    pub(crate) fn announce(&self, plan: &str, revision: Option<String>, author: Author) -> bool {
        let workspace = {
            let mut watching = lock(&self.watching);
            if !watching.is_news(plan, revision.as_deref()) {
                return false;
            }
            watching.workspace_of(Path::new(plan))
        };
        let author = match author {
            Author::Person => "person",
            Author::App | Author::Model => "app",
            Author::Outside => "outside",
        };
        self.events.send(DesktopEvent::Plan {
            plan: plan.to_owned(),
            revision,
            author: author.to_owned(),
        });
        if let Some(workspace) = workspace {
            self.plans_changed(&workspace);
        }
        true
    }
}
