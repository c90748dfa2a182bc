//! The index of a workspace: search results, and its behavior as a disposable cache.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use store::{IndexHit, IndexedFile, NewSymbol, StoreError, WorkspaceIndex};
use tempfile::TempDir;

fn file(path: &str, names: &str, text: &str) -> IndexedFile {
    IndexedFile {
        path: path.to_owned(),
        size: 7,
        mtime_ns: 11,
        path_words: path.replace(['/', '.'], " "),
        name_words: names.replace('_', " "),
        text_words: text.to_owned(),
        keys: vec![path.rsplit('/').next().unwrap().to_owned()],
        symbols: names
            .split(' ')
            .filter(|name| !name.is_empty())
            .map(|name| NewSymbol {
                name: name.to_owned(),
                folded: name.replace('_', ""),
                line: 3,
                shape: "definition".to_owned(),
            })
            .collect(),
        links: Vec::new(),
    }
}

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("w.db");
    (folder, path)
}

fn writer(path: &Path) -> WorkspaceIndex {
    WorkspaceIndex::write(path).unwrap().unwrap()
}

fn found(index: &WorkspaceIndex, terms: &[&str]) -> Vec<(String, Vec<usize>)> {
    let terms: Vec<(&str, f64)> = terms.iter().map(|term| (*term, 1.0)).collect();
    let hits = index.search(&terms, 10, &[]).unwrap().hits.into_iter();
    hits.map(|hit| (hit.path.clone(), held(&hit))).collect()
}

/// The indexes of the terms that a file contains.
fn held(hit: &IndexHit) -> Vec<usize> {
    let both = hit.texts.iter().zip(&hit.paths).enumerate();
    let held = both.filter(|(_, (text, path))| **text > 0.0 || **path);
    held.map(|(index, _)| index).collect()
}

#[test]
fn the_best_file_comes_first_and_each_says_which_words_it_holds() {
    let (_folder, path) = place();
    let index = writer(&path);
    let files = [
        file("src/mail.py", "send", "report to the customer"),
        file("src/report.py", "read_rows", "rows columns"),
        file("src/noise.py", "wait", "nothing here"),
        file("src/more.py", "", "nothing there"),
        file("src/most.py", "", "nothing anywhere"),
    ];
    index.replace(&files, &[]).unwrap();
    assert_eq!(
        found(&index, &["reports", "reading", "customers"]),
        [
            ("src/report.py".to_owned(), vec![0, 1]),
            ("src/mail.py".to_owned(), vec![0, 2])
        ]
    );
    // Query operators have no special meaning.
    assert_eq!(found(&index, &["\"", "NOT", "a*", ""]), []);
    assert_eq!(found(&index, &["row\" OR \"nothing"]), []);
}

#[test]
fn a_rare_word_counts_more_a_path_is_told_apart_and_what_has_no_name_is_not_found() {
    let (_folder, path) = place();
    let index = writer(&path);
    let mut files: Vec<IndexedFile> = (0..8)
        .map(|at| file(&format!("src/f{at}.py"), "", "common words"))
        .collect();
    files.push(file("src/rare.py", "", "common"));
    let mut unnamed = file("Cargo.lock", "", "");
    unnamed.path_words.clear();
    files.push(unnamed);
    index.replace(&files, &[]).unwrap();
    let terms = [("rare", 1.0), ("common", 1.0), ("none", 1.0)];
    let found = index
        .search(&terms, 3, &["Cargo.lock", "src/f7.py", "gone.py"])
        .unwrap();
    assert!(
        found.rarity[0] > 3.0 * found.rarity[1] && found.rarity[2] > found.rarity[0],
        "{found:?}"
    );
    let paths: Vec<&str> = found.hits.iter().map(|hit| &*hit.path).collect();
    assert_eq!(
        paths,
        ["src/rare.py", "src/f0.py", "src/f1.py", "src/f7.py"]
    );
    let best = &found.hits[0];
    assert_eq!(best.paths, [true, false, false]);
    assert!(
        best.texts[0] == 0.0 && best.texts[1] > 0.0 && best.texts[1] < 1.0,
        "{best:?}"
    );
    assert_eq!(held(best), [0, 1]);
    // A term with zero weight doesn't affect the ranking.
    let found = index
        .search(&[("rare", 0.0), ("words", 1.0)], 1, &[])
        .unwrap();
    assert_eq!(found.hits[0].path, "src/f0.py");
}

#[test]
fn a_note_is_kept_until_another_takes_its_place() {
    let (_folder, path) = place();
    let index = writer(&path);
    assert_eq!(index.note("past").unwrap(), None);
    index.keep_note("past", "one").unwrap();
    index.keep_note("past", "two").unwrap();
    assert_eq!(index.note("past").unwrap().as_deref(), Some("two"));
    let reader = WorkspaceIndex::read(&path).unwrap().unwrap();
    assert_eq!(reader.note("past").unwrap().as_deref(), Some("two"));
    assert!(matches!(
        reader.keep_note("past", "three"),
        Err(StoreError::Locked)
    ));
}

#[test]
fn a_file_is_replaced_and_removed_with_all_that_was_known_of_it() {
    let (_folder, path) = place();
    let index = writer(&path);
    let mut one = file("a.py", "old_name", "apple");
    one.links = vec![("/b".to_owned(), "b.py".to_owned())];
    index
        .replace(&[one, file("b.py", "", "pear")], &[])
        .unwrap();
    assert_eq!(
        index.links_from("a.py").unwrap(),
        [("/b".to_owned(), "b.py".to_owned())]
    );
    assert_eq!(
        index.links_to("b.py").unwrap(),
        [("/b".to_owned(), "a.py".to_owned())]
    );
    index
        .replace(&[file("a.py", "new_name", "plum")], &["b.py".to_owned()])
        .unwrap();
    assert_eq!(found(&index, &["apple", "pear"]), []);
    assert_eq!(found(&index, &["plum"]).len(), 1);
    assert_eq!(index.symbols_of("a.py").unwrap(), ["new_name"]);
    assert_eq!(index.symbols_named("oldname", "old_name", 9).unwrap(), []);
    assert_eq!(index.links_from("a.py").unwrap(), []);
    assert_eq!(
        (index.files().unwrap(), index.knows("b.py").unwrap()),
        (1, false)
    );
    let mut stamps = Vec::new();
    index
        .stamps(|path, size, time| stamps.push((path.to_owned(), size, time)))
        .unwrap();
    assert_eq!(stamps, [("a.py".to_owned(), 7, 11)]);
}

#[test]
fn names_are_found_by_themselves_and_by_those_near_them() {
    let (_folder, path) = place();
    let index = writer(&path);
    let names = "read_rows read_row readers write_rows";
    index.replace(&[file("a.py", names, "")], &[]).unwrap();
    let named = index.symbols_named("readrows", "read_rows", 9).unwrap();
    assert_eq!((&*named[0].path, named[0].line), ("a.py", 3));
    let near = |head, range, most| index.symbols_near(head, range, most).unwrap();
    assert_eq!(near("r", (7, 8), 9), ["readers", "read_row", "read_rows"]);
    assert_eq!(near("r", (7, 8), 1), ["readers"]);
    assert_eq!(near("w", (1, 99), 9), ["write_rows"]);
    assert_eq!(index.paths_keyed("a.py", 9).unwrap(), ["a.py"]);
}

#[test]
fn a_word_is_known_where_any_file_holds_it() {
    let (_folder, path) = place();
    let index = writer(&path);
    index
        .replace(&[file("a.py", "", "read_rows apples")], &[])
        .unwrap();
    let is_known = |word: &str| index.has_word(word).unwrap();
    assert!(is_known("read_rows") && is_known("apples") && is_known("apple"));
    assert!(!is_known("pear") && !is_known("") && !is_known("\"") && !is_known("apples OR"));
}

#[test]
fn one_writes_and_others_read_what_is_there() {
    let (_folder, path) = place();
    assert!(WorkspaceIndex::read(&path).unwrap().is_none());
    let index = writer(&path);
    index.replace(&[file("a.py", "", "apple")], &[]).unwrap();
    assert!(WorkspaceIndex::write(&path).unwrap().is_none());
    let reader = WorkspaceIndex::read(&path).unwrap().unwrap();
    assert_eq!(found(&reader, &["apple"]).len(), 1);
    let refused = reader.replace(&[], &["a.py".to_owned()]);
    assert!(matches!(refused, Err(StoreError::Locked)), "{refused:?}");
    drop(index);
    writer(&path).replace(&[], &["a.py".to_owned()]).unwrap();
    assert_eq!(found(&reader, &["apple"]), []);
}

#[test]
fn what_is_damaged_or_of_another_format_is_begun_anew() {
    let (_folder, path) = place();
    let spoilt: [&dyn Fn(); 3] = [
        &|| fs::write(&path, "no database at all, but long enough to be looked at").unwrap(),
        &|| fs::write(&path, "").unwrap(),
        &|| {
            let conn = rusqlite::Connection::open(&path).unwrap();
            conn.pragma_update(None, "user_version", 9_999).unwrap();
        },
    ];
    for spoil in spoilt {
        let index = writer(&path);
        index.replace(&[file("a.py", "", "apple")], &[]).unwrap();
        drop(index);
        assert_eq!(writer(&path).files().unwrap(), 1, "a sound one is kept");
        spoil();
        assert!(WorkspaceIndex::read(&path).unwrap().is_none());
        assert_eq!(writer(&path).files().unwrap(), 0);
    }
}

#[test]
fn the_files_are_the_users_alone() {
    let (folder, path) = place();
    let index = writer(&path);
    index.replace(&[file("a.py", "", "apple")], &[]).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
}

#[test]
fn one_that_only_amends_makes_nothing() {
    let (folder, path) = place();
    let amended = || WorkspaceIndex::amend(&path).unwrap();
    assert!(amended().is_none());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(&path, "spoilt").unwrap();
    assert!(amended().is_none());
    assert_eq!(fs::read_to_string(&path).unwrap(), "spoilt");

    let first = writer(&path);
    first.replace(&[file("a.py", "", "apple")], &[]).unwrap();
    assert!(amended().is_none(), "another one writes");
    drop(first);
    let index = amended().unwrap();
    index.replace(&[file("b.py", "", "pear")], &[]).unwrap();
    assert_eq!(index.files().unwrap(), 2);
}

#[test]
fn one_is_removed_with_all_that_lies_beside_it_unless_another_writes_it() {
    let (folder, path) = place();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    assert!(WorkspaceIndex::remove(&path).unwrap(), "there is none");
    let first = writer(&path);
    first.replace(&[file("a.py", "", "apple")], &[]).unwrap();
    assert!(!WorkspaceIndex::remove(&path).unwrap());
    drop(first);
    let reader = WorkspaceIndex::read(&path).unwrap().unwrap();
    assert!(WorkspaceIndex::remove(&path).unwrap());
    assert_eq!(files(), 0);
    assert!(reader.knows("a.py").unwrap());

    fs::write(&path, "spoilt").unwrap();
    assert!(WorkspaceIndex::remove(&path).unwrap());
    assert_eq!(files(), 0);
    assert_eq!(writer(&path).files().unwrap(), 0);
}
