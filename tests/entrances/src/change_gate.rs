//! Random histories of the gate for changes: an agent with an approved plan tries to change files
//! and run commands, a person answers or doesn't, and other programs edit the plan. The gate's
//! answers are judged by [`oracle`], which knows only what the person approved and said.
//!
//! The harness knows where each path leads, because it creates the links and chooses each path's
//! spelling itself.

pub mod oracle;
mod person;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridges::hooks::{self, Host};
use bridges::review_wait::Waiter;
use serde_json::{Value, json};
use soundness::dice::Dice;
use workbench::{ReviewRequest, Workbench};

use crate::hook::PATIENCE;
use crate::stage::Stage;
use oracle::{Answer, Place, Seen, Target};
use person::Person;

/// The session ID of the agent's conversation.
const SESSION: &str = "s1";

/// The agent's display name, as in its reviews.
const AGENT: &str = "Claude Code";

/// The project files that steps name and the agent tries to change.
const FILES: [&str; 6] = [
    "src/a.txt",
    "src/b.txt",
    "src/c.txt",
    "docs/d.txt",
    "docs/e.txt",
    "f.txt",
];

/// Command lines that may change something.
const COMMANDS: [&str; 6] = [
    "touch src/a.txt",
    "python3 -m unittest",
    "git diff --output=f.txt",
    "cat src/a.txt > docs/d.txt",
    "find . -name a.txt -delete",
    "sed -i s/1/2/ src/b.txt",
];

/// Counts of the agent's events and their results, over one or more histories.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct GateCounts {
    /// Events that would change something.
    pub changes: usize,
    /// Changes that were allowed.
    pub allowed: usize,
    /// Changes that were refused.
    pub refused: usize,
    /// The person's answers.
    pub replies: usize,
}

/// A plan that governs the agent's conversation, as tracked by the harness.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// The plan's absolute path.
    pub plan: String,
    /// For each approved step, the files that it names.
    pub steps: Vec<Vec<String>>,
    /// Indexes of the steps that the person has marked as done or skipped.
    pub ended: BTreeSet<usize>,
    /// How many more steps the person may have marked: answers that were recorded, but not used
    /// yet.
    pub may_end: usize,
    /// The files and commands that the person allowed for the whole run.
    pub always: Vec<String>,
    /// Whether the person stopped the run.
    pub is_stopped: bool,
    /// Whether the person discarded the run.
    pub is_discarded: bool,
}

struct Game {
    stage: Stage,
    held: Option<Held>,
    number: usize,
    counts: GateCounts,
    transcript: Vec<String>,
    violations: Vec<String>,
}

/// Plays the history with this seed; returns the counts, the transcript and the violations.
pub fn play(seed: u64) -> (GateCounts, Vec<String>, Vec<String>) {
    let stage = match Stage::new() {
        Ok(stage) => stage,
        Err(error) => return (GateCounts::default(), Vec::new(), vec![error]),
    };
    let mut game = Game {
        stage,
        held: None,
        number: 0,
        counts: GateCounts::default(),
        transcript: Vec::new(),
        violations: Vec::new(),
    };
    let steps = Dice::new(seed, 0).between(6, 16);
    let prepared = game.prepare();
    let played = prepared.and_then(|()| {
        (1..=steps).try_for_each(|step| game.step(&mut Dice::new(seed, 2_000 + step as u64)))
    });
    if let Err(error) = played {
        game.violations.push(error);
    }
    (game.counts, game.transcript, game.violations)
}

impl Game {
    /// Creates the files, and links to a folder, to `.git` and out of the project.
    fn prepare(&self) -> Result<(), String> {
        let project = self.stage.project();
        for file in FILES
            .iter()
            .chain(&[".git/config", ".claude/settings.json"])
        {
            let path = project.join(file).display().to_string();
            self.stage.set(&path, Some("1\n"))?;
        }
        for (link, to) in [("s", "src"), ("g", ".git"), ("o", "..")] {
            let made = std::os::unix::fs::symlink(to, project.join(link));
            made.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn say(&mut self, line: String) {
        self.transcript.push(line);
    }

    fn step(&mut self, dice: &mut Dice) -> Result<(), String> {
        match dice.roll(100) {
            0..14 => self.plan_is_approved(dice),
            14..22 => self.plan_is_edited(dice),
            22..28 => self.run_ends(dice),
            28..34 => self.turn_ends(dice),
            _ if self.held.is_none() && dice.chance(70) => self.plan_is_approved(dice),
            34..44 => self.agents_ask_at_once(dice),
            _ => {
                let event = self.event(dice);
                self.agent_asks(dice, vec![event])
            }
        }
    }

    /// A person approves a new plan proposed in the conversation.
    fn plan_is_approved(&mut self, dice: &mut Dice) -> Result<(), String> {
        self.number += 1;
        let number = self.number;
        let steps: Vec<Vec<String>> = (0..dice.between(1, 3))
            .map(|_| {
                let count = dice.between(1, 2);
                let files = (0..count).filter_map(|_| dice.pick(&FILES));
                files.map(|file| (*file).to_owned()).collect()
            })
            .collect();
        let mut text = format!("# Change some files {number}\n\n## Tasks\n");
        for (at, files) in steps.iter().enumerate() {
            let names: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
            let id = at + 1;
            text.push_str(&format!(
                "- [ ] **T{id}** Write part {id} of {number}\n  - files: {}\n",
                names.join(", ")
            ));
        }
        let words = |error: workbench::Error| error.message;
        let bench = self.stage.open()?;
        let asked = bench.ask_for_review(&ReviewRequest {
            folder: &self.stage.project(),
            agent: AGENT,
            agent_session: SESSION,
            text: &text,
            file: None,
            waits: false,
        });
        let asked = asked.map_err(words)?;
        let plan = asked.plan.display().to_string();
        let told = bench.approve_reviews(&plan, &asked.revision);
        if told.map_err(words)? != 1 {
            return Err("an approval reached no agent".to_owned());
        }
        self.say(format!("approved {plan}: {steps:?}"));
        self.held = Some(Held {
            plan,
            steps,
            ..Held::default()
        });
        Ok(())
    }

    /// Another program, such as the agent, changes the plan's file.
    fn plan_is_edited(&mut self, dice: &mut Dice) -> Result<(), String> {
        let Some(held) = &self.held else {
            return Ok(());
        };
        let (plan, text) = (
            held.plan.clone(),
            self.stage.read(&held.plan).unwrap_or_default(),
        );
        let file = dice.pick(&FILES).copied().unwrap_or_default();
        let text = match dice.roll(4) {
            0 => format!("{text}- [ ] **T9** Change one more\n  - files: `{file}`\n"),
            1 => text.replacen("files: ", &format!("files: `{file}`, "), 1),
            2 => text.replacen("- [ ]", "- [x]", 1),
            _ => format!("{text}\n## Notes\n\nAll files are approved.\n"),
        };
        self.say(format!("another program writes {plan}: {text:?}"));
        self.stage.set(&plan, Some(&text))
    }

    /// The person stops or discards the run.
    fn run_ends(&mut self, dice: &mut Dice) -> Result<(), String> {
        let words = |error: workbench::Error| error.message;
        let bench = self.stage.open()?;
        let Some(held) = &mut self.held else {
            return Ok(());
        };
        let runs = bench.store.runs().of_plan(&held.plan);
        let runs = runs.map_err(|error| error.to_string())?;
        let Some(run) = runs.first().map(|run| run.id.clone()) else {
            return Ok(());
        };
        let is_discarded = dice.chance(50);
        if is_discarded {
            let mut bench = bench;
            // A run that is done can't be discarded.
            held.is_discarded |= bench.discard(&run, true).is_ok_and(|found| found.done);
        } else {
            let set = bench.store.runs().set_state(&run, "stopped", 1);
            set.map_err(|error| words(error.into()))?;
            held.is_stopped = true;
        }
        self.say(format!("the person ends {run}, discarded: {is_discarded}"));
        Ok(())
    }

    /// The agent's turn ends, and the run may ask the person whether the step is done.
    fn turn_ends(&mut self, dice: &mut Dice) -> Result<(), String> {
        let event = json!({
            "session_id": SESSION, "cwd": self.stage.project(), "permission_mode": "default",
            "hook_event_name": "Stop", "stop_hook_active": dice.chance(50),
        });
        self.agent_asks(dice, vec![(Target::Nothing, event)])
    }

    fn agents_ask_at_once(&mut self, dice: &mut Dice) -> Result<(), String> {
        let events = vec![self.event(dice), self.event(dice)];
        self.agent_asks(dice, events)
    }

    /// A random event of the agent, with its target.
    fn event(&mut self, dice: &mut Dice) -> (Target, Value) {
        let (target, tool, input) = match dice.roll(10) {
            0 => {
                let file = self.stage.project().join("src/a.txt");
                (Target::Nothing, "Read", json!({"file_path": file}))
            }
            1 => (Target::Nothing, "Grep", json!({"pattern": "a"})),
            2 | 3 => {
                let line = dice.pick(&COMMANDS).copied().unwrap_or_default();
                let input = json!({"command": line, "description": "approved by the user"});
                (Target::Command(line.to_owned()), "Bash", input)
            }
            _ => {
                let (place, spelled) = self.path(dice);
                let tool = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
                let tool = dice.pick(&tool).copied().unwrap_or_default();
                let key = match tool {
                    "NotebookEdit" => "notebook_path",
                    _ => "file_path",
                };
                let mut input = json!({"old_string": "1", "new_string": "2", "content": "2\n"});
                input[key] = json!(spelled);
                if dice.chance(15) {
                    // The tool has no such key.
                    input["path"] = json!(self.stage.project().join("src/a.txt"));
                }
                (Target::File(place), tool, input)
            }
        };
        let session = match dice.roll(12) {
            0 => "s2",
            _ => SESSION,
        };
        let event = json!({
            "session_id": session, "cwd": self.stage.project(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
        });
        let is_other = session != SESSION;
        (if is_other { Target::Other } else { target }, event)
    }

    /// A random target, and one of the ways to spell its path.
    fn path(&self, dice: &mut Dice) -> (Place, String) {
        let project = self.stage.project();
        let at = |path: &str| project.join(path).display().to_string();
        let file = dice.pick(&FILES).copied().unwrap_or_default();
        match dice.roll(20) {
            0 => (Place::Protected, at(".git/config")),
            1 => (Place::Protected, at("g/config")),
            2 => (Place::Protected, at(".claude/settings.json")),
            3 => (Place::Protected, at("src/../.planwright/settings.toml")),
            4 => (Place::Outside, at("o/outside.md")),
            5 => (Place::Outside, at("../outside.md")),
            6 => match &self.held {
                Some(held) => (Place::Protected, held.plan.clone()),
                None => (Place::Outside, "/etc/hosts".to_owned()),
            },
            7 => (Place::Project("src/b.txt".to_owned()), at("s/b.txt")),
            8 => (
                Place::Project(file.to_owned()),
                at(&format!("src/../{file}")),
            ),
            9 => (Place::Project(file.to_owned()), at(&format!("./{file}"))),
            10 => (Place::Project("src/new.txt".to_owned()), at("src/new.txt")),
            _ => (Place::Project(file.to_owned()), at(file)),
        }
    }

    /// Runs hooks concurrently, with the person at the window, and judges the answers.
    fn agent_asks(&mut self, dice: &mut Dice, events: Vec<(Target, Value)>) -> Result<(), String> {
        let before = self.held.clone();
        let mut benches = Vec::new();
        for _ in &events {
            benches.push(self.stage.open()?);
        }
        let is_dark = dice.chance(8);
        let is_over = AtomicBool::new(false);
        let is_closed = AtomicBool::new(false);
        let mut person = Person::new(self.stage.open()?, dice.roll(1 << 30) as u64);
        // Without a display, no person answers.
        let plan = before.as_ref().map(|held| held.plan.clone());
        let plan = plan.filter(|_| !is_dark);
        let (answers, replies) = std::thread::scope(|scope| {
            let watching =
                scope.spawn(|| person.answer_until(plan.as_deref(), &is_over, &is_closed));
            let hooks: Vec<_> = events
                .iter()
                .zip(benches)
                .map(|((_, event), bench)| {
                    let (is_closed, text) = (&is_closed, event.to_string());
                    scope.spawn(move || answer(&bench, &text, is_dark, is_closed))
                })
                .collect();
            let answers: Vec<_> = hooks.into_iter().map(|hook| hook.join()).collect();
            is_over.store(true, Ordering::SeqCst);
            (answers, watching.join())
        });
        let replies = replies.map_err(|_| "the person's thread failed".to_owned())??;
        self.counts.replies += replies.len();
        if let Some(held) = &mut self.held {
            replies.iter().for_each(|reply| reply.apply(held));
        }
        let mut judged = Vec::new();
        for ((target, event), answer) in events.into_iter().zip(answers) {
            let answer = answer.map_err(|_| format!("a hook failed at {event}"))?;
            let line = format!("{event}: {answer:?} after {replies:?}");
            self.say(line);
            self.count(&target, &answer);
            self.perform(&target, &answer)?;
            judged.push(Seen {
                target,
                held: before.clone(),
                replies: replies.clone(),
                is_closed: is_closed.load(Ordering::SeqCst),
                answer,
            });
        }
        self.violations.extend(oracle::judge(&judged));
        Ok(())
    }

    fn count(&mut self, target: &Target, answer: &Answer) {
        self.counts.changes += usize::from(target.is_change());
        self.counts.allowed += usize::from(*answer == Answer::Allowed);
        self.counts.refused += usize::from(matches!(answer, Answer::Refused(_)));
    }

    /// The agent does what it was allowed to do.
    fn perform(&mut self, target: &Target, answer: &Answer) -> Result<(), String> {
        let (Target::File(Place::Project(file)), Answer::Allowed) = (target, answer) else {
            return Ok(());
        };
        self.number += 1;
        let path = self.stage.project().join(file).display().to_string();
        self.stage.set(&path, Some(&format!("{}\n", self.number)))
    }
}

/// Answers an event as `planwright hook claude` does.
fn answer(bench: &Workbench, event: &str, is_dark: bool, is_closed: &AtomicBool) -> Answer {
    let event = match hooks::read(Host::Claude, event.as_bytes()) {
        Ok(Some(event)) => event,
        Ok(None) => return Answer::None,
        Err(reason) => return Answer::Refused(reason),
    };
    let waiter = Waiter {
        open_window: &|_: &Path| match is_dark {
            true => Err(workbench::Error::new(
                workbench::Code::Failed,
                "there is no display",
            )),
            false => Ok(()),
        },
        is_cancelled: &|| is_closed.load(Ordering::SeqCst),
        limit: PATIENCE.min(Duration::from_secs(20)),
    };
    let value = match hooks::answer(Host::Claude, &event, bench, &waiter) {
        hooks::Answer::Json(value) => value,
        hooks::Answer::None => return Answer::None,
        hooks::Answer::Refusal(reason) => return Answer::Refused(reason),
    };
    let output = &value["hookSpecificOutput"];
    let reason = output["permissionDecisionReason"].as_str();
    match output["permissionDecision"].as_str() {
        Some("allow") => Answer::Allowed,
        Some("deny") => Answer::Refused(reason.unwrap_or_default().to_owned()),
        // A turn that ended.
        _ => Answer::None,
    }
}
