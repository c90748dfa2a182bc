//! Reports changes of files made by other programs: plans, and the two settings files.
//!
//! System notifications are only hints to scan; the difference between two scans is reported. A
//! file is therefore reported once per burst of writes (about 8 ms after the last), renames and
//! replacements appear as their final result, and reading a file is not reported. A scan every two
//! seconds finds changes without a hint. A file that was replaced by rename is complete, so outside
//! of a burst it is reported immediately. If the system can't send notifications (no watches left,
//! a network folder), the watcher scans every half second and says so.
//!
//! It never reads a file, follows a link out of the given folder, enters `.git`, `node_modules` or
//! ignored folders, or reports anything but regular files.

mod ears;
mod scan;
mod worker;

use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use crate::error::ToolError;
use worker::{MakeEars, Message, Worker};

/// The files and folders to watch. They need not exist yet.
///
/// The first path of each entry is a trusted folder (a workspace or a settings folder). The second
/// is relative to it, and links in it are followed only while they stay inside.
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
    /// A single file.
    File,
    /// The files of a folder with this suffix; in all its subfolders too if `deep`.
    Folder { ending: String, deep: bool },
}

impl WatchRequest {
    /// An empty request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Changes are reported under `top` joined with `inside`. If a link leads out of
    /// `top`, the link itself is watched, not its target.
    #[must_use]
    pub fn file(self, top: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Self {
        self.with(top.into(), inside.into(), What::File)
    }

    /// Adds the files directly in a folder whose names end with `ending`. Changes are reported
    /// under the folder's canonical path, as used for plans.
    #[must_use]
    pub fn folder(self, top: impl Into<PathBuf>, inside: impl Into<PathBuf>, ending: &str) -> Self {
        let ending = ending.to_owned();
        let deep = false;
        self.with(top.into(), inside.into(), What::Folder { ending, deep })
    }

    /// Like [`WatchRequest::folder`], including subfolders, up to 20,000 entries.
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
                format!("`{}` is not an absolute path", watched.top.display())
            } else if !watched.inside.components().all(goes_down) {
                let inside = watched.inside.display();
                format!("`{inside}` is outside the watched folder")
            } else if watched.what == What::File && watched.inside.file_name().is_none() {
                format!("`{}` is not a file name", watched.inside.display())
            } else {
                continue;
            };
            let reason = format!("can't watch: {reason}");
            return Err(ToolError::Argument { reason });
        }
        Ok(())
    }
}

/// How a file changed. Sorted in the order of reporting: removed files first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// The file no longer exists, or is no longer a regular file.
    Removed,
    /// The file is new.
    Created,
    /// The file's content or metadata changed. The content may turn out to be the same: a write
    /// just before a scan may be reported twice, so that none is missed.
    Changed,
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Changed {
    /// Its absolute path.
    pub path: PathBuf,
    /// How it changed.
    pub kind: ChangeKind,
}

/// A message from a watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchNews {
    /// These files changed, each listed once; never empty.
    Changed(Vec<Changed>),
    /// The system does not send notifications here. Changes are still reported, up to half a second
    /// late.
    Polling {
        /// Why, and how to fix it, as a sentence.
        reason: String,
    },
    /// The system sends notifications again.
    Listening,
    /// The folder has more entries than can be watched.
    TooLarge {
        /// The folder's path.
        path: PathBuf,
        /// The number of its entries that are watched.
        limit: usize,
    },
}

/// Watches files until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts watching. Every change after this call is reported; what already exists is not.
    ///
    /// `on_news` runs on the watcher's own thread, which can't scan in the meantime, so it should
    /// only pass the message on.
    ///
    /// # Errors
    /// For a request that violates the rules of [`WatchRequest`], or if no thread can be started.
    /// Missing system notifications are reported as a message, not as an error.
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
            .map_err(|error| ToolError::io("starting the watcher", Path::new(""), &error))?;
        let watcher = Self {
            messages,
            thread: Some(thread),
        };
        watcher.watch(request)?;
        Ok(watcher)
    }

    /// Replaces what is watched. Items in both requests are watched without a gap. Returns once
    /// every later change will be reported, or immediately if called from `on_news`.
    ///
    /// # Errors
    /// For a request that violates the rules of [`WatchRequest`]; the previous one then stays.
    pub fn watch(&self, request: WatchRequest) -> Result<(), ToolError> {
        request.check()?;
        let (done, is_done) = mpsc::channel();
        let asked = self.messages.send(Message::Watch(request.watched, done));
        // Both fail only if `on_news` panicked; there is nothing to wait for then.
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
    /// No messages are sent after this.
    fn drop(&mut self) {
        // Fails only if the thread has already ended.
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
