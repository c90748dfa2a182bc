//! How long each kind of hint delays a scan.

use std::fs;
use std::sync::mpsc;

use super::*;

/// A worker that watches a folder with one plan, and that plan's path.
fn watching() -> (tempfile::TempDir, Worker, PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().canonicalize().unwrap();
    fs::create_dir(folder.join("plans")).unwrap();
    let plan = folder.join("plans/p.md");
    fs::write(&plan, "- [ ] one\n").unwrap();
    let (messages, _) = mpsc::channel();
    let no_ears: MakeEars = Box::new(|_| Err("none".to_owned()));
    let mut worker = Worker::new(Box::new(|_| {}), no_ears, messages);
    let what = What::Folder {
        ending: ".md".to_owned(),
        deep: true,
    };
    worker.replace(vec![Watched {
        top: folder,
        inside: PathBuf::from("plans"),
        what,
    }]);
    worker.not_before = Instant::now();
    worker.slow_due = Instant::now() + MAX_BURST * 100;
    // Ignore the only message so far, which says that the watcher polls.
    worker.told = None;
    (top, worker, plan)
}

fn written(path: &Path) -> Hint {
    Hint {
        paths: vec![path.to_owned()],
        is_content: true,
        is_gone: false,
        is_whole: false,
        is_file: true,
    }
}

/// The two halves of a rename.
fn renamed(from: &Path, to: &Path) -> [Hint; 2] {
    [from, to].map(|path| Hint {
        is_gone: true,
        is_whole: path == to,
        is_file: false,
        ..written(path)
    })
}

fn is_looked_at_once(worker: &Worker) -> bool {
    worker.next_look() <= Instant::now()
}

#[test]
fn what_is_written_is_looked_at_when_it_is_quiet() {
    let (_top, mut worker, plan) = watching();
    let before = Instant::now();
    worker.take(&written(&plan));
    assert!(worker.next_look() >= before + QUIET);
}

#[test]
fn what_is_replaced_is_looked_at_at_once() {
    let (_top, mut worker, plan) = watching();
    let draft = plan.with_file_name(".p.md.tmp");
    worker.take(&written(&draft));
    assert!(worker.burst.is_none(), "a draft is no plan");
    let [from, to] = renamed(&draft, &plan);
    let before = Instant::now();
    worker.take(&from);
    let due = worker.next_look();
    assert!(due >= before + QUIET, "the other half is on its way");
    worker.take(&to);
    assert!(is_looked_at_once(&worker));
}

#[test]
fn a_draft_that_is_named_like_a_plan_is_none_once_it_is_renamed() {
    let (_top, mut worker, plan) = watching();
    let draft = plan.with_file_name("p.new.md");
    worker.take(&written(&draft));
    for hint in renamed(&draft, &plan) {
        worker.take(&hint);
    }
    assert!(is_looked_at_once(&worker));
}

#[test]
fn a_plan_that_makes_way_for_a_new_one_is_waited_for() {
    let (_top, mut worker, plan) = watching();
    let before = Instant::now();
    for hint in renamed(&plan, &plan.with_extension("md~")) {
        worker.take(&hint);
    }
    worker.take(&written(&plan));
    assert!(worker.next_look() >= before + QUIET);
}

#[test]
fn a_plan_that_is_being_written_is_not_hurried_by_another() {
    let (_top, mut worker, plan) = watching();
    let before = Instant::now();
    worker.take(&written(&plan.with_file_name("other.md")));
    for hint in renamed(&plan.with_file_name("p.tmp"), &plan) {
        worker.take(&hint);
    }
    assert!(worker.next_look() >= before + QUIET);
}

#[test]
fn replacing_again_and_again_is_a_burst() {
    let (_top, mut worker, plan) = watching();
    worker.told = Some(Instant::now());
    let before = Instant::now();
    for hint in renamed(&plan.with_file_name("p.tmp"), &plan) {
        worker.take(&hint);
    }
    assert!(worker.next_look() >= before + QUIET);
}
