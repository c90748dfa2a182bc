//! One trial: a job carried out by the real program with a careless model and one of three
//! [`Person`]s.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use planwright_tests::model_server::{Recorded, Scenario};
use planwright_tests::{Home, ModelServer, Project, planwright_binary};
use serde_json::{Value, json};

use crate::jobs::Job;
use crate::model::{Made, Model};

/// Timeout of a trial in seconds.
const LIMIT_S: &str = "90";

/// Maximum number of rounds in which a person answers.
const MAX_ROUNDS: usize = 12;

/// The kind of profile, which decides the format of prompts and replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Short prompts, and replies constrained by a schema.
    Weak,
    /// Native tool calls.
    Strong,
    /// Tool calls as text.
    Words,
}

impl Profile {
    pub(crate) const ALL: [Self; 3] = [Self::Weak, Self::Strong, Self::Words];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Strong => "strong",
            Self::Words => "words",
        }
    }

    /// The values of the model's profile.
    fn values(self) -> &'static [&'static str] {
        match self {
            Self::Weak => &[
                "needsSimplifiedPrompts=true",
                "supportsStructuredOutput=true",
            ],
            Self::Strong => &["needsSimplifiedPrompts=false", "toolChannel=native"],
            Self::Words => &["toolChannel=json_text", "supportsStructuredOutput=false"],
        }
    }
}

/// A person who answers the run's questions, or doesn't.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Person {
    /// Answers nothing, so questions stay open.
    Silent,
    /// Allows nothing that the plan doesn't name, and doesn't judge results.
    Refusing,
    /// Like `Refusing`, but knows the solution: signs off correct steps and sends back wrong ones.
    /// Shows the best result that a reviewer could achieve, not the program's own performance.
    Knowing,
}

impl Person {
    pub(crate) const ALL: [Self; 3] = [Self::Silent, Self::Refusing, Self::Knowing];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Refusing => "refusing",
            Self::Knowing => "knowing",
        }
    }

    /// The maximum number of rounds in which this person answers.
    fn rounds(self) -> usize {
        match self {
            Self::Silent => 0,
            Self::Refusing | Self::Knowing => MAX_ROUNDS,
        }
    }
}

/// The conditions of a trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) seed: u64,
    pub(crate) steps: usize,
    pub(crate) rate: u64,
    pub(crate) profile: Profile,
    pub(crate) person: Person,
}

/// The outcome of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Reported as done, and the outside check finds no errors.
    Completed,
    /// Reported as done, but the outside check finds errors.
    FalseDone,
    /// The run waits for a person.
    Asked,
    /// The run ended and reports that not everything is done.
    Failed,
}

/// The result of a trial.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) terms: Terms,
    pub(crate) end: End,
    pub(crate) status: i32,
    /// Errors found by the outside check: the step's number, and a sentence.
    pub(crate) refuted: Vec<(Option<usize>, String)>,
    /// The kind of the run's last question, as named by the program; empty if nothing was asked.
    pub(crate) asked_for: String,
    /// The text of the question, or else the final message.
    pub(crate) said: String,
    pub(crate) requests: usize,
    pub(crate) made: Vec<Made>,
    pub(crate) job: Job,
    pub(crate) seconds: f64,
    /// The folder with the project, requests and output, if they were saved.
    pub(crate) kept: Option<PathBuf>,
}

/// Plays a trial; with `keep`, its folder is saved whatever the result.
pub(crate) fn play(terms: Terms, keep: bool) -> Trial {
    let job = Job::new(terms.seed, terms.steps);
    let model = Arc::new(Model {
        job: job.clone(),
        seed: terms.seed ^ (terms.rate << 40),
        rate: terms.rate,
        made: Mutex::default(),
        puzzled: Mutex::default(),
        said: Mutex::default(),
    });
    let author = Arc::clone(&model);
    let server = ModelServer::written_by(Scenario::default(), move |request, turn| {
        author.reply(request, turn)
    });
    let home = home(&server, terms.profile);
    let project = Project::new().file("plans/job.md", job.plan());
    for (path, text) in &job.files {
        project.write(path, text);
    }
    let project = project.git();
    let began = Instant::now();
    let revision = plan::Revision::of(job.plan().as_bytes());
    let approve = [
        "run",
        "plans/job.md",
        "--approve",
        revision.as_str(),
        "--policy",
        "all",
    ];
    let (mut status, mut latest, mut errors) = planwright(&home, &project, &approve);
    let (mut told, mut rounds) = (latest.clone(), 0);
    while matches!(status, 3 | 6) && rounds < terms.person.rounds() {
        rounds += 1;
        let Some((run, answers)) = answers(&latest, terms.person, &job, &project) else {
            break;
        };
        let file = home.path().join("answers.json");
        std::fs::write(&file, answers.to_string()).expect("answers can be written");
        let file = file.display().to_string();
        (status, latest, errors) =
            planwright(&home, &project, &["resume", &run, "--answers", &file]);
        told.push_str(&latest);
    }
    let seconds = began.elapsed().as_secs_f64();
    let refuted = look(&job, &project);
    let end = match status {
        0 if refuted.is_empty() => End::Completed,
        0 => End::FalseDone,
        3 => End::Asked,
        _ => End::Failed,
    };
    let made = model
        .made
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let puzzled = model
        .puzzled
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let replies = model
        .said
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let requests = server.requests();
    let (asked_for, said) = last_words(&told, &errors);
    let mut trial = Trial {
        terms,
        end,
        status,
        refuted,
        asked_for,
        said,
        requests: requests.len(),
        made,
        job,
        seconds,
        kept: None,
    };
    if keep || end != End::Completed || !puzzled.is_empty() {
        trial.kept = Some(kept(
            &trial,
            &project,
            &talk(&trial, &requests, &replies),
            &told,
            &puzzled,
        ));
    }
    trial
}

/// Runs the program; returns its exit code, standard output and standard error.
fn planwright(home: &Home, project: &Project, words: &[&str]) -> (i32, String, String) {
    let run = Command::new("timeout")
        .args([LIMIT_S, &planwright_binary().display().to_string()])
        .args(words)
        .arg("--json")
        .current_dir(project.path())
        .env("PLANWRIGHT_HOME", home.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        run.status.code().unwrap_or(-1),
        text(&run.stdout),
        text(&run.stderr),
    )
}

/// The person's answers to the open questions, with the run's id; `None` if they cannot answer.
fn answers(told: &str, person: Person, job: &Job, project: &Project) -> Option<(String, Value)> {
    let lines: Vec<Value> = told
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let run = lines.iter().rev().find_map(|line| line["run"].as_str())?;
    let (mut answers, mut permissions) = (json!({}), Vec::new());
    for line in lines.iter().filter(|line| line["event"] == "waiting") {
        let task = line["id"].as_str().unwrap_or_default();
        let number: usize = task.trim_start_matches('T').parse().ok()?;
        let step = job.steps.get(number.checked_sub(1)?)?;
        match line["for"].as_str()? {
            "permission" | "destructive" => permissions.push(json!({
                "tool": line["tool"],
                "match": line["match"],
                "answer": "no",
                "words": format!("change {} and nothing else, and lose nothing of it", step.file),
            })),
            "unverified" if person == Person::Knowing => {
                let is_right = project.run("python3", &["-B", "-c", &step.outside]).0;
                let found = std::fs::read_to_string(project.at(&step.file)).ok();
                let is_right = is_right && found.as_deref() == Some(step.after.as_str());
                let answer = if is_right { "done" } else { "retry" };
                answers[task] = json!({answer: true});
            }
            _ => {}
        }
    }
    let is_said =
        !permissions.is_empty() || answers.as_object().is_some_and(|said| !said.is_empty());
    if !is_said {
        return None;
    }
    answers["permissions"] = json!(permissions);
    Some((run.to_owned(), answers))
}

fn home(server: &ModelServer, profile: Profile) -> Home {
    let home = Home::new();
    home.write_settings(&json!({
        "endpoint": {"base_url": server.base_url(), "model": "careless"},
        "policy": "all",
        "server_wait_s": 0,
    }));
    for value in profile.values() {
        let output = home.planwright(home.path(), ["models", "--set", value]);
        output.expect(0);
    }
    home
}

/// The errors found by the outside check, each with the index of the responsible step if there is
/// one.
fn look(job: &Job, project: &Project) -> Vec<(Option<usize>, String)> {
    let read = |path: &str| std::fs::read_to_string(project.at(path)).ok();
    let python = |code: &str| match project.run("python3", &["-B", "-c", code]) {
        (true, _) => Ok(()),
        (false, said) => Err(said.lines().last().unwrap_or_default().to_owned() + " from " + code),
    };
    let mut there = BTreeSet::new();
    files_in(project.path(), "", &mut there);
    job.outside(&read, &python, &there)
}

fn files_in(root: &Path, under: &str, found: &mut BTreeSet<String>) {
    const OTHERS: [&str; 4] = [".git", "plans", "__pycache__", ".planwright"];
    let entries = std::fs::read_dir(root.join(under)).expect("a folder can be listed");
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if OTHERS.contains(&name.as_str()) {
            continue;
        }
        let path = if under.is_empty() {
            name
        } else {
            format!("{under}/{name}")
        };
        match entry.path().is_dir() {
            true => files_in(root, &path, found),
            false => drop(found.insert(path)),
        }
    }
}

/// The kind and the text of the run's question. If there is none, an empty kind, and the last line
/// of output with the errors.
fn last_words(told: &str, errors: &str) -> (String, String) {
    let lines: Vec<Value> = told
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    match lines.iter().rev().find(|line| line["event"] == "waiting") {
        Some(line) => (text(line, "for"), text(line, "message")),
        None => {
            let last = lines.last().map(Value::to_string).unwrap_or_default();
            let errors: String = errors.chars().take(300).collect();
            (String::new(), format!("{last} {errors}"))
        }
    }
}

/// Saves everything known about a trial; returns its folder.
fn kept(trial: &Trial, project: &Project, talk: &str, told: &str, puzzled: &[String]) -> PathBuf {
    let Terms {
        seed,
        steps,
        rate,
        profile,
        person,
    } = trial.terms;
    let (profile, person) = (profile.as_str(), person.as_str());
    let name = format!("{seed}-{rate}-{steps}-{profile}-{person}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/careless")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for what is kept");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(project.path())
        .arg(folder.join("project"))
        .status();
    assert!(
        copied.is_ok_and(|status| status.success()),
        "the project can be copied"
    );
    for (name, text) in [
        ("talk.txt", talk),
        ("told.jsonl", told),
        ("puzzled.txt", &puzzled.join("\n")),
    ] {
        std::fs::write(folder.join(name), text).expect("what is kept can be written");
    }
    folder
}

/// The requests and replies in readable form.
fn talk(trial: &Trial, requests: &[Recorded], replies: &BTreeMap<usize, String>) -> String {
    let mut talk = String::new();
    let faults: BTreeMap<usize, &str> = trial
        .made
        .iter()
        .map(|made| (made.turn, made.fault.as_str()))
        .collect();
    for (turn, request) in requests.iter().enumerate() {
        let fault = faults.get(&turn).copied().unwrap_or("right");
        talk.push_str(&format!("\n======== {turn}: {fault}\n"));
        for message in request.json["messages"].as_array().into_iter().flatten() {
            let (role, text) = (
                &message["role"],
                message["content"].as_str().unwrap_or_default(),
            );
            talk.push_str(&format!("---- {role}\n{text}\n"));
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                talk.push_str(&format!("{}\n", call["function"]));
            }
        }
        let schema = request.json.pointer("/response_format/json_schema/schema");
        let schema = schema.map_or_else(|| "none".to_owned(), Value::to_string);
        let reply = replies.get(&turn).map_or("", String::as_str);
        talk.push_str(&format!("---- schema\n{schema}\n---- reply\n{reply}\n"));
    }
    talk
}
