//! Systems that send no notifications, or stop sending them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::ears::{Deaf, Ears};
use super::*;

const LONG: Duration = Duration::from_secs(20);

/// A source that sends no hints, and can be made to refuse further folders.
struct Silent {
    refuses: Arc<AtomicBool>,
    listened: Arc<Mutex<Vec<PathBuf>>>,
}

impl Ears for Silent {
    fn listen(&mut self, folder: &Path) -> Result<(), Deaf> {
        self.listened.lock().unwrap().push(folder.to_owned());
        match self.refuses.load(Ordering::SeqCst) {
            true => Err(Deaf::Refused("none left".to_owned())),
            false => Ok(()),
        }
    }

    fn unlisten(&mut self, folder: &Path) {
        self.listened
            .lock()
            .unwrap()
            .retain(|known| known != folder);
    }
}

struct Fixture {
    folder: tempfile::TempDir,
    refuses: Arc<AtomicBool>,
    listened: Arc<Mutex<Vec<PathBuf>>>,
    news: Receiver<WatchNews>,
    watcher: Watcher,
}

fn silent(refuses: bool) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("plans")).unwrap();
    let refuses = Arc::new(AtomicBool::new(refuses));
    let listened = Arc::new(Mutex::new(Vec::new()));
    let (sender, news) = mpsc::channel();
    let shared = (Arc::clone(&refuses), Arc::clone(&listened));
    let make_ears: MakeEars = Box::new(move |_| {
        let (refuses, listened) = (Arc::clone(&shared.0), Arc::clone(&shared.1));
        Ok(Box::new(Silent { refuses, listened }))
    });
    let request = WatchRequest::new().folder(folder.path(), "plans", ".md");
    let tell = move |one| sender.send(one).unwrap();
    let watcher = Watcher::start_with(request, tell, make_ears).unwrap();
    Fixture {
        folder,
        refuses,
        listened,
        news,
        watcher,
    }
}

fn changed(path: &Path, kind: ChangeKind) -> WatchNews {
    let path = path.to_owned();
    WatchNews::Changed(vec![Changed { path, kind }])
}

#[test]
fn without_hints_changes_are_found_all_the_same() {
    let fixture = silent(false);
    let plan = fixture.folder.path().join("plans/a.md");
    fs::write(&plan, "a").unwrap();
    let news = fixture.news.recv_timeout(LONG).unwrap();
    assert_eq!(news, changed(&plan, ChangeKind::Created));
}

#[test]
fn without_watches_it_polls_says_so_once_and_listens_again_when_it_can() {
    let fixture = silent(true);
    let reason = "none left".to_owned();
    let news = fixture.news.recv_timeout(LONG).unwrap();
    assert_eq!(news, WatchNews::Polling { reason });
    let plan = fixture.folder.path().join("plans/a.md");
    fs::write(&plan, "a").unwrap();
    let news = fixture.news.recv_timeout(LONG).unwrap();
    assert_eq!(news, changed(&plan, ChangeKind::Created));
    fixture.refuses.store(false, Ordering::SeqCst);
    loop {
        // Due to the file system's time step, one write may be reported twice.
        match fixture.news.recv_timeout(LONG).unwrap() {
            WatchNews::Listening => break,
            news => assert_eq!(news, changed(&plan, ChangeKind::Changed)),
        }
    }
}

#[test]
fn a_system_without_any_watcher_is_polled() {
    let folder = tempfile::tempdir().unwrap();
    let (sender, news) = mpsc::channel();
    let request = WatchRequest::new().file(folder.path(), "settings.json");
    let tell = move |one| sender.send(one).unwrap();
    let none: MakeEars = Box::new(|_| Err("no watcher".to_owned()));
    let _watcher = Watcher::start_with(request, tell, none).unwrap();
    let reason = "no watcher".to_owned();
    let first = news.recv_timeout(LONG).unwrap();
    assert_eq!(first, WatchNews::Polling { reason });
    let file = folder.path().join("settings.json");
    fs::write(&file, "{}").unwrap();
    let second = news.recv_timeout(LONG).unwrap();
    assert_eq!(second, changed(&file, ChangeKind::Created));
}

#[test]
fn what_is_not_watched_any_more_is_not_listened_to() {
    let fixture = silent(false);
    fs::create_dir(fixture.folder.path().join("notes")).unwrap();
    let request = WatchRequest::new().folder(fixture.folder.path(), "notes", ".md");
    fixture.watcher.watch(request).unwrap();
    let top = fixture.folder.path().canonicalize().unwrap();
    let mut listened = fixture.listened.lock().unwrap().clone();
    listened.sort();
    listened.dedup();
    assert_eq!(listened, [top.clone(), top.join("notes")]);
}
