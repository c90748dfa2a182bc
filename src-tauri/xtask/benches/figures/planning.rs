//! Measures `planwright plan` from process start to exit, on a workspace of 10,000 files.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Figure, middle};

const FILES: usize = 10_000;
const RUNS: usize = 5;
const GOAL: &str = "Rename the function total to sum_rows everywhere and test it";

/// Measures the median duration of the whole process with a warm file cache.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let binary = std::env::var_os("PLANWRIGHT_BENCH_BINARY")
        .ok_or("PLANWRIGHT_BENCH_BINARY is not set; use `cargo xtask bench`")?;
    let home = tempfile::tempdir()?;
    let workspace = tempfile::tempdir()?;
    fill(workspace.path())?;
    let mut times = Vec::new();
    // One extra run, because the first warms the file cache and creates the home.
    for run in 0..=RUNS {
        let mut plan = Command::new(&binary);
        plan.args(["plan", GOAL, "--json", "--workspace"])
            .arg(workspace.path())
            .env("PLANWRIGHT_HOME", home.path())
            .stdin(Stdio::null());
        let start = Instant::now();
        let output = plan.output()?;
        let time = start.elapsed();
        // Exit code 1 means that the plan is thin, which doesn't affect the timing.
        if !matches!(output.status.code(), Some(0 | 1)) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("`planwright plan` exited with {}: {said}", output.status).into());
        }
        if run > 0 {
            times.push(time);
        }
        // Removes the plan just written, so that the next run finds the same files.
        let plans = workspace.path().join("plans");
        if plans.exists() {
            std::fs::remove_dir_all(plans)?;
        }
    }
    let what = format!("plan: whole process, {FILES} files");
    Ok(vec![Figure::time(
        what,
        middle(times),
        Duration::from_millis(300),
    )])
}

/// Writes Python modules of about 2 kB into 200 folders; 12 modules mention the goal's function.
fn fill(workspace: &Path) -> std::io::Result<()> {
    for folder in 0..200 {
        let path = workspace.join(format!("src/part{folder:03}"));
        std::fs::create_dir_all(&path)?;
        for file in 0..FILES / 200 {
            let number = folder * (FILES / 200) + file;
            std::fs::write(path.join(format!("module{file:02}.py")), module(number))?;
        }
    }
    std::fs::create_dir_all(workspace.join("tests"))?;
    std::fs::write(
        workspace.join("tests/test_parts.py"),
        "import unittest\n\n\nclass Parts(unittest.TestCase):\n    def test_nothing(self):\n        pass\n",
    )
}

fn module(number: usize) -> String {
    let mut text =
        format!("\"\"\"Part {number}: rows, their subtotals and how they print.\"\"\"\n");
    if number % 833 == 1 {
        text.push_str("\n\ndef total(rows):\n    return sum(row.amount for row in rows)\n");
    }
    for function in 0..12 {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n\ndef step_{number}_{function}(rows, limit={function}):\n    kept = [row for row in \
             rows if row.amount > limit]\n    return sorted(kept, key=lambda row: row.date)\n"
        );
    }
    text
}
