//! Measures the file search on third-party repositories: `cargo xtask eval --files FOLDER`.
//!
//! The folder contains git repositories, bare or not. The selection of commits is the same every
//! time. A goal is the subject of a commit; the relevant files are those that it changed and that
//! its parent has. The parent is checked out into a temporary folder, so that neither the files nor
//! the log contain anything later. Compares Planwright, Planwright without the log, plain BM25
//! (`tantivy`) and word rarity, all on the files that Planwright would list.
#![allow(clippy::print_stdout, reason = "command-line output")]

mod commits;
mod plain;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use tools::survey::{PLAN_FOLDER, Survey, stamps_with_progress, text_to_search};
use workbench::{Environment, FoundFiles, Workbench};

use commits::{Clone, Commit};
use plain::{Bm25, Rarity};

/// Number of files that each search returns.
const ASKED: usize = 10;
/// The searches to compare.
const ASKED_OF: [&str; 4] = ["planwright", "without the log", "bm25", "rare words"];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_each = words.iter().any(|word| word == "--each");
    let folder = words.iter().find(|word| !word.starts_with("--"));
    let folder = folder.ok_or("pass a folder with Git repositories")?;
    let repositories = commits::below(Path::new(folder))?;
    if repositories.is_empty() {
        return Err("no Git repository in that folder".into());
    }
    println!(
        "{:<28}{:>8}{:>8}  recall in the top {ASKED}: {}",
        "",
        "commits",
        "files",
        ASKED_OF.join(", ")
    );
    let mut all = Tally::default();
    let mut times = Vec::new();
    for repository in repositories {
        let one = of(&repository, is_each, &mut times)?;
        println!("{}", one.line(&commits::name_of(&repository)));
        all.add(&one);
    }
    println!("{}", all.line("all"));
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let most = times.last().copied().unwrap_or_default();
    println!(
        "planwright, one goal including index updates: median {} ms, maximum {} ms",
        middle.as_millis(),
        most.as_millis()
    );
    Ok(())
}

/// Totals over several commits.
#[derive(Default)]
struct Tally {
    commits: usize,
    files: usize,
    recall: [f64; 4],
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.commits += other.commits;
        self.files = self.files.max(other.files);
        for (sum, one) in self.recall.iter_mut().zip(other.recall) {
            *sum += one;
        }
    }

    fn line(&self, name: &str) -> String {
        #[allow(clippy::cast_precision_loss, reason = "a handful of commits")]
        let count = self.commits.max(1) as f64;
        let shown: Vec<String> = self
            .recall
            .iter()
            .map(|sum| format!("{:.3}", sum / count))
            .collect();
        let [own, _, bm25, rare] = self.recall;
        format!(
            "{name:<28}{:>8}{:>8}  {}  {:.2} × bm25, {:.2} × rare words",
            self.commits,
            self.files,
            shown.join("  "),
            own / bm25,
            own / rare,
        )
    }
}

fn of(
    repository: &Path,
    is_each: bool,
    times: &mut Vec<Duration>,
) -> Result<Tally, Box<dyn Error>> {
    let (home, place) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let mut environment = Environment::of_process()?;
    environment
        .variables
        .retain(|(name, _)| name != "PLANWRIGHT_HOME");
    environment
        .variables
        .push(("PLANWRIGHT_HOME".to_owned(), home.path().into()));
    let (bench, _) = Workbench::open(environment)?;
    let clone = Clone::of(repository, place.path().join("tree"))?;
    let (mut bm25, mut rarity) = (Bm25::new()?, Rarity::default());
    let mut known: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    let mut tally = Tally::default();
    for commit in clone.sample()? {
        clone.check_out(&commit.parent)?;
        let files = take_in(clone.tree(), &mut known, &mut bm25, &mut rarity)?;
        let right: Vec<&String> = commit
            .files
            .iter()
            .filter(|file| known.contains_key(*file))
            .collect();
        if right.is_empty() {
            continue;
        }
        let start = Instant::now();
        let found = bench.find_files(clone.tree(), &commit.subject)?;
        times.push(start.elapsed());
        let hidden = clone.hide_log()?;
        let without = bench.find_files(clone.tree(), &commit.subject)?;
        drop(hidden);
        let answers = [
            paths(found),
            paths(without),
            bm25.search(&commit.subject, ASKED)?,
            rarity.search(&commit.subject, ASKED),
        ];
        for (sum, answer) in tally.recall.iter_mut().zip(&answers) {
            *sum += recall(&right, answer);
        }
        tally.commits += 1;
        tally.files = tally.files.max(files);
        if is_each {
            tell(&commit, &right, &answers);
        }
    }
    Ok(tally)
}

fn paths(found: FoundFiles) -> Vec<String> {
    let list = found
        .offered
        .into_iter()
        .chain(found.likely)
        .map(|one| one.path);
    list.take(ASKED).collect()
}

/// Updates the index of the plain searches; returns the number of files.
fn take_in(
    tree: &Path,
    known: &mut BTreeMap<String, (u64, i64)>,
    bm25: &mut Bm25,
    rarity: &mut Rarity,
) -> Result<usize, Box<dyn Error>> {
    let workspace = tools::Workspace::open(tree)?;
    let stamps = stamps_with_progress(&workspace, PLAN_FOLDER, &Survey::default())?;
    let now: BTreeMap<String, (u64, i64)> = stamps
        .files
        .into_iter()
        .map(|stamp| (stamp.path, (stamp.size, stamp.mtime_ns)))
        .collect();
    for path in known.keys().filter(|path| !now.contains_key(*path)) {
        bm25.forget(path);
        rarity.forget(path);
    }
    for (path, stamp) in &now {
        if known.get(path) != Some(stamp) {
            let text = text_to_search(&workspace, path).unwrap_or_default();
            bm25.put(path, &text)?;
            rarity.put(path, &text);
        }
    }
    bm25.settle()?;
    *known = now;
    Ok(known.len())
}

fn recall(right: &[&String], answer: &[String]) -> f64 {
    let found = right.iter().filter(|file| answer.contains(file)).count();
    #[allow(clippy::cast_precision_loss, reason = "a handful of files")]
    let share = found as f64 / right.len() as f64;
    share
}

fn tell(commit: &Commit, right: &[&String], answers: &[Vec<String>; 4]) {
    let shares: Vec<String> = answers
        .iter()
        .map(|answer| format!("{:.2}", recall(right, answer)))
        .collect();
    println!(
        "{} [{}] {}",
        &commit.parent[..10],
        shares.join(" "),
        commit.subject
    );
    for file in right {
        let places: Vec<String> = answers
            .iter()
            .map(|answer| {
                let at = answer.iter().position(|one| one == *file);
                at.map_or_else(|| "-".to_owned(), |at| (at + 1).to_string())
            })
            .collect();
        println!("    {:<8} {file}", places.join(" "));
    }
    println!("    offered: {}", answers[0].join(" "));
}
