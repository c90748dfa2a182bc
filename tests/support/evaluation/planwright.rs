//! Planwright as a client: runs the plan in this process, with a simulated person who answers as
//! the scenario says.
//!
//! The recorded facts and reports are read from the journal. The person allows only what the plan
//! names, picks the option that the scenario wants, and approves a destructive step with a reason.
//! Every question is counted.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

use agent::pending_answers::GivenAnswer;
use gate::answers::{Answer, Grant, Unknown};
use gate::question::{Question, QuestionKind};
use serde_json::{Value, json};
use workbench::wire::RunEvent;
use workbench::{EndState, Environment, ModelChoice, Policy, RunControl, RunRequest, Workbench};

use crate::scenarios::{PLAN, Scenario, Trouble};
use crate::{Home, Project, planwright_binary};

use super::{Client, End, Place, Planning, Played, Recorded, Verification};

/// Maximum number of times that the person answers questions.
const MAX_ROUNDS: usize = 12;

/// Planwright as a client. Uses one home for all scenarios.
pub struct Planwright {
    home: Home,
    bench: Workbench,
    planning: Planning,
    verification: Verification,
}

impl std::fmt::Debug for Planwright {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planwright")
            .field("planning", &self.planning)
            .finish_non_exhaustive()
    }
}

/// What a run reported between its start, or a resume, and the next stop.
#[derive(Debug, Default)]
struct Part {
    run: Option<String>,
    waiting: Vec<Value>,
    message: String,
    end: Option<EndState>,
}

impl Planwright {
    /// A client with this kind of planning and verification.
    ///
    /// # Panics
    /// If its data cannot be opened.
    #[must_use]
    pub fn new(planning: Planning, verification: Verification) -> Self {
        let home = Home::new();
        let bench = open(&home);
        Self {
            home,
            bench,
            planning,
            verification,
        }
    }

    fn settle(&self, place: &Place) {
        let mut settings = json!({
            "endpoint": {"base_url": place.base_url, "model": place.model},
            "policy": "all",
            // Fails at once if the server is down, instead of waiting for it.
            "server_wait_s": 0,
        });
        let (edits, tests, searches) = match self.verification {
            Verification::Off => (false, false, false),
            Verification::Edits => (true, false, false),
            // Planwright verifies everything by default.
            Verification::All => return drop(self.home.write_settings(&settings)),
        };
        settings["verifyFileChanges"] = json!(edits);
        settings["runTestsAfterChanges"] = json!(tests);
        settings["verifySearchResults"] = json!(searches);
        self.home.write_settings(&settings);
    }

    fn begin(&mut self, project: &Project) -> Part {
        let bytes = std::fs::read(project.at(PLAN)).expect("the plan is there");
        let request = RunRequest {
            file: project.at(PLAN),
            revision: plan::Revision::of(&bytes).as_str().to_owned(),
            workspace: Some(project.path().to_owned()),
            policy: Some(Policy::All),
            upto: None,
            answers: None,
            reason: None,
            parallel: 1,
            model: ModelChoice::Configured,
            choice: workbench::RunChoice::default(),
            hand_over: None,
        };
        let control = RunControl::new().expect("a control");
        let mut part = Part::default();
        let ended = self
            .bench
            .run_controlled(&request, &control, &mut |event| part.hear(&event));
        part.ended(ended)
    }

    fn go_on(&mut self, run: &str, answers: Vec<GivenAnswer>) -> Part {
        let control = RunControl::new().expect("a control");
        let mut part = Part {
            run: Some(run.to_owned()),
            ..Part::default()
        };
        let ended = self
            .bench
            .resume_controlled(run, answers, &control, &mut |event| part.hear(&event));
        part.ended(ended)
    }

    /// The latest `count` questions of a run.
    fn questions(&self, run: &str, count: usize) -> Vec<Question> {
        let journal = self.home.journal(run);
        let asked = journal.into_iter().rev().filter_map(|mut entry| {
            let question = entry.get_mut("question")?.take();
            serde_json::from_value(question).ok()
        });
        let mut newest: Vec<Question> = asked.take(count).collect();
        newest.reverse();
        newest
    }

    /// For each step, the last report in a run's journal that claims the step is done, in order.
    fn reports(&self, run: &str) -> Vec<Recorded> {
        let mut all: Vec<Recorded> = Vec::new();
        for entry in self.home.journal(run) {
            let report = &entry["report"];
            let task = entry["task"].as_str();
            let Some(task) = task.filter(|_| report["done"] == json!(true)) else {
                continue;
            };
            let learned = report["learned"].as_array().into_iter().flatten();
            let one = Recorded {
                step: task.to_owned(),
                learned: learned
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                is_reported: entry["is_inferred"] != json!(true),
            };
            // If a step was reported again, its earlier report was rejected.
            all.retain(|before| before.step != one.step);
            all.push(one);
        }
        all
    }
}

fn open(home: &Home) -> Workbench {
    let mut variables: Vec<(String, OsString)> = vec![
        ("PLANWRIGHT_HOME".to_owned(), home.path().into()),
        ("HOME".to_owned(), home.path().into()),
    ];
    variables.extend(std::env::var_os("PATH").map(|path| ("PATH".to_owned(), path)));
    let environment = Environment {
        variables,
        cwd: PathBuf::from("/"),
        program: planwright_binary().to_owned(),
    };
    let (bench, _) = Workbench::open(environment).expect("its own home can be opened");
    bench
}

impl Part {
    fn hear(&mut self, event: &RunEvent) {
        let told = serde_json::to_value(event).unwrap_or_default();
        if let Some(run) = told["run"].as_str() {
            self.run = Some(run.to_owned());
        }
        match told["event"].as_str() {
            Some("waiting") => self.waiting.push(told),
            Some("ended") => self.message = told["message"].as_str().unwrap_or_default().to_owned(),
            _ => {}
        }
    }

    fn ended(mut self, ended: workbench::Result<EndState>) -> Self {
        match ended {
            Ok(state) => self.end = Some(state),
            Err(error) => self.message = error.to_string(),
        }
        self
    }
}

impl Client for Planwright {
    fn name(&self) -> &'static str {
        "planwright"
    }

    fn project(&self, scenario: &Scenario) -> Project {
        match self.planning {
            Planning::Upfront => scenario.project(),
            Planning::Iterative => scenario.project_with(&scenario.seedling("iterative")),
        }
    }

    fn play(&mut self, project: &Project, scenario: &Scenario, place: &Place) -> Played {
        self.settle(place);
        let is_killed = scenario.trouble == Some(Trouble::Crash);
        if is_killed {
            let mut left = 57;
            self.bench.watch(Box::new(move |_| {
                left -= 1;
                if left == 0 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }));
        }
        let mut part = self.begin(project);
        let mut questions = 0;
        for _ in 0..MAX_ROUNDS {
            let Some(run) = part.run.clone() else {
                break;
            };
            if part.end.is_none() && is_killed {
                part = self.go_on(&run, Vec::new());
                continue;
            }
            if part.end != Some(EndState::Waiting) {
                break;
            }
            let asked = self.questions(&run, part.waiting.len());
            let said = asked
                .iter()
                .filter_map(|asked| answer(asked, scenario, project));
            let answers: Vec<GivenAnswer> = said.collect();
            questions += part.waiting.len();
            if answers.is_empty() {
                break;
            }
            part = self.go_on(&run, answers);
        }
        let end = match part.end {
            Some(EndState::Done) => End::Done,
            Some(EndState::Waiting) => End::Asked,
            _ => End::GivenUp,
        };
        let asked: Vec<&str> = part
            .waiting
            .iter()
            .filter_map(|asked| asked["message"].as_str())
            .collect();
        let steps = part.run.map(|run| self.reports(&run)).unwrap_or_default();
        let why = if asked.is_empty() {
            part.message
        } else {
            asked.join("; ")
        };
        Played {
            end,
            steps,
            kept: String::new(),
            questions,
            planned: None,
            why,
        }
    }
}

/// The person's answer to a question; `None` if the scenario doesn't have an answer.
fn answer(asked: &Question, scenario: &Scenario, project: &Project) -> Option<GivenAnswer> {
    let is_wanted = |option: &&String| scenario.answers.contains(option);
    let wanted = asked.options.iter().find(is_wanted);
    let answer = match asked.question {
        QuestionKind::Gate => Answer::Reason {
            reason: "this is what I want".to_owned(),
        },
        QuestionKind::Unknown => Answer::Unknown {
            how: Unknown::Check,
        },
        QuestionKind::Approval | QuestionKind::SkippedDependency => Answer::Run,
        QuestionKind::Permission | QuestionKind::Destructive => {
            let subject = asked.permission.as_ref()?.subject.as_str();
            let is_named = match asked.question {
                // Losing the file is intended if the step replaces or removes it.
                QuestionKind::Destructive => scenario.replaces(&asked.task, subject),
                _ => scenario.changed_paths().any(|path| path == subject),
            };
            let grant = if is_named { Grant::Once } else { Grant::No };
            let words = (!is_named).then(|| "work on the files that the step names".to_owned());
            Answer::Permission { grant, words }
        }
        // At the end of a plan that grew, only a person can say whether the goal is reached. This
        // one always says so; the scenario's checks, which clients can't see, decide whether it is.
        QuestionKind::Person if asked.message.contains("is the goal reached?") => {
            Answer::Done { note: None }
        }
        QuestionKind::Failure | QuestionKind::Person => return None,
        // A person checks a step before signing off on it.
        QuestionKind::Unverified if !scenario.is_step_right(project, &asked.task) => Answer::Retry,
        _ => {
            let label = wanted.or(asked.options.first());
            let label = label.or(scenario.answers.first())?.clone();
            Answer::Choice { label, note: None }
        }
    };
    Some(GivenAnswer {
        task: asked.task.clone(),
        question: asked.question,
        fingerprint: None,
        answer,
        permission: asked.permission.clone(),
    })
}
