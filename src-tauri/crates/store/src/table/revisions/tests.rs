//! No content of a plan file is ever lost, and none is stored twice.

#![allow(clippy::print_stdout, reason = "a measurement says what it measured")]

use super::*;
use crate::Store;
use crate::packed::{pack, pack_onto};
use crate::table::testing::{PLAN, fresh, hash, record};

fn history(store: &Store) -> Vec<(String, Option<String>)> {
    let events = store.revisions().events(PLAN).unwrap();
    events.into_iter().map(|e| (e.hash, e.parent)).collect()
}

#[test]
fn a_content_that_comes_back_is_a_new_event_on_the_old_content() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let b = record(&store, "B", Some(&a));
    record(&store, "A", Some(&b));
    record(&store, "B", Some(&a));
    let steps = [
        (a.clone(), None),
        (b.clone(), Some(a.clone())),
        (a.clone(), Some(b.clone())),
        (b.clone(), Some(a)),
    ];
    assert_eq!(history(&store), steps);
    let contents: i64 = store
        .conn
        .query_row("SELECT count(*) FROM revisions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(contents, 2, "each content is kept once");
    let newest = store.revisions().latest(PLAN).unwrap().unwrap();
    assert_eq!(newest.hash, b, "what the file holds now");
}

#[test]
fn recording_again_after_a_crash_changes_nothing() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    record(&store, "B", Some(&a));
    let before = history(&store);
    record(&store, "B", Some(&a));
    record(&store, "B", None);
    let b = hash(b"B");
    record(&store, "B", Some(&b));
    assert_eq!(history(&store), before);
}

#[test]
fn a_step_seen_by_the_watcher_first_still_gets_its_author() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let mut step = NewRevision {
        plan: PLAN,
        hash: &hash(b"B"),
        parent: Some(&a),
        author: Author::Outside,
        reason: "seen on disk",
        at_ms: 2,
        content: b"B",
    };
    assert!(store.revisions().record(&step).unwrap());
    step.author = Author::App;
    assert!(store.revisions().record(&step).unwrap());
    assert!(!store.revisions().record(&step).unwrap());
    let newest = store.revisions().latest(PLAN).unwrap().unwrap();
    assert_eq!((newest.author, newest.at_ms), (Author::App, 2));
}

#[test]
fn a_prefix_of_twelve_or_more_finds_a_revision_of_this_plan_alone() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let find = |prefix: &str| store.revisions().by_prefix(PLAN, prefix).unwrap();
    assert_eq!(find(&a), Lookup::One(a.clone()));
    assert_eq!(find(&a[..12].to_uppercase()), Lookup::One(a.clone()));
    assert_eq!(find(&a[..11]), Lookup::None, "too short");
    assert_eq!(find(&format!("{}%", &a[..12])), Lookup::None, "not hex");
    assert_eq!(find("000000000000"), Lookup::None);
    let elsewhere = store.revisions().by_prefix("/w/plans/b.md", &a).unwrap();
    assert_eq!(elsewhere, Lookup::None, "another plan's revision");
}

#[test]
fn a_prefix_that_fits_two_names_both() {
    let (_folder, store) = fresh();
    // No two known hashes share their first twelve digits, so the rows are inserted directly.
    let twins = [
        format!("{:0<64}", "abcdefabcdef1"),
        format!("{:0<64}", "abcdefabcdef2"),
    ];
    for twin in &twins {
        let insert = "INSERT INTO revisions (hash, size, content) VALUES (?1, 0, x'')";
        store.conn.execute(insert, [twin]).unwrap();
        let insert = "INSERT INTO revision_events (plan, hash, author, reason, at_ms)
                      VALUES (?1, ?2, 'person', '', 0)";
        store.conn.execute(insert, [PLAN, twin]).unwrap();
    }
    let found = store.revisions().by_prefix(PLAN, "ABCDEFabcdef").unwrap();
    assert_eq!(found, Lookup::Many(twins.to_vec()));
}

#[test]
fn content_comes_back_byte_for_byte() {
    let (_folder, store) = fresh();
    let text = "\u{feff}- [ ] a\r\n\t- [x] b \r- [-] c";
    let hash = record(&store, text, None);
    let content = store.revisions().content(&hash).unwrap();
    assert_eq!(content.as_deref(), Some(text.as_bytes()));
    assert_eq!(store.revisions().content(&"0".repeat(64)).unwrap(), None);
}

#[test]
fn a_content_under_a_wrong_name_is_refused() {
    let (_folder, store) = fresh();
    let revision = NewRevision {
        plan: PLAN,
        hash: &hash(b"A"),
        parent: None,
        author: Author::Person,
        reason: "",
        at_ms: 0,
        content: b"B",
    };
    let refused = store.revisions().record(&revision);
    assert!(matches!(refused, Err(StoreError::WrongHash { .. })));
    assert_eq!(store.revisions().latest(PLAN).unwrap(), None);
}

#[test]
fn a_content_that_changed_on_disk_is_never_handed_out() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let other = pack(b"Z").unwrap();
    store
        .conn
        .execute_batch("DROP TRIGGER revisions_are_never_changed")
        .unwrap();
    store
        .conn
        .execute("UPDATE revisions SET content = ?1", [other.bytes])
        .unwrap();
    let read = store.revisions().content(&a);
    assert!(matches!(read, Err(StoreError::Damaged { .. })));
}

#[test]
fn history_cannot_be_rewritten() {
    let (_folder, store) = fresh();
    record(&store, "A", None);
    for table in ["revisions", "revision_events"] {
        for sql in [
            format!("DELETE FROM {table}"),
            format!("UPDATE {table} SET hash = hash"),
        ] {
            let refused = store.conn.execute(&sql, []).unwrap_err();
            assert!(
                refused.to_string().contains("append-only"),
                "{sql}: {refused}"
            );
        }
    }
}

/// A realistic plan of about 100 kB and small edits to it.
struct LongPlan {
    tasks: Vec<String>,
    seed: u64,
}

impl LongPlan {
    const WORDS: [&str; 24] = [
        "report", "parser", "rows", "the", "flag", "output", "reads", "writes", "column", "cache",
        "request", "after", "before", "session", "limit", "retry", "a", "user", "index", "lock",
        "every", "without", "header", "token",
    ];

    fn new() -> Self {
        let mut plan = LongPlan {
            tasks: Vec::new(),
            seed: 1,
        };
        let mut size = 0;
        while size < 100_000 {
            let task = plan.task(plan.tasks.len() + 1);
            size += task.len();
            plan.tasks.push(task);
        }
        plan
    }

    fn number(&mut self, below: usize) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.seed >> 33).unwrap() % below
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<_> = (0..count).map(|_| Self::WORDS[self.number(24)]).collect();
        words.join(" ")
    }

    fn task(&mut self, id: usize) -> String {
        let (title, prose, file) = (self.words(7), self.words(30), self.words(1));
        let number = self.number(10_000);
        format!(
            "- [ ] **T{id}** {title} {number}\n  {prose}\n  - files: `src/{file}{id}.py`\n  - covers: R{}\n  - verify: `python -m pytest tests/test_{file}.py`\n",
            id % 9
        )
    }

    /// Makes one edit: toggles a box, or edits a title, or adds, deletes or moves a step.
    fn edit(&mut self) {
        let at = self.number(self.tasks.len());
        match self.number(5) {
            0 => self.tasks[at] = self.tasks[at].replacen("[ ]", "[x]", 1),
            1 => {
                let words = self.words(5);
                let rest = self.tasks[at].split_once('\n').unwrap().1.to_owned();
                self.tasks[at] = format!("- [ ] **T{at}** {words}\n{rest}");
            }
            2 => {
                let task = self.task(self.tasks.len() + 1_000);
                self.tasks.insert(at, task);
            }
            3 => drop(self.tasks.remove(at)),
            _ => {
                let task = self.tasks.remove(at);
                let to = self.number(self.tasks.len());
                self.tasks.insert(to, task);
            }
        }
    }

    fn text(&self) -> String {
        format!("# A long plan\n\n## Tasks\n{}", self.tasks.concat())
    }
}

#[test]
fn a_thousand_revisions_of_a_plan_of_100_kb_take_less_than_5_mb() {
    let (folder, store) = fresh();
    let mut plan = LongPlan::new();
    let mut all: Vec<(String, String)> = Vec::new();
    let mut slowest = std::time::Duration::ZERO;
    for _ in 0..1_000 {
        let text = plan.text();
        assert!((80_000..130_000).contains(&text.len()), "{}", text.len());
        let parent = all.last().map(|(hash, _)| hash.as_str());
        let start = std::time::Instant::now();
        let hash = record(&store, &text, parent);
        slowest = slowest.max(start.elapsed());
        all.push((hash, text));
        plan.edit();
    }
    let read = std::time::Instant::now();
    for (hash, text) in &all {
        let content = store.revisions().content(hash).unwrap().unwrap();
        assert_eq!(content, text.as_bytes());
    }
    let read = read.elapsed() / 1_000;
    drop(store);
    let files = std::fs::read_dir(folder.path()).unwrap().flatten();
    let files = files.map(|file| file.metadata().unwrap());
    let size: u64 = files
        .filter(|meta| meta.is_file())
        .map(|meta| meta.len())
        .sum();
    println!(
        "1,000 revisions of 100 kB: {size} bytes on disk; slowest write {slowest:?}, a read {read:?}"
    );
    assert!(size < 5_000_000, "{size} bytes");
}

fn edit_history(store: &Store) -> Vec<String> {
    let mut text = "- [ ] a step of the plan that is long enough to be worth a change\n".repeat(30);
    let mut hashes: Vec<String> = Vec::new();
    for at in 0..20 {
        text.push_str(&format!("- [ ] step {at}\n"));
        let parent = hashes.last().map(String::as_str);
        hashes.push(record(store, &text, parent));
    }
    hashes
}

fn tamper(store: &Store, sql: &str, hash: &str) {
    let open = "DROP TRIGGER IF EXISTS revisions_are_never_changed;
                DROP TRIGGER IF EXISTS revisions_are_never_deleted; PRAGMA foreign_keys = OFF";
    store.conn.execute_batch(open).unwrap();
    assert_eq!(store.conn.execute(sql, [hash]).unwrap(), 1);
}

#[test]
fn a_content_whose_base_is_missing_names_both() {
    let (_folder, store) = fresh();
    let hashes = edit_history(&store);
    tamper(&store, "DELETE FROM revisions WHERE hash = ?1", &hashes[8]);
    let Err(StoreError::Damaged { what }) = store.revisions().content(&hashes[12]) else {
        panic!("it was read")
    };
    assert!(
        what.contains(&hashes[12][..12]) && what.contains(&hashes[8][..12]),
        "{what}"
    );
    assert!(store.revisions().content(&hashes[7]).unwrap().is_some());
    assert_eq!(store.revisions().content(&hashes[8]).unwrap(), None);
}

#[test]
fn a_changed_base_is_never_read_through_and_nothing_new_rests_on_it() {
    let (_folder, store) = fresh();
    let hashes = edit_history(&store);
    let held = store.revisions().content(&hashes[18]).unwrap().unwrap();
    let other = pack_onto(&held, &held).unwrap().bytes;
    let (size, hex) = (held.len(), other.iter().map(|byte| format!("{byte:02x}")));
    let hex: String = hex.collect();
    let sql = format!("UPDATE revisions SET size = {size}, content = x'{hex}' WHERE hash = ?1");
    tamper(&store, &sql, &hashes[16]);
    for hash in &hashes[16..] {
        let read = store.revisions().content(hash);
        assert!(matches!(read, Err(StoreError::Damaged { .. })), "{read:?}");
    }
    let text = [&held[..], b"- [ ] one more\n"].concat();
    let text = String::from_utf8(text).unwrap();
    let new = record(&store, &text, Some(&hashes[19]));
    let read = store.revisions().content(&new).unwrap().unwrap();
    assert_eq!(read, text.as_bytes());
}

#[test]
fn contents_without_a_known_forerunner_stand_alone() {
    let (_folder, store) = fresh();
    let unknown = "0".repeat(64);
    let a = record(&store, "- [ ] a\n", Some(&unknown));
    let b = record(
        &store,
        "something else altogether, with no word in common",
        Some(&a),
    );
    for hash in [a, b] {
        let base: Option<String> = store
            .conn
            .query_row(
                "SELECT base FROM revisions WHERE hash = ?1",
                [&hash],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(base, None);
        assert!(store.revisions().content(&hash).unwrap().is_some());
    }
}

#[test]
fn a_page_is_the_newest_part_of_the_history() {
    let (_folder, store) = fresh();
    let hashes = edit_history(&store);
    let revisions = store.revisions();
    let page = revisions.page(PLAN, None, 3).unwrap();
    let of = |page: &[RevisionEvent]| -> Vec<String> {
        page.iter().map(|event| event.hash.clone()).collect()
    };
    assert_eq!(of(&page), [&*hashes[19], &hashes[18], &hashes[17]]);
    let next = revisions.page(PLAN, Some(page[2].seq), 2).unwrap();
    assert_eq!(of(&next), [&*hashes[16], &hashes[15]]);
    let first = revisions.events(PLAN).unwrap()[0].seq;
    assert!(revisions.page(PLAN, Some(first), 5).unwrap().is_empty());
    assert!(revisions.page(PLAN, None, 0).unwrap().is_empty());
}
