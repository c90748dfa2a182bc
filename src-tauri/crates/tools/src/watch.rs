//! Tells when files change under the app's hands: plans, and the two settings files.
//!
//! What the system reports is only a hint to look; what is told is the difference between two
//! looks. So a file is told once per burst of writes (about 8 ms after its last one), renames and
//! replacements come out as what they are in the end, reading a file tells nothing, and a look
//! every two seconds finds what no hint was given for. A file that another one was renamed to is
//! all there: outside of a burst it is told at once. Where the system cannot report (no watches
//! left, a network folder), looking every half second takes its place, and that is said.
//!
//! What it never does: read a file, follow a link out of the folder it was given, go into `.git`,
//! `node_modules` or folders that Git ignores, or report anything but regular files.

mod ears;
mod scan;
mod worker;

use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use crate::error::ToolError;
use worker::{MakeEars, Message, Worker};

/// What is to be watched. None of it has to exist yet.
///
/// The first path of each entry is a folder that is trusted (a workspace, a folder of settings);
/// the second leads on from there, and links on it are followed only as far as they stay inside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchRequest {
    watched: Vec<Watched>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Watched {
    top: PathBuf,
    inside: PathBuf,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// One file.
    File,
    /// The files of a folder whose names end so; with all that is below it if `deep`.
    Folder { ending: String, deep: bool },
}

impl WatchRequest {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One file. Changes are told under `top` joined with `inside`. A link that leads out of `top`
    /// is watched itself, what it points to is not.
    #[must_use]
    pub fn file(self, top: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Self {
        self.with(top.into(), inside.into(), What::File)
    }

    /// The files directly in a folder whose names end with `ending`. Changes are told under the
    /// folder's real path, links resolved, as a plan is named.
    #[must_use]
    pub fn folder(self, top: impl Into<PathBuf>, inside: impl Into<PathBuf>, ending: &str) -> Self {
        let ending = ending.to_owned();
        let deep = false;
        self.with(top.into(), inside.into(), What::Folder { ending, deep })
    }

    /// Like [`WatchRequest::folder`], with the folders in it, up to 20,000 entries.
    #[must_use]
    pub fn tree(self, top: impl Into<PathBuf>, inside: impl Into<PathBuf>, ending: &str) -> Self {
        let ending = ending.to_owned();
        let deep = true;
        self.with(top.into(), inside.into(), What::Folder { ending, deep })
    }

    fn with(mut self, top: PathBuf, inside: PathBuf, what: What) -> Self {
        let watched = Watched { top, inside, what };
        if !self.watched.contains(&watched) {
            self.watched.push(watched);
        }
        self
    }

    fn check(&self) -> Result<(), ToolError> {
        for watched in &self.watched {
            let goes_down = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            let reason = if !watched.top.is_absolute() {
                format!("`{}` is no absolute path", watched.top.display())
            } else if !watched.inside.components().all(goes_down) {
                let inside = watched.inside.display();
                format!("`{inside}` does not lead down from its folder")
            } else if watched.what == What::File && watched.inside.file_name().is_none() {
                format!("`{}` names no file", watched.inside.display())
            } else {
                continue;
            };
            let reason = format!("cannot watch: {reason}");
            return Err(ToolError::Argument { reason });
        }
        Ok(())
    }
}

/// What became of a file. Ordered as changes are told: what is gone first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// It is not there any more, or is no regular file any more.
    Removed,
    /// It is there now.
    Created,
    /// It was there and reads or looks otherwise now. Its content may turn out to be the same: a
    /// write just before a look may be told twice rather than not at all.
    Changed,
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Changed {
    /// Its absolute path.
    pub path: PathBuf,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What a watcher has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchNews {
    /// These files changed, each named once; never empty.
    Changed(Vec<Changed>),
    /// The system does not report changes here. Changes are still told, half a second late.
    Polling {
        /// Why, and what helps, as a sentence.
        reason: String,
    },
    /// The system reports changes again.
    Listening,
    /// The folder holds more than is watched.
    TooLarge {
        /// The folder.
        path: PathBuf,
        /// How many entries of it are watched.
        limit: usize,
    },
}

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts watching. Every change after this call is told; what is there already is not.
    ///
    /// `on_news` is called on the watcher's own thread, which looks at nothing meanwhile: hand the
    /// news on and return.
    ///
    /// # Errors
    /// For a request that is not as [`WatchRequest`] says, or if no thread can be had. That the
    /// system cannot report changes is news, not an error.
    pub fn start(
        request: WatchRequest,
        on_news: impl Fn(WatchNews) + Send + 'static,
    ) -> Result<Self, ToolError> {
        Self::start_with(request, on_news, ears::system())
    }

    fn start_with(
        request: WatchRequest,
        on_news: impl Fn(WatchNews) + Send + 'static,
        make_ears: MakeEars,
    ) -> Result<Self, ToolError> {
        request.check()?;
        let (messages, inbox) = mpsc::channel();
        let worker = Worker::new(Box::new(on_news), make_ears, messages.clone());
        let thread = thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || worker.run(&inbox))
            .map_err(|error| ToolError::io("starting a thread to watch", Path::new(""), &error))?;
        let watcher = Self {
            messages,
            thread: Some(thread),
        };
        watcher.watch(request)?;
        Ok(watcher)
    }

    /// Watches this instead from now on. What was watched before and still is goes on without a
    /// gap. Returns when every later change will be told; called from `on_news`, at once.
    ///
    /// # Errors
    /// For a request that is not as [`WatchRequest`] says; the earlier one then stays.
    pub fn watch(&self, request: WatchRequest) -> Result<(), ToolError> {
        request.check()?;
        let (done, is_done) = mpsc::channel();
        let asked = self.messages.send(Message::Watch(request.watched, done));
        // Both fail only if the thread died in `on_news`; there is nothing to wait for then.
        if asked.is_ok() && !self.is_own_thread() {
            let _ = is_done.recv();
        }
        Ok(())
    }

    fn is_own_thread(&self) -> bool {
        let own = self.thread.as_ref().map(|thread| thread.thread().id());
        own == Some(thread::current().id())
    }
}

impl Drop for Watcher {
    /// No news come after this.
    fn drop(&mut self) {
        // Fails only if the thread has ended already.
        let _ = self.messages.send(Message::Stop);
        if !self.is_own_thread()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
