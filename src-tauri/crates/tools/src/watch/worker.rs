//! The watcher's thread: collects hints until they pause, scans, and reports the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::ears::{Deaf, Ears, Hint};
use super::scan::{Files, MAX_ENTRIES, difference, has_ending, look};
use super::{ChangeKind, Changed, WatchNews, Watched, What};

/// A burst of hints ends when none has arrived for this long.
const QUIET: Duration = Duration::from_millis(8);
/// After this long, a scan happens even if a burst continues. If nothing was reported for this
/// long, a replaced file is scanned without delay.
const MAX_BURST: Duration = Duration::from_millis(40);
/// Interval of scans without a hint, for changes that the system did not report.
const SLOW: Duration = Duration::from_secs(2);
/// Interval of scans if the system sends no notifications.
const POLL: Duration = Duration::from_millis(500);
/// Scanning takes at most `1 / SHARE` of the time.
const SHARE: u32 = 5;
/// A scan may find new folders to watch and is then repeated, at most this many times. Folders that
/// are created faster wait for the next hint.
const ROUNDS: usize = 8;

/// Messages to the thread.
#[derive(Debug)]
pub(super) enum Message {
    Hint(Hint),
    LookAtAll,
    /// Replaces what is watched, and confirms.
    Watch(Vec<Watched>, Sender<()>),
    Stop,
}

/// Creates a source that sends its hints to the given sender, or returns why there is none.
pub(super) type MakeEars = Box<dyn FnMut(&Sender<Message>) -> Result<Box<dyn Ears>, String> + Send>;

struct Item {
    watched: Watched,
    /// `None` before the first scan, which reports nothing.
    files: Option<Files>,
    targets: Vec<PathBuf>,
    folders: BTreeSet<PathBuf>,
    is_cut: bool,
    is_due: bool,
}

/// Hints in quick succession.
struct Burst {
    first: Instant,
    last: Instant,
    /// Whether a file was replaced by a complete one.
    has_whole: bool,
    /// Paths that may be in the middle of a change.
    open: BTreeSet<PathBuf>,
}

pub(super) struct Worker {
    tell: Box<dyn Fn(WatchNews) + Send>,
    make_ears: MakeEars,
    ears: Option<Box<dyn Ears>>,
    messages: Sender<Message>,
    items: Vec<Item>,
    /// The watched folders with their device and inode.
    heard: BTreeMap<PathBuf, (u64, u64)>,
    /// Files that were written to, according to hints.
    written: BTreeSet<PathBuf>,
    deaf: Option<String>,
    burst: Option<Burst>,
    /// When something was last reported.
    told: Option<Instant>,
    slow_due: Instant,
    not_before: Instant,
}

impl Worker {
    pub(super) fn new(
        tell: Box<dyn Fn(WatchNews) + Send>,
        make_ears: MakeEars,
        messages: Sender<Message>,
    ) -> Self {
        let now = Instant::now();
        Self {
            tell,
            make_ears,
            ears: None,
            messages,
            items: Vec::new(),
            heard: BTreeMap::new(),
            written: BTreeSet::new(),
            deaf: None,
            burst: None,
            told: None,
            slow_due: now,
            not_before: now,
        }
    }

    pub(super) fn run(mut self, inbox: &Receiver<Message>) {
        loop {
            let wait = self.next_look().saturating_duration_since(Instant::now());
            match inbox.recv_timeout(wait) {
                Ok(Message::Hint(hint)) => self.take(&hint),
                Ok(Message::LookAtAll) => {
                    let soon = self.not_before.max(Instant::now() + QUIET);
                    self.slow_due = self.slow_due.min(soon);
                }
                Ok(Message::Watch(watched, done)) => {
                    self.replace(watched);
                    // Fails if this was requested from `on_news`, where no one waits.
                    let _ = done.send(());
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let is_slow = Instant::now() >= self.slow_due;
                    self.look(is_slow);
                }
            }
        }
    }

    fn next_look(&self) -> Instant {
        let hinted = self.burst.as_ref().map(|burst| {
            // Several replacements in quick succession are an ordinary burst.
            let is_alone = self.told.is_none_or(|told| told + MAX_BURST <= burst.first);
            let due = if burst.has_whole && burst.open.is_empty() && is_alone {
                burst.last
            } else {
                (burst.last + QUIET).min(burst.first + MAX_BURST)
            };
            due.max(self.not_before)
        });
        hinted.map_or(self.slow_due, |due| due.min(self.slow_due))
    }

    fn take(&mut self, hint: &Hint) {
        for path in &hint.paths {
            if hint.is_gone {
                self.heard.retain(|folder, _| !folder.starts_with(path));
            }
            let mut matters = false;
            let mut was_there = false;
            for item in &mut self.items {
                let may_be_inside = match &item.watched.what {
                    What::File => false,
                    What::Folder { ending, .. } => !hint.is_file || has_ending(path, ending),
                };
                let is_meant = |target: &PathBuf| {
                    target.starts_with(path) || (may_be_inside && path.starts_with(target))
                };
                if item.targets.iter().any(is_meant) {
                    item.is_due = true;
                    matters = true;
                    let files = item.files.as_ref();
                    was_there |= files.is_some_and(|files| files.contains_key(path));
                }
            }
            if matters {
                let now = Instant::now();
                let burst = self.burst.get_or_insert_with(|| Burst {
                    first: now,
                    last: now,
                    has_whole: false,
                    open: BTreeSet::new(),
                });
                burst.last = now;
                burst.has_whole |= hint.is_whole;
                // A file that disappears before any scan was only temporary.
                if hint.is_whole || (hint.is_gone && !was_there) {
                    burst.open.remove(path);
                } else {
                    burst.open.insert(path.clone());
                }
                if hint.is_content {
                    self.written.insert(path.clone());
                }
            }
        }
    }

    fn replace(&mut self, watched: Vec<Watched>) {
        let mut before = std::mem::take(&mut self.items);
        for watched in watched {
            let known = before.iter().position(|item| item.watched == watched);
            self.items.push(match known {
                Some(known) => before.swap_remove(known),
                None => Item {
                    watched,
                    files: None,
                    targets: Vec::new(),
                    folders: BTreeSet::new(),
                    is_cut: false,
                    is_due: true,
                },
            });
        }
        self.look(true);
    }

    /// Scans what is due, or everything, and reports changes.
    fn look(&mut self, all: bool) {
        let begun = Instant::now();
        let was_deaf = self.deaf.clone();
        if all {
            self.deaf = None;
            self.items.iter_mut().for_each(|item| item.is_due = true);
            if self.ears.is_none() {
                match (self.make_ears)(&self.messages) {
                    Ok(ears) => self.ears = Some(ears),
                    Err(reason) => self.deaf = Some(reason),
                }
            }
        }
        let mut changes = BTreeMap::new();
        let mut news = Vec::new();
        for round in 0..ROUNDS {
            let again = all && round == 0;
            let has_new_folder = self.look_once(again, was_deaf.is_some(), &mut changes, &mut news);
            if !has_new_folder {
                break;
            }
        }
        self.items.iter_mut().for_each(|item| item.is_due = false);
        self.unlisten();
        self.written.clear();
        self.burst = None;
        let took = begun.elapsed();
        let now = Instant::now();
        self.not_before = now + took * (SHARE - 1);
        if all {
            let pause = if self.deaf.is_some() { POLL } else { SLOW };
            self.slow_due = now + pause.max(took * (SHARE - 1));
        }
        self.say(was_deaf, changes, news);
    }

    /// Scans the items that are due and collects their changes. Returns true if a folder was not
    /// watched before this scan, so that changes in it may have been missed.
    fn look_once(
        &mut self,
        listen_again: bool,
        was_deaf: bool,
        changes: &mut BTreeMap<PathBuf, ChangeKind>,
        news: &mut Vec<WatchNews>,
    ) -> bool {
        let mut has_new_folder = false;
        let mut asked = BTreeSet::new();
        for index in 0..self.items.len() {
            if !self.items[index].is_due {
                continue;
            }
            let watched = self.items[index].watched.clone();
            let mut folders = BTreeSet::new();
            let seen = look(&watched, &mut |folder| {
                let is_first = asked.insert(folder.to_owned());
                has_new_folder |= self.listen(folder, listen_again && is_first);
                folders.insert(folder.to_owned());
            });
            let item = &mut self.items[index];
            if let Some(before) = &item.files {
                let may_differ = |path: &Path| was_deaf || self.written.contains(path);
                for (path, kind) in difference(before, &seen.files, may_differ) {
                    add(changes, path, kind);
                }
            }
            if seen.is_cut && !item.is_cut {
                news.push(WatchNews::TooLarge {
                    path: watched.top.join(&watched.inside),
                    limit: MAX_ENTRIES,
                });
            }
            item.files = Some(seen.files);
            item.targets = seen.targets;
            item.folders = folders;
            item.is_cut = seen.is_cut;
        }
        has_new_folder
    }

    /// Watches a folder; true if it was not watched before. `again` renews a watch that may have
    /// been lost silently.
    fn listen(&mut self, folder: &Path, again: bool) -> bool {
        let (Some(ears), Ok(meta)) = (&mut self.ears, folder.metadata()) else {
            return false;
        };
        let id = (meta.dev(), meta.ino());
        let is_known = self.heard.get(folder) == Some(&id);
        if is_known && !again {
            return false;
        }
        if !is_known {
            // The watch for this name may belong to a folder that was moved away.
            ears.unlisten(folder);
        }
        match ears.listen(folder) {
            Ok(()) => {
                self.heard.insert(folder.to_owned(), id);
                !is_known
            }
            Err(why) => {
                self.heard.remove(folder);
                if let Deaf::Refused(reason) = why {
                    self.deaf.get_or_insert(reason);
                }
                false
            }
        }
    }

    fn unlisten(&mut self) {
        let Some(ears) = &mut self.ears else { return };
        let items = &self.items;
        self.heard.retain(|folder, _| {
            let is_needed = items.iter().any(|item| item.folders.contains(folder));
            if !is_needed {
                ears.unlisten(folder);
            }
            is_needed
        });
    }

    fn say(
        &mut self,
        was_deaf: Option<String>,
        changes: BTreeMap<PathBuf, ChangeKind>,
        mut news: Vec<WatchNews>,
    ) {
        match (&was_deaf, &self.deaf) {
            (None, Some(reason)) => {
                let reason = reason.clone();
                self.slow_due = self.slow_due.min(Instant::now() + POLL);
                news.push(WatchNews::Polling { reason });
            }
            (Some(_), None) => news.push(WatchNews::Listening),
            _ => {}
        }
        if !changes.is_empty() {
            let mut changed: Vec<Changed> = changes
                .into_iter()
                .map(|(path, kind)| Changed { path, kind })
                .collect();
            changed.sort_by_key(|change| change.kind);
            news.push(WatchNews::Changed(changed));
        }
        if !news.is_empty() {
            self.told = Some(Instant::now());
        }
        for one in news {
            (self.tell)(one);
        }
    }
}

/// Merges a later change of a file, so that the overall change is reported.
fn add(changes: &mut BTreeMap<PathBuf, ChangeKind>, path: PathBuf, kind: ChangeKind) {
    let together = match (changes.remove(&path), kind) {
        (Some(ChangeKind::Created), ChangeKind::Removed) => return,
        (Some(ChangeKind::Created), ChangeKind::Changed) => ChangeKind::Created,
        (Some(ChangeKind::Removed), ChangeKind::Created) => ChangeKind::Changed,
        (_, kind) => kind,
    };
    changes.insert(path, together);
}

#[cfg(test)]
mod tests;
