//! Measures how well and how fast files are selected for a goal by `kb-fast` (one walk) and
//! `kb-balanced` (the index), on repositories of 100, 10,000 and 100,000 files, with ten goals
//! whose relevant files are known.
//!
//! Memory is the process's peak since the measurements of that size began; the allocator may retain
//! some from earlier sizes.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use planwright_tests::repository::{GOALS, fill, quality};
use tools::survey::SurveyRequest;
use workbench::{Environment, Workbench};

use crate::{Figure, median, middle, shown};

/// Number of repetitions of fast operations.
const RUNS: usize = 7;
/// Time limit for updating the index after one change with 10,000 files.
const AFTER_ONE_CHANGE: Duration = Duration::from_millis(100);

/// Measures repositories of all three sizes.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for files in [100, 10_000, 100_000] {
        figures.extend(of(files)?);
    }
    Ok(figures)
}

fn of(files: usize) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (home, workspace) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let root = workspace.path();
    fill(root, files)?;
    let mut environment = Environment::of_process()?;
    environment
        .variables
        .retain(|(name, _)| name != "PLANWRIGHT_HOME");
    let variable = ("PLANWRIGHT_HOME".to_owned(), home.path().into());
    environment.variables.push(variable);
    let (bench, _) = Workbench::open(environment)?;
    let goal = GOALS[0].text;
    let plain = |what: &str, measured: String| Figure {
        what: format!("{files} files: {what}"),
        measured,
        budget: String::new(),
        within: true,
    };

    forget_peak()?;
    let mut fast_times = Vec::new();
    let mut fast = Quality::default();
    for goal in &GOALS {
        let start = Instant::now();
        let offered = by_walk(root, goal.text)?;
        fast_times.push(start.elapsed());
        fast.add(quality(goal, &offered), offered.len());
    }
    let mut figures = vec![
        plain("kb-fast recall, precision, files", fast.shown()),
        plain("kb-fast time per goal", shown(middle(fast_times))),
        plain("kb-fast peak memory", peak()?),
    ];

    forget_peak()?;
    let start = Instant::now();
    let first = bench.find_files(root, goal)?;
    let first_time = start.elapsed();
    let read = &first.report;
    figures.push(plain(
        "kb-balanced first index",
        format!(
            "{} ({} files, {} kB)",
            shown(first_time),
            read.files_read,
            read.bytes_read / 1000
        ),
    ));
    figures.push(plain("kb-balanced peak memory, first index", peak()?));
    figures.push(plain(
        "kb-balanced size on disk",
        format!("{} kB", size_below(home.path())? / 1000),
    ));

    let (mut balanced, mut ten) = (Quality::default(), Quality::default());
    let mut times = Vec::new();
    for goal in &GOALS {
        let start = Instant::now();
        let found = bench.find_files(root, goal.text)?;
        times.push(start.elapsed());
        let mut paths: Vec<String> = found.offered.into_iter().map(|one| one.path).collect();
        balanced.add(quality(goal, &paths), paths.len());
        paths.extend(found.likely.into_iter().map(|one| one.path));
        ten.add(quality(goal, &paths), paths.len());
    }
    figures.push(plain(
        "kb-balanced recall, precision, files",
        balanced.shown(),
    ));
    figures.push(plain("… including likely files", ten.shown()));
    figures.push(plain(
        "kb-balanced time per goal, no changes",
        shown(middle(times)),
    ));
    let idle = median(RUNS, || bench.find_files(root, "Fix it"));
    figures.push(plain("… of which checking for changes", shown(idle)));

    let changed = "billing/tax.py".to_owned();
    let mut known = Vec::new();
    let mut looked = Vec::new();
    for run in 0..RUNS {
        let text = std::fs::read_to_string(root.join(&changed))?;
        std::fs::write(root.join(&changed), format!("{text}\n# changed {run}\n"))?;
        let start = Instant::now();
        let count = bench.files_changed(root, std::slice::from_ref(&changed))?;
        known.push(start.elapsed());
        std::fs::write(
            root.join(&changed),
            format!("{text}\n# changed again {run}\n"),
        )?;
        let start = Instant::now();
        let again = bench.find_files(root, "Fix it")?;
        looked.push(start.elapsed());
        if (count, again.report.files_read) != (1, 1) {
            return Err("a change was not detected".into());
        }
    }
    for (what, time) in [
        ("update after one reported change", middle(known)),
        ("update after one detected change", middle(looked)),
    ] {
        figures.push(match files {
            10_000 => Figure::time(format!("{files} files: {what}"), time, AFTER_ONE_CHANGE),
            _ => plain(what, shown(time)),
        });
    }
    Ok(figures)
}

/// The files selected by searching the folder once for the goal's words, as when planning without
/// an index.
fn by_walk(root: &Path, goal: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let workspace = tools::Workspace::open(root)?;
    let intake = planning::detect(goal, &adequacy::WorkspaceFacts::default());
    let context = tools::survey::survey(&workspace, &SurveyRequest::for_intake(&intake))?;
    Ok(planning::relevant_files(&intake, &context))
}

/// Results averaged over all goals.
#[derive(Default)]
struct Quality {
    recall: f64,
    precision: f64,
    files: usize,
    goals: usize,
}

impl Quality {
    fn add(&mut self, (recall, precision): (f64, f64), files: usize) {
        self.recall += recall;
        self.precision += precision;
        self.files += files;
        self.goals += 1;
    }

    fn shown(&self) -> String {
        #[allow(clippy::cast_precision_loss, reason = "a handful of goals")]
        let (goals, files) = (self.goals.max(1) as f64, self.files as f64);
        let (recall, precision) = (self.recall / goals, self.precision / goals);
        format!("{recall:.2}, {precision:.2}, {:.1} a goal", files / goals)
    }
}

/// Resets the kernel's peak memory counter.
fn forget_peak() -> std::io::Result<()> {
    std::fs::write("/proc/self/clear_refs", "5")
}

fn peak() -> Result<String, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb: u64 = line
        .and_then(|line| line.trim().split(' ').next()?.parse().ok())
        .ok_or("no VmHWM")?;
    Ok(format!("{} MB", kb / 1024))
}

/// The total size of a home's indexes, in bytes.
fn size_below(home: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(home.join("data/indexes"))? {
        size += entry?.metadata()?.len();
    }
    Ok(size)
}
