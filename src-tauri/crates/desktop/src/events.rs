//! Numbered events for the windows, and the file watcher that triggers many of them.
//!
//! Code that writes a plan announces it with [`Shared::plan_changed`]; `watching` detects writes by
//! others. Each revision is announced only once, whichever comes first. `finding` reads plans and
//! reports moves and merges caused by other programs' writes.

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

/// Receives the events, on the thread they occur on.
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
    /// Tells the windows that a workspace's plan list, or a badge in it, changed.
    pub(crate) fn plans_changed(&self, workspace: &Path) {
        let workspace = workspace.display().to_string();
        self.events.send(DesktopEvent::Plans { workspace });
    }

    /// Tells the windows that this process wrote a plan. Every writer has to call this
    /// after the write. Takes no lock that a use case may hold.
    pub(crate) fn plan_changed(&self, plan: &str, author: Author) {
        let path = Path::new(plan);
        let is_readable = path
            .metadata()
            .is_ok_and(|found| found.is_file() && found.len() <= source::LIMIT);
        let bytes = is_readable.then(|| std::fs::read(path).ok()).flatten();
        let revision = bytes.map(|bytes| Revision::of(&bytes).as_str().to_owned());
        self.announce(plan, revision, author);
    }

    /// Tells the windows a plan's current revision; returns `false` if they already know it.
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
