//! Collects the material for a step's model: files that the step names, and facts learned earlier.
//!
//! Read-only, through the workspace's jail, and bounded. A fact is stored with its source file and
//! the file's hash; it is stale once the hash differs or the file is gone. `agent::context` decides
//! how much of this the model gets.

use std::collections::{BTreeMap, BTreeSet};

use agent::context::{Fact, FileText, Material, Wants, near_paths};
use store::{NewFact, Store};
use tools::files::MAX_FILE;
use tools::{ContentHash, ToolError, Workspace, documents, listing};

use crate::error::Result;
use crate::text::{counted, one_line};

/// Maximum number of bytes of a file that are passed on; lines beyond are only counted.
const MAX_TEXT: usize = 512 << 10;

/// Maximum number of facts of a plan that are read, newest first.
const MAX_FACTS: usize = 300;

/// Maximum number of files hashed to detect stale facts; facts from other files are left out.
const MAX_HASHED: usize = 100;

/// Maximum number of files and folders searched for paths similar to missing ones.
const MAX_ENTRIES: usize = 50_000;

/// Maximum number of suggestions for a missing path.
const NEARBY: usize = 3;

/// Maximum number of facts stored per step.
const MAX_LEARNED: usize = 12;

/// The length limit of a fact, in bytes.
const MAX_FACT_LEN: usize = 400;

/// Collects what a step needs. An unreadable file is reported rather than causing an error. Fails
/// if the workspace is gone or the database can't be read.
pub(crate) fn gather(
    store: &Store,
    workspace: &Workspace,
    plan_key: &str,
    wants: &Wants,
) -> Result<Material> {
    workspace.ensure_present()?;
    let mut material = Material::default();
    let mut hashes: BTreeMap<String, Option<String>> = BTreeMap::new();
    for path in &wants.files {
        match documents::read_for_model(workspace, path, MAX_FILE) {
            Ok(bytes) => {
                let file = of_bytes(path, bytes);
                hashes.insert(path.clone(), Some(file.hash.clone()));
                material.files.push(file);
            }
            Err(ToolError::NotFound { .. }) => material.missing.push(path.clone()),
            Err(error) => {
                hashes.insert(path.clone(), None);
                material.files.push(FileText {
                    path: path.clone(),
                    unshown: Some(unreadable_reason(&error)),
                    ..FileText::default()
                });
            }
        }
    }
    if !material.missing.is_empty() {
        material.nearby = nearby(workspace, &material.missing);
    }
    for kept in store.facts().of(plan_key, MAX_FACTS)? {
        let is_stale = match (&kept.path, &kept.hash) {
            (Some(path), Some(then)) => {
                if !hashes.contains_key(path) {
                    if hashes.len() >= MAX_HASHED {
                        continue;
                    }
                    hashes.insert(path.clone(), hash_of(workspace, path));
                }
                hashes.get(path).and_then(Option::as_ref) != Some(then)
            }
            _ => false,
        };
        material.facts.push(Fact {
            id: kept.id,
            text: kept.text,
            task: kept.task,
            path: kept.path,
            hash: kept.hash,
            is_stale,
            learned_ms: kept.learned_ms,
        });
    }
    Ok(material)
}

/// The facts that a step learned, and the files it read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Learned<'a> {
    /// The step's ID.
    pub(crate) task: &'a str,
    /// The facts that the model reported.
    pub(crate) facts: &'a [String],
    /// The files it read or wrote, in order, with their hashes at the end of the step.
    pub(crate) read: &'a [(String, String)],
}

/// Stores what a step learned: one line per fact, without empty ones, each with its source among
/// the files read, if it can be determined.
pub(crate) fn keep_facts(
    store: &Store,
    workspace: &Workspace,
    plan_key: &str,
    learned: Learned<'_>,
    at_ms: i64,
) -> Result<()> {
    let mut said: BTreeSet<String> = BTreeSet::new();
    let texts: Vec<String> = learned
        .facts
        .iter()
        .map(|fact| fact_line(fact))
        .filter(|fact| !fact.is_empty() && said.insert(agent::context::said(fact)))
        .take(MAX_LEARNED)
        .collect();
    let mut contents: Option<Vec<String>> = None;
    let facts: Vec<NewFact<'_>> = texts
        .iter()
        .map(|text| {
            let source = agent::context::named_source(text, learned.read).or_else(|| {
                let contents = contents.get_or_insert_with(|| contents_of(workspace, learned.read));
                agent::context::likely_source(text, contents)
            });
            let source = source.and_then(|index| learned.read.get(index));
            NewFact {
                text,
                path: source.map(|(path, _)| path.as_str()),
                hash: source.map(|(_, hash)| hash.as_str()),
            }
        })
        .collect();
    let root = workspace.path().to_string_lossy();
    store
        .facts()
        .keep(&root, plan_key, Some(learned.task), &facts, at_ms)?;
    Ok(())
}

/// The texts passed on for the files that were read; empty for unreadable ones.
fn contents_of(workspace: &Workspace, read: &[(String, String)]) -> Vec<String> {
    read.iter()
        .map(
            |(path, _)| match documents::read_for_model(workspace, path, MAX_FILE) {
                Ok(bytes) => of_bytes(path, bytes).text,
                Err(_) => String::new(),
            },
        )
        .collect()
}

fn of_bytes(path: &str, bytes: Vec<u8>) -> FileText {
    let hash = ContentHash::of(&bytes).to_hex();
    let file = FileText {
        path: path.to_owned(),
        hash,
        ..FileText::default()
    };
    if bytes.iter().take(8 << 10).any(|byte| *byte == 0) {
        return FileText {
            unshown: Some(format!(
                "is a binary file of {}",
                counted(bytes.len(), "byte")
            )),
            ..file
        };
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    let lines_total = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let is_cut = text.len() > MAX_TEXT;
    if is_cut {
        let end = text.floor_char_boundary(MAX_TEXT);
        let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
        text.truncate(end);
    }
    FileText {
        text,
        lines_total,
        is_cut,
        ..file
    }
}

/// Why a file's text is missing, as the end of a sentence that starts with its path.
fn unreadable_reason(error: &ToolError) -> String {
    match error {
        ToolError::TooLarge { len, .. } => format!("is too large to read at once ({len} bytes)"),
        ToolError::NotAFile { kind, .. } => format!("is {kind}"),
        other => format!("cannot be read ({other})"),
    }
}

fn hash_of(workspace: &Workspace, path: &str) -> Option<String> {
    let bytes = documents::read(workspace, path, MAX_FILE).ok()?;
    Some(ContentHash::of(&bytes).to_hex())
}

pub(crate) fn nearby(workspace: &Workspace, missing: &[String]) -> Vec<String> {
    let listing = match listing::files_below(workspace, "", "", MAX_ENTRIES) {
        Ok(listing) => listing,
        Err(error) => {
            tracing::info!(%error, "couldn't look for similar paths");
            return Vec::new();
        }
    };
    let mut near: Vec<String> = Vec::new();
    for path in missing {
        for found in near_paths(path, listing.files.iter().map(String::as_str), NEARBY) {
            if !near.iter().any(|known| known == found) {
                near.push(found.to_owned());
            }
        }
    }
    near
}

fn fact_line(text: &str) -> String {
    let line = one_line(text);
    if line.len() <= MAX_FACT_LEN {
        return line;
    }
    let end = line.floor_char_boundary(MAX_FACT_LEN - '…'.len_utf8());
    format!("{}…", &line[..end])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use std::fs;

    use super::*;

    struct Site {
        folder: tempfile::TempDir,
        _data: tempfile::TempDir,
        store: Store,
        workspace: Workspace,
    }

    impl Site {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let data = tempfile::tempdir().unwrap();
            let (store, _) = Store::open(data.path(), 0).unwrap();
            let workspace = Workspace::open(folder.path()).unwrap();
            Self {
                folder,
                _data: data,
                store,
                workspace,
            }
        }

        fn write(&self, path: &str, content: impl AsRef<[u8]>) -> String {
            let full = self.folder.path().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, &content).unwrap();
            ContentHash::of(content.as_ref()).to_hex()
        }

        fn gather(&self, files: &[&str]) -> Material {
            let wants = Wants {
                files: files.iter().map(|path| (*path).to_owned()).collect(),
                words: Vec::new(),
            };
            gather(&self.store, &self.workspace, "/w/plan.md", &wants).unwrap()
        }

        fn keep(&self, facts: &[&str], read: &[(&str, &str)], at_ms: i64) {
            let facts: Vec<String> = facts.iter().map(|fact| (*fact).to_owned()).collect();
            let read: Vec<(String, String)> = read
                .iter()
                .map(|(path, hash)| ((*path).to_owned(), (*hash).to_owned()))
                .collect();
            let learned = Learned {
                task: "T1",
                facts: &facts,
                read: &read,
            };
            keep_facts(&self.store, &self.workspace, "/w/plan.md", learned, at_ms).unwrap();
        }
    }

    #[test]
    fn every_file_that_is_asked_for_is_shown_or_told_of() {
        let site = Site::new();
        site.write("src/report.rs", "one\ntwo\n");
        site.write("logo.png", [0x89, 0, 1, 2]);
        site.write("latin.txt", [b'a', 0xE9, b'\n']);
        site.write("src/lib/x.rs", "");
        std::os::unix::fs::symlink("/etc/passwd", site.folder.path().join("out")).unwrap();
        let found = site.gather(&[
            "src/report.rs",
            "logo.png",
            "latin.txt",
            "src/lib",
            "out",
            "src/repotr.rs",
        ]);
        let told: Vec<_> = found
            .files
            .iter()
            .map(|file| (&*file.path, &*file.text, file.unshown.as_deref()))
            .collect();
        assert_eq!(told[0], ("src/report.rs", "one\ntwo\n", None));
        assert_eq!(
            told[1],
            ("logo.png", "", Some("is a binary file of 4 bytes"))
        );
        assert_eq!(told[2], ("latin.txt", "a\u{fffd}\n", None));
        assert_eq!(told[3], ("src/lib", "", Some("is a folder")));
        assert!(
            told[4].2.unwrap().starts_with("cannot be read"),
            "{:?}",
            told[4]
        );
        assert_eq!(found.missing, ["src/repotr.rs"]);
        assert_eq!(found.nearby, ["src/report.rs"]);
        assert_eq!(found.files[0].lines_total, 2);
    }

    #[test]
    fn a_huge_file_is_cut_at_a_line_and_its_lines_are_counted() {
        let site = Site::new();
        let line = format!("{}\n", "ä".repeat(40));
        let content = line.repeat(20_000);
        let hash = site.write("big.txt", &content);
        let found = site.gather(&["big.txt"]);
        let file = &found.files[0];
        assert!(file.is_cut && file.text.len() <= MAX_TEXT && file.text.ends_with('\n'));
        assert_eq!((file.lines_total, &file.hash), (20_000, &hash));
    }

    #[test]
    fn a_fact_is_stale_once_its_file_is_another_one() {
        let site = Site::new();
        let report = site.write("src/report.rs", "fn render_rows() {}\n");
        let config = site.write("config.toml", "port = 8080\n");
        let read = [("src/report.rs", &*report), ("config.toml", &*config)];
        site.keep(
            &[
                "Rows are built by render_rows",
                "  the port\nis 8080 (config.toml) ",
                " ",
                "nobody knows why",
            ],
            &read,
            5,
        );
        let facts = |site: &Site| {
            let mut facts = site.gather(&[]).facts;
            facts.sort_by_key(|fact| fact.id);
            facts
                .into_iter()
                .map(|fact| (fact.text, fact.path, fact.is_stale))
                .collect::<Vec<_>>()
        };
        let of = |text: &str, path: Option<&str>, is_stale| {
            (text.to_owned(), path.map(str::to_owned), is_stale)
        };
        assert_eq!(
            facts(&site),
            [
                of(
                    "Rows are built by render_rows",
                    Some("src/report.rs"),
                    false
                ),
                of("the port is 8080 (config.toml)", Some("config.toml"), false),
                of("nobody knows why", None, false),
            ]
        );
        let again = site.write("src/report.rs", "fn render_all() {}\n");
        fs::remove_file(site.folder.path().join("config.toml")).unwrap();
        assert_eq!(
            facts(&site).iter().map(|fact| fact.2).collect::<Vec<_>>(),
            [true, true, false]
        );
        // Learning it again makes it fresh, without a duplicate.
        site.keep(
            &["Rows are built by render_rows"],
            &[("src/report.rs", &*again)],
            6,
        );
        assert_eq!(facts(&site).len(), 3);
        assert!(!facts(&site)[0].2);
    }
}
