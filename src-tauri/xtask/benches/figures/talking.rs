//! Conversations with a model: a job's cost in tokens, the program's overhead between two requests,
//! the time to the first request, and the memory of a long conversation. The model is scripted and
//! answers immediately.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use planwright_tests::conversation::{GOAL, executing, home_with, planning};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Recorded, Scenario, Turn};
use planwright_tests::{ModelServer, Output};
use serde_json::{Value, json};
use tiktoken_rs::{CoreBPE, o200k_base};
use workbench::{CancelToken, Environment, SessionInput, Workbench};

use crate::{Figure, middle, stepping};

/// Environment variable for the process whose memory is measured; holds the path of the plan file.
const TURNS_OF: &str = "PLANWRIGHT_BENCH_TURNS_OF";

const TURNS: usize = 1000;
const STARTS: usize = 5;
/// Number of times the job is measured.
const JOBS: usize = 5;

/// The tokens of a request, and how many of them aren't part of a prefix shared with an earlier
/// request.
#[derive(Debug, Default, Clone, Copy)]
struct Cost {
    fixed: usize,
    all: usize,
    fresh: usize,
}

pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let binary = std::env::var_os("PLANWRIGHT_BENCH_BINARY")
        .ok_or("PLANWRIGHT_BENCH_BINARY is not set; use `cargo xtask bench`")?;
    let words = o200k_base()?;
    let mut figures = job(&words)?;
    figures.extend(stepping::prompts(&words)?);
    figures.extend(starts(Path::new(&binary))?);
    figures.push(memory()?);
    Ok(figures)
}

fn count(what: impl Into<String>, measured: usize, limit: usize) -> Figure {
    Figure {
        what: what.into(),
        measured: measured.to_string(),
        budget: format!("≤ {limit}"),
        within: measured <= limit,
    }
}

/// Measures a job from its goal to the end of its run: the tokens, and the time between two
/// requests.
fn job(words: &CoreBPE) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (mut between, mut after_edit) = (Vec::new(), Vec::new());
    let mut costs = Vec::new();
    for _ in 0..JOBS {
        let server = ModelServer::start(Scenario::new(planning().into_iter().chain(executing())));
        let (home, project) = (home_with(&server), python_report().git());
        let planned = done(home.planwright(&project, ["plan", GOAL, "--json"]))?.last_json();
        let text = |name: &str| planned[name].as_str().unwrap_or_default().to_owned();
        let (session, revision) = (text("session"), text("revision"));
        let chat = ["chat", &session, "--approve", &revision, "--json"];
        done(home.planwright(&project, chat))?;
        let requests = server.finished();
        costs = costs_of(words, &requests);
        let mut gaps = gaps(&requests);
        // The last gap while planning comes after the plan is edited.
        after_edit.extend(gaps.pop());
        between.extend(gaps);
    }
    let sum = |of: fn(&Cost) -> usize| costs.iter().map(of).sum::<usize>();
    let fixed = costs
        .iter()
        .map(|cost| cost.fixed)
        .max()
        .unwrap_or_default();
    Ok(vec![
        count(
            "run from goal to done: tokens (o200k)",
            sum(|cost| cost.all),
            20_000,
        ),
        count("… outside the cached prefix", sum(|cost| cost.fresh), 6_000),
        count("… tools and system prompt of a request", fixed, 1_000),
        Figure::time(
            "between a reply and the next request",
            middle(between),
            Duration::from_millis(5),
        ),
        Figure::time(
            "… after an edit of the plan",
            middle(after_edit),
            Duration::from_millis(5),
        ),
    ])
}

fn done(output: Output) -> Result<Output, String> {
    match output.status {
        0 => Ok(output),
        _ => Err(output.shown()),
    }
}

/// Counts the same parts as published figures of comparable tools: the JSON of the tools, the
/// system message, and the JSON of the other messages.
fn costs_of(words: &CoreBPE, requests: &[Recorded]) -> Vec<Cost> {
    let tokens = |text: &str| words.encode_with_special_tokens(text).len();
    let mut before: Vec<String> = Vec::new();
    let mut costs = Vec::new();
    for request in requests {
        let (tools, system, rest) = parts(&request.json);
        let whole = format!("{tools}{system}{rest}");
        let shared = before
            .iter()
            .map(|other| {
                let same = whole.bytes().zip(other.bytes());
                same.take_while(|(one, other)| one == other).count()
            })
            .max()
            .unwrap_or_default();
        let shared = (0..=shared).rev().find(|at| whole.is_char_boundary(*at));
        let fresh = whole.get(shared.unwrap_or_default()..).unwrap_or_default();
        let fixed = tokens(&tools) + tokens(&system);
        costs.push(Cost {
            fixed,
            all: fixed + tokens(&rest),
            fresh: tokens(fresh),
        });
        before.push(whole);
    }
    costs
}

fn parts(body: &Value) -> (String, String, String) {
    let none = Vec::new();
    let messages = body["messages"].as_array().unwrap_or(&none);
    let (system, rest): (Vec<&Value>, Vec<&Value>) = messages
        .iter()
        .partition(|message| message["role"] == "system");
    let system = system
        .iter()
        .filter_map(|message| message["content"].as_str());
    (
        body["tools"].to_string(),
        system.collect::<Vec<_>>().join("\n"),
        json!(rest).to_string(),
    )
}

/// The times between the last byte of an answer and the next request, while planning. Gaps during
/// the run are left out, because they include the time of its checks.
fn gaps(requests: &[Recorded]) -> Vec<Duration> {
    const PLANNING: usize = 5;
    let planning = requests.iter().take(PLANNING);
    let pairs = planning.clone().zip(planning.skip(1));
    pairs
        .filter_map(|(one, next)| Some(next.at - one.answered?))
        .collect()
}

fn long_plan(tasks: usize) -> String {
    let mut text = "---\nplanwright: 1\nid: long-0000\ngoal: Move every module to the new logger\n---\n# Move every module to the new logger\n\n## Tasks\n".to_owned();
    for number in 1..=tasks {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "- [ ] **T{number}** Use the new logger in `src/part{number:04}.py`\n  - files: `src/part{number:04}.py`\n  - verify: `python3 -m unittest tests.test_part{number:04}`\n"
        );
    }
    text
}

/// Measures the time from process start to the first request, and the peak memory of the process
/// tree.
fn starts(binary: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (mut times, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let server = ModelServer::start(Scenario::new(planning()));
        let (home, project) = (home_with(&server), python_report().git());
        // Starts the program once before the measurement, so that the database exists.
        done(home.planwright(&project, ["sessions"]))?;
        let start = Instant::now();
        let mut child = Command::new(binary)
            .args(["plan", GOAL, "--json", "--workspace"])
            .arg(project.path())
            .env("PLANWRIGHT_HOME", home.path())
            .env("PLANWRIGHT_BASE_URL", server.base_url())
            .env("PLANWRIGHT_MODEL", "scripted")
            .env("PLANWRIGHT_API_KEY", "sk-bench")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        let mut peak = 0;
        while child.try_wait()?.is_none() {
            peak = peak.max(tree_kilobytes(child.id()));
            std::thread::sleep(Duration::from_millis(2));
        }
        peaks.push(peak);
        let requests = server.finished();
        let first = requests.first().ok_or("no request arrived")?;
        times.push(first.at - start);
    }
    peaks.sort_unstable();
    let peak = peaks.get(peaks.len() / 2).copied().unwrap_or_default();
    Ok(vec![
        Figure::time(
            "terminal: start to first request",
            middle(times),
            Duration::from_millis(150),
        ),
        count(
            "terminal: peak memory of all processes, MB (PSS)",
            peak.div_ceil(1_000),
            60,
        ),
    ])
}

/// The proportional memory of a process and its descendants, in kibibytes.
fn tree_kilobytes(root: u32) -> usize {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        if let Some(parent) = rest
            .split_whitespace()
            .nth(1)
            .and_then(|word| word.parse().ok())
        {
            parents.push((pid, parent));
        }
    }
    let mut tree = vec![root];
    let mut at = 0;
    while let Some(parent) = tree.get(at).copied() {
        tree.extend(
            parents
                .iter()
                .filter(|(_, of)| *of == parent)
                .map(|(pid, _)| *pid),
        );
        at += 1;
    }
    tree.into_iter().map(proportional_kilobytes).sum()
}

fn proportional_kilobytes(pid: u32) -> usize {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("Pss:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}

/// Measures the peak memory in the second half of a conversation of a thousand turns, relative to
/// the first half, in one process. Memory fluctuates within each half, because a conversation grows
/// until it is summarized.
fn memory() -> Result<Figure, Box<dyn Error>> {
    let server = ModelServer::start(Scenario::new([Turn::say(
        "There are thirteen files in it, as before.",
    )
    .forever()]));
    let project = python_report().git().file("plans/long.md", long_plan(100));
    let home = tempfile::tempdir()?;
    let output = Command::new(std::env::current_exe()?)
        // The terminal program sets the same value for itself.
        .env("MIMALLOC_PURGE_DELAY", "0")
        .env(TURNS_OF, project.path().join("plans/long.md"))
        .env("PLANWRIGHT_HOME", home.path())
        .env("PLANWRIGHT_BASE_URL", server.base_url())
        .env("PLANWRIGHT_MODEL", "gpt-4.1")
        .env("PLANWRIGHT_API_KEY", "sk-bench")
        .current_dir(project.path())
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<usize> = said
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [early, late] = numbers.as_slice() else {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("the long conversation ended early: {said}{error}").into());
    };
    Ok(Figure {
        what: format!(
            "peak memory of turns {} to {TURNS}, compared with earlier ones",
            TURNS / 2 + 1
        ),
        measured: format!(
            "{:.2} × ({:.1} / {:.1} MB)",
            *late as f64 / (*early).max(1) as f64,
            *late as f64 / 1e3,
            *early as f64 / 1e3
        ),
        budget: "≤ 1.2 ×".to_owned(),
        within: *late * 5 <= *early * 6,
    })
}

/// In the process whose memory is measured, plays the turns and prints the memory twice; `None` in
/// any other process.
pub(crate) fn play_if_asked() -> Option<Result<(), Box<dyn Error>>> {
    let plan = std::env::var_os(TURNS_OF)?;
    Some(play(Path::new(&plan)))
}

fn play(plan: &Path) -> Result<(), Box<dyn Error>> {
    let (mut bench, _) = Workbench::open(Environment::of_process()?)?;
    let session = bench.session_about(plan, None)?;
    let cancel = CancelToken::new()?;
    let mut most = 0;
    for turn in 1..=TURNS {
        let words = format!("How many files are there? (question {turn})");
        bench.converse(
            &session,
            vec![SessionInput::Say { words }],
            None,
            &cancel,
            &mut |_| {},
        )?;
        if turn % 10 == 0 {
            most = most.max(proportional_kilobytes(std::process::id()));
        }
        if turn == TURNS / 2 || turn == TURNS {
            println!("{most}");
            most = 0;
        }
    }
    Ok(())
}
