//! The system's file notifications: hints that something happened, and where.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{CreateKind, EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, INotifyWatcher, RecursiveMode, Watcher as _};

use super::worker::{MakeEars, Message};

/// A hint that something happened at these paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) paths: Vec<PathBuf>,
    /// Whether the content may have changed even if the metadata is the same.
    pub(super) is_content: bool,
    /// Whether the previous entry may be gone. A watch on it then ends too.
    pub(super) is_gone: bool,
    /// Whether the new entry was renamed into place, which means that it is complete.
    pub(super) is_whole: bool,
    /// Whether it is known to be a file. Otherwise it may also be a folder.
    pub(super) is_file: bool,
}

/// Why a folder can't be watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deaf {
    /// The folder no longer exists; the next scan handles that.
    Gone,
    /// The system's limits are reached; contains the reason, as a sentence.
    Refused(String),
}

/// A source of hints.
pub(super) trait Ears: Send {
    /// Watches a folder, without its subfolders. May be called again for the same folder.
    fn listen(&mut self, folder: &Path) -> Result<(), Deaf>;
    /// Stops watching a folder; does nothing if it was not watched.
    fn unlisten(&mut self, folder: &Path);
}

/// Hints from the system's file notifications.
pub(super) fn system() -> MakeEars {
    Box::new(|messages: &Sender<Message>| {
        let messages = messages.clone();
        let heard = move |event: notify::Result<Event>| {
            let message = match event {
                Ok(event) if event.need_rescan() => Message::LookAtAll,
                // Both halves of a rename were already reported separately.
                Ok(event) if event.kind.is_access() || event.kind == RENAMED => return,
                Ok(event) => Message::Hint(hint(event)),
                // Events may have been lost.
                Err(_) => Message::LookAtAll,
            };
            // Fails only while the watcher is being dropped.
            let _ = messages.send(message);
        };
        match INotifyWatcher::new(heard, Config::default()) {
            Ok(watcher) => Ok(Box::new(System(watcher))),
            Err(error) => Err(refused(&error)),
        }
    })
}

/// An event that combines both halves of a rename.
const RENAMED: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::Both));

fn hint(event: Event) -> Hint {
    use EventKind::{Create, Modify, Remove};
    let is_name = matches!(event.kind, Modify(ModifyKind::Name(_)));
    Hint {
        is_content: !matches!(event.kind, Modify(ModifyKind::Metadata(_))),
        is_gone: is_name || matches!(event.kind, Remove(_)),
        is_whole: event.kind == Modify(ModifyKind::Name(RenameMode::To)),
        is_file: matches!(
            event.kind,
            Create(CreateKind::File) | Modify(ModifyKind::Data(_))
        ),
        paths: event.paths,
    }
}

struct System(INotifyWatcher);

impl Ears for System {
    fn listen(&mut self, folder: &Path) -> Result<(), Deaf> {
        let done = self.0.watch(folder, RecursiveMode::NonRecursive);
        done.map_err(|error| match &error.kind {
            notify::ErrorKind::PathNotFound => Deaf::Gone,
            notify::ErrorKind::Io(io) if io.kind() == std::io::ErrorKind::NotFound => Deaf::Gone,
            _ => Deaf::Refused(refused(&error)),
        })
    }

    fn unlisten(&mut self, folder: &Path) {
        // The watch may already have ended with its folder.
        let _ = self.0.unwatch(folder);
    }
}

fn refused(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "The system limit on file watches is reached, so \
                                             Planwright checks for changes twice a second. For \
                                             instant updates, raise fs.inotify.max_user_watches."
            .to_owned(),
        notify::ErrorKind::Io(io) if io.raw_os_error() == Some(libc::EMFILE) => {
            "The system limit on file watchers is reached, so Planwright checks for changes \
             twice a second. For instant updates, close another program or raise \
             fs.inotify.max_user_instances."
                .to_owned()
        }
        kind => format!(
            "The system doesn't report file changes here ({}), so Planwright checks for changes \
             twice a second.",
            match kind {
                notify::ErrorKind::Io(io) => io.to_string(),
                _ => error.to_string(),
            }
        ),
    }
}
