//! Tests that play a run without files, commands or a clock. The player below answers every effect
//! from a simulated workspace and can kill the process between any two effects.

mod acts;
mod baseline;
mod file_changes;
mod growing;
mod host;
mod model_work;
mod permits;
mod read_batch;
mod recheck;
mod side_by_side;
mod signatures;
mod steering;
mod weak;

use std::collections::{BTreeMap, BTreeSet};

use gate::destructive::InspectionResult;
use gate::policy::Policy;
use gate::question::QuestionKind;
use plan::{Revision, TaskId, edit};

use super::*;
use crate::context::Material;
use crate::journal::{Changes, SkippedBy, Started};
use crate::micro_planning::RunChoice;
use crate::model_step::StepRequest;
use crate::run::state::Standing;
use crate::turn::Reply;

/// A simulated workspace with a plan and a journal, which both survive the process.
struct World {
    plan: String,
    /// The approved text of the plan.
    approved: String,
    journal: Vec<Entry>,
    /// The lines of the calls that were carried out, in order.
    performed: Vec<String>,
    /// How many of these calls were undone.
    taken_back: usize,
    /// Parts of the lines of calls and checks that fail.
    failing: Vec<&'static str>,
    /// Whether every check fails until the run changes something.
    is_red: bool,
    /// Pairs of a write and a check that fails after the write, each given by a part of its line.
    breaking: Vec<(&'static str, &'static str)>,
    /// The files that each step wrote.
    written: BTreeMap<String, BTreeSet<String>>,
    asked: Vec<Question>,
    /// The model's reply, a pure function of the request.
    model: fn(&StepRequest) -> Reply,
    /// Requests sent to the model.
    requests: Vec<StepRequest>,
    /// Whether the model's server is unreachable.
    is_gone: bool,
    /// Maximum number of tokens that the server accepts for a request and its reply together.
    window: Option<u32>,
    /// Whether the server keeps that limit to itself.
    is_terse: bool,
    /// What an inspection of the workspace finds.
    seen: InspectionResult,
    /// The context that is gathered for steps.
    material: Material,
}

/// The model of plans in which no model carries out a step; fails the test if it is asked.
fn no_model(_: &StepRequest) -> Reply {
    panic!("no model is asked here")
}

/// When to kill the process.
#[derive(Clone, Copy)]
enum Die {
    Never,
    /// Before the effect with this number.
    Before(usize),
}

impl World {
    fn new(plan: &str) -> Self {
        Self::with_policy(plan, Policy::All)
    }

    fn with_policy(text: &str, policy: Policy) -> Self {
        let (plan, problems) = plan::parse(text);
        assert_eq!(problems, Vec::new(), "the plan under test is sound");
        let started = Started {
            revision: Revision::of(text.as_bytes()).as_str().to_owned(),
            found: None,
            policy,
            upto: None,
            covered: fingerprints(text, &plan)
                .into_iter()
                .map(|(id, p)| (id.0, p))
                .collect(),
            evidence: BTreeMap::new(),
            half_done: BTreeMap::new(),
            left_out: Default::default(),
            sandbox: "bubblewrap".to_owned(),
            repository: None,
            choice: RunChoice::default(),
            model: None,
            parallel: 1,
        };
        Self {
            plan: text.to_owned(),
            approved: text.to_owned(),
            journal: vec![Entry::Started(started)],
            performed: Vec::new(),
            taken_back: 0,
            is_red: false,
            failing: Vec::new(),
            breaking: Vec::new(),
            written: BTreeMap::new(),
            asked: Vec::new(),
            model: no_model,
            requests: Vec::new(),
            is_gone: false,
            window: None,
            is_terse: false,
            material: Material::default(),
            seen: InspectionResult::default(),
        }
    }

    fn config(answers: &str) -> Config {
        Config {
            answers: Answers::parse(answers).unwrap(),
            sandboxed: true,
            ..Config::default()
        }
    }

    /// Plays one process. Returns how it ended, or `None` if it was killed, and how many effects it
    /// started.
    fn play(&mut self, config: Config, die: Die) -> (Option<EndState>, usize) {
        self.asked.clear();
        if self.journal.len() > 1 {
            self.journal.push(Entry::Resumed {
                sandbox: "bubblewrap".to_owned(),
            });
        }
        let mut machine = Machine::replay(&self.journal, &self.approved, config).unwrap();
        let mut queue: std::collections::VecDeque<Effect> = machine.handle(Event::Begin).into();
        let mut count = 0;
        while let Some(effect) = queue.pop_front() {
            if let Die::Before(at) = die
                && count == at
            {
                return (None, count);
            }
            count += 1;
            if let Effect::End { state, .. } = effect {
                return (Some(state), count);
            }
            if let Some(event) = self.answer(effect) {
                queue.extend(machine.handle(event));
            }
        }
        panic!("the machine stopped without an end");
    }

    fn answer(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Journal(entries) => {
                self.journal.extend(entries);
                None
            }
            Effect::Ask(question) => {
                self.asked.push(question);
                None
            }
            Effect::Progress(_)
            | Effect::Notice { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. } => None,
            Effect::ReadPlan => Some(Event::PlanRead {
                text: self.plan.clone(),
                revision: Revision::of(self.plan.as_bytes()).as_str().to_owned(),
                linked: BTreeSet::new(),
            }),
            Effect::EditPlan(edit) => {
                let (plan, _) = plan::parse(&self.plan);
                let splices = match &edit {
                    PlanEdit::Tick { task } => {
                        let id = TaskId(task.clone());
                        let done = plan.task(&id).is_none_or(|task| task.done);
                        if done {
                            Vec::new()
                        } else {
                            edit::tick(&plan, &id).unwrap()
                        }
                    }
                    PlanEdit::Untick { task } => {
                        edit::untick(&plan, &TaskId(task.clone())).unwrap()
                    }
                    PlanEdit::Skip { task, reason } => {
                        edit::skip(&self.plan, &plan, &TaskId(task.clone()), reason).unwrap()
                    }
                    PlanEdit::Add { addition } if addition.found_in(&plan).is_some() => Vec::new(),
                    PlanEdit::Add { addition } => {
                        crate::micro_planning::splices(&self.plan, addition).unwrap()
                    }
                    PlanEdit::Decide { task, label, .. } => {
                        let id = TaskId(task.clone());
                        edit::record_decision(&self.plan, &plan, &id, label, "a person").unwrap()
                    }
                };
                self.plan = edit::apply(&self.plan, &splices).unwrap().text;
                Some(Event::PlanEdited {
                    text: self.plan.clone(),
                    revision: Revision::of(self.plan.as_bytes()).as_str().to_owned(),
                    linked: BTreeSet::new(),
                })
            }
            Effect::AskPlanner { request, .. } => {
                self.requests.push((*request).clone());
                if let Some(event) = self.refused(&request) {
                    return Some(event);
                }
                Some(Event::Planned {
                    reply: (self.model)(&request),
                    there: Vec::new(),
                })
            }
            Effect::CheckGoal { line, .. } | Effect::CheckBaseline { line, .. } => {
                let ok = !self.is_red && !self.failing.iter().any(|part| line.contains(part));
                Some(Event::Performed {
                    outcome: CallOutcome {
                        ok,
                        summary: line,
                        exit_code: Some(i32::from(!ok)),
                        ..CallOutcome::default()
                    },
                })
            }
            Effect::Gather { .. } => Some(Event::Gathered {
                material: Box::new(self.material.clone()),
            }),
            Effect::AskModel { request, .. } => {
                self.requests.push((*request).clone());
                if self.is_gone {
                    let reason = "the server does not answer".to_owned();
                    return Some(Event::ModelFailed { reason });
                }
                if let Some(event) = self.refused(&request) {
                    return Some(event);
                }
                let reply = (self.model)(&request);
                Some(Event::Replied { reply })
            }
            Effect::AskAgent { .. } => Some(Event::ModelFailed {
                reason: "no step of these tests is handed to an agent".to_owned(),
            }),
            Effect::TakeCheckpoint { .. } => Some(Event::CheckpointTaken),
            // Nothing is known about this workspace, so every file is assumed to exist.
            Effect::LookAt { .. } => Some(Event::Looked {
                seen: self.seen.clone(),
            }),
            Effect::Prepare { tool, .. } => Some(Event::Prepared {
                record: serde_json::json!({ "line": tool.to_line() }),
            }),
            Effect::PerformAll { calls, .. } => {
                let outcomes = calls.iter().map(|(_, tool, _)| CallOutcome {
                    ok: !self
                        .failing
                        .iter()
                        .any(|part| tool.to_line().contains(part)),
                    summary: tool.to_line(),
                    ..CallOutcome::default()
                });
                Some(Event::PerformedAll {
                    outcomes: outcomes.collect(),
                })
            }
            Effect::Perform { task, tool, .. } => {
                let line = tool.to_line();
                let ok = !self.failing.iter().any(|part| line.contains(part));
                if !tool.tool.is_read_only() {
                    let path = tool.path().filter(|_| ok).map(str::to_owned);
                    self.written.entry(task).or_default().extend(path);
                    self.performed.push(line.clone());
                }
                let outcome = CallOutcome {
                    ok,
                    summary: line,
                    ..CallOutcome::default()
                };
                Some(Event::Performed { outcome })
            }
            Effect::Check { line, .. } => {
                let standing = self.performed.iter().skip(self.taken_back);
                let is_done = |write: &str| standing.clone().any(|done| done.contains(write));
                let mut breaking = self.breaking.iter();
                let is_broken =
                    breaking.any(|(write, check)| line.contains(check) && is_done(write));
                let ok = !is_broken && !self.failing.iter().any(|part| line.contains(part));
                let summary = format!("check {line}");
                Some(Event::Performed {
                    outcome: CallOutcome {
                        ok,
                        summary,
                        ..CallOutcome::default()
                    },
                })
            }
            Effect::Examine { line, .. } => {
                let done = self.performed.contains(&line);
                Some(Event::Examined(match done {
                    true => Examined::Done(CallOutcome {
                        ok: true,
                        summary: line,
                        recovered: true,
                        ..CallOutcome::default()
                    }),
                    false => Examined::NotDone {
                        how: "nothing changed".to_owned(),
                    },
                }))
            }
            Effect::TakeBack { task } => {
                self.taken_back = self.performed.len();
                Some(Event::TakenBack {
                    files: self.written.remove(&task).into_iter().flatten().collect(),
                    left: Vec::new(),
                })
            }
            Effect::Measure { task } | Effect::Survey { task } => {
                let written = self.written.get(&task).into_iter().flatten();
                let calls = self.performed.iter();
                let calls = calls.filter_map(|line| ToolCall::parse(line).ok());
                let texts = calls.filter_map(|call| {
                    let text = call.string("content").or(call.string("new_text"))?;
                    Some((call.path()?.to_owned(), String::new(), text.to_owned()))
                });
                // The file contains what was last written to it.
                let texts: BTreeMap<String, (String, String)> = texts
                    .map(|(path, before, now)| (path, (before, now)))
                    .collect();
                let texts: Vec<_> = texts
                    .into_iter()
                    .map(|(path, (before, now))| (path, before, now))
                    .collect();
                Some(Event::Measured {
                    changes: Changes {
                        files: written.cloned().collect(),
                        hollow: gate::destructive::hollow(&texts, "").map(|doubt| doubt.why),
                        ..Changes::default()
                    },
                })
            }
        }
    }

    /// The server's answer to a request that exceeds the model's context window.
    fn refused(&self, request: &StepRequest) -> Option<Event> {
        let window = self.window?;
        (request.tokens() + request.max_output_tokens > window).then(|| Event::WindowExceeded {
            window: (!self.is_terse).then_some(u64::from(window)),
            reason: format!("the request is larger than the model's window of {window} tokens"),
        })
    }

    fn state(&self) -> State {
        State::replay(&self.journal).unwrap()
    }

    fn timed(&self) -> Vec<crate::receipt::Timed> {
        self.journal
            .iter()
            .cloned()
            .map(|entry| (0, entry))
            .collect()
    }

    fn standing(&self, id: &str) -> Standing {
        self.state().standing(&TaskId::from(id))
    }
}

const WRITES: &str = "\
---
planwright: 1
goal: Write three files
---
# Write three files

## Tasks
- [ ] **T1** Write the first file of the three
  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`
- [ ] **T2** Write the second and the third file
  - call: `write_file {\"path\": \"b\", \"content\": \"2\"}`
  - call: `run_command {\"command\": \"make c\"}`
  - verify: `test -f c`
- [ ] **T3** Look at what was written in the end
  - call: `list_files {}`
";

const BRANCHES: &str = "\
# Choose a layout for the export

## Tasks
- [ ] **D1** Which layout is the export to have?
  - type: decision
  - option: One object per line, streams well -> T1
  - option: One array -> T2
- [ ] **T1** Write the lines of the export
  - depends: D1
  - call: `write_file {\"path\": \"lines\", \"content\": \"\"}`
- [ ] **T2** Write the array of the export
  - depends: D1
  - call: `write_file {\"path\": \"array\", \"content\": \"\"}`
- [ ] **C1** Review what was written so far
  - type: checkpoint
  - depends: T1, T2
  - option: Continue -> continue
  - option: Let me review first -> review
  - option: Enough -> stop
- [ ] **T3** Write the release note by hand
  - by: person
  - depends: C1
  - verify: `test -f note`
";

#[test]
fn calls_run_in_order_and_every_step_is_ticked() {
    let mut world = World::new(WRITES);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 3);
    assert_eq!(world.plan.matches("- [x]").count(), 3);
}

#[test]
fn no_side_effect_is_lost_or_repeated_wherever_the_process_dies() {
    let (_, effects) = World::new(WRITES).play(World::config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = World::new(WRITES);
        assert_eq!(world.play(World::config("{}"), Die::Before(at)).0, None);
        let (ended, _) = world.play(World::config(r#"{"unknown": "check"}"#), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        let mut once = world.performed.clone();
        once.dedup();
        assert_eq!(
            once, world.performed,
            "something ran twice; died before effect {at}"
        );
        assert_eq!(world.performed.len(), 3, "died before effect {at}");
        assert_eq!(
            world.plan.matches("- [x]").count(),
            3,
            "died before effect {at}"
        );
    }
}

#[test]
fn an_unknown_outcome_is_asked_and_nothing_else_happens() {
    let (_, effects) = World::new(WRITES).play(World::config("{}"), Die::Never);
    let mut seen = 0;
    for at in 0..effects {
        let mut world = World::new(WRITES);
        world.play(World::config("{}"), Die::Before(at));
        if world.state().open_intents().next().is_none() {
            continue;
        }
        seen += 1;
        let (performed, plan) = (world.performed.clone(), world.plan.clone());
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting));
        assert_eq!(world.asked[0].question, QuestionKind::Unknown);
        assert_eq!(
            (performed, plan),
            (world.performed.clone(), world.plan.clone())
        );
    }
    assert_eq!(seen, 6, "before and after each of the three side effects");
}

#[test]
fn a_decision_enables_its_branch_and_the_other_is_left_out() {
    let mut world = World::new(BRANCHES);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].options.len(), 2);

    let answers = r#"{"D1": "One object per line", "C1": "Continue", "T3": {"done": true}}"#;
    let (ended, _) = world.play(World::config(answers), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.standing("T1"), Standing::Done);
    assert_eq!(world.standing("T2"), Standing::Skipped(SkippedBy::Branch));
    assert!(
        world.plan.contains("skipped: ruled out by D1"),
        "{}",
        world.plan
    );
    assert_eq!(world.performed.len(), 1);
}

#[test]
fn a_branch_left_out_lets_nobody_jump_the_queue() {
    let plan = "\
# Choose, then go on in order

## Tasks
- [ ] **D1** Which branch is to be taken here?
  - type: decision
  - option: Left -> T1
  - option: Right -> T2
- [ ] **T1** Write the file of the left branch
  - depends: D1
  - call: `write_file {\"path\": \"left\", \"content\": \"\"}`
- [ ] **P1** Prepare the right branch by hand
  - by: person
  - depends: D1
- [ ] **T2** Write the file of the right branch
  - depends: P1
  - call: `write_file {\"path\": \"right\", \"content\": \"\"}`
- [ ] **T3** Write the file that comes after both
  - call: `write_file {\"path\": \"after\", \"content\": \"\"}`
";
    let mut world = World::new(plan);
    let (ended, _) = world.play(World::config(r#"{"D1": "Left"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(
        world.performed.len(),
        1,
        "T3 still waits for what T2 waited for"
    );
}

#[test]
fn an_answer_that_fits_no_option_waits_and_says_so() {
    let mut world = World::new(BRANCHES);
    let (ended, _) = world.play(World::config(r#"{"D1": "Neither"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(
        world.asked[0].message.contains("invalid answer “Neither”"),
        "{}",
        world.asked[0].message
    );
}

#[test]
fn review_first_stays_parked_and_can_be_answered_again() {
    let mut world = World::new(BRANCHES);
    let answers = r#"{"D1": "One array", "C1": "Let me review first"}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Waiting)
    );
    let answers = r#"{"C1": "Continue", "T3": {"done": true}}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Done)
    );
}

#[test]
fn a_checkpoint_can_stop_the_run() {
    let mut world = World::new(BRANCHES);
    let answers = r#"{"D1": "One array", "C1": "Enough"}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Stopped)
    );
}

#[test]
fn a_signed_step_is_not_done_before_its_check_passes() {
    let mut world = World::new(BRANCHES);
    world.failing = vec!["test -f note"];
    let answers = r#"{"D1": "One array", "C1": "Continue", "T3": {"done": true}}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Failed)
    );
    assert_eq!(world.standing("T3"), Standing::Failed);
    // Every process reruns the check; as long as it fails, the person is asked.
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(world.asked[0].question, QuestionKind::Failure);
    world.failing.clear();
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Done)
    );
}

#[test]
fn a_failed_call_ends_the_run_and_a_retry_repeats_only_what_failed() {
    let mut world = World::new(WRITES);
    world.failing = vec!["make c"];
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Failed)
    );
    assert_eq!(world.performed.len(), 3);
    world.failing.clear();
    let (ended, _) = world.play(World::config(r#"{"T2": "Retry"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    let writes = world
        .performed
        .iter()
        .filter(|line| line.contains("\"b\""))
        .count();
    assert_eq!(
        writes, 1,
        "the write before the failed command is not repeated"
    );
}

#[test]
fn a_step_that_changed_is_not_run() {
    let mut world = World::new(WRITES);
    world.plan = world
        .plan
        .replace("\"content\": \"2\"", "\"content\": \"evil\"");
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::NotCovered)
    );
    assert_eq!(
        world.performed.len(),
        1,
        "the step before it is still the approved one"
    );
}

#[test]
fn what_a_person_wrote_just_before_our_own_edit_is_not_covered_by_it() {
    let mut world = World::new(WRITES);
    let mut machine =
        Machine::replay(&world.journal, &world.approved, World::config("{}")).unwrap();
    let mut queue: std::collections::VecDeque<Effect> = machine.handle(Event::Begin).into();
    let mut ended = None;
    while let Some(effect) = queue.pop_front() {
        match &effect {
            Effect::End { state, .. } => ended = Some(*state),
            Effect::EditPlan(_) => {
                world.plan = world
                    .plan
                    .replace("\"content\": \"2\"", "\"content\": \"evil\"");
            }
            _ => {}
        }
        if let Some(event) = world.answer(effect) {
            queue.extend(machine.handle(event));
        }
    }
    assert_eq!(ended, Some(EndState::NotCovered));
    assert_eq!(world.performed.len(), 1, "{:?}", world.performed);
}

#[test]
fn without_a_sandbox_every_command_asks() {
    let bare = |answers: &str| Config {
        sandboxed: false,
        ..World::config(answers)
    };
    let mut world = World::new(WRITES);
    assert_eq!(
        world.play(bare("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    let question = &world.asked[0];
    assert_eq!(question.question, QuestionKind::Permission);
    assert_eq!(
        question.permission.as_ref().unwrap().exact(),
        "exact make c"
    );

    let no = r#"{"permissions": [{"tool": "run_command", "match": "exact make c", "answer": "no", "words": "not here"}]}"#;
    assert_eq!(world.play(bare(no), Die::Never).0, Some(EndState::Failed));

    let mut world = World::new(WRITES);
    let yes = r#"{"permissions": [
        {"tool": "run_command", "match": "exact make c", "answer": "once"},
        {"tool": "run_command", "match": "prefix test ", "answer": "run"}]}"#;
    assert_eq!(world.play(bare(yes), Die::Never).0, Some(EndState::Done));
}

#[test]
fn policies_ask_before_what_they_say() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(world.asked[0].question, QuestionKind::Approval);
    assert_eq!(world.asked[0].task, "T1");
    let answers = r#"{"T1": "Run", "T2": "Run"}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Done)
    );

    let mut world = World::with_policy(WRITES, Policy::Risky);
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(
        world.asked[0].task, "T2",
        "an edit can be undone, a command is risky"
    );
}

#[test]
fn what_a_person_left_out_is_asked_about_where_others_need_it() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    let answers = r#"{"T1": {"skip": "not needed"}}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert!(world.plan.contains("skipped: not needed"), "{}", world.plan);
    assert_eq!(world.asked[0].question, QuestionKind::SkippedDependency);
}

#[test]
fn a_step_that_the_quality_gate_blocks_needs_a_reason() {
    let plan = "\
# Clear the cache of the build

## Tasks
- [ ] **T1** Clean the cache
  - call: `run_command {\"command\": \"rm -rf build\"}`
";
    let mut world = World::new(plan);
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(world.asked[0].question, QuestionKind::Gate);
    assert_eq!(world.performed, Vec::<String>::new());
    let answers = r#"{"T1": {"reason": "build holds nothing but outputs"},
        "permissions": [{"tool": "run_command", "match": "exact rm -rf build", "answer": "once"}]}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Done)
    );
}

#[test]
fn cancelling_ends_after_what_is_under_way() {
    let mut world = World::new(WRITES);
    let mut machine =
        Machine::replay(&world.journal, &world.approved, World::config("{}")).unwrap();
    let mut queue: std::collections::VecDeque<Effect> = machine.handle(Event::Begin).into();
    let mut ended = None;
    while let Some(effect) = queue.pop_front() {
        if let Effect::End { state, .. } = effect {
            ended = Some(state);
            break;
        }
        if matches!(effect, Effect::Perform { .. }) {
            assert_eq!(machine.handle(Event::Cancel), Vec::new());
        }
        if let Some(event) = world.answer(effect) {
            queue.extend(machine.handle(event));
        }
    }
    assert_eq!(ended, Some(EndState::Cancelled));
    assert_eq!(world.performed.len(), 1);
    // Completed work stays completed, and the rest of the plan continues.
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Done)
    );
    assert_eq!(world.performed.len(), 3);
}

#[test]
fn after_a_damaged_record_no_step_is_begun_on_a_guess() {
    let mut world = World::new(WRITES);
    world.journal.push(Entry::Cut);
    for answers in ["{}", r#"{"unknown": "check"}"#] {
        let (ended, _) = world.play(World::config(answers), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting), "{answers}");
        assert_eq!(world.asked[0].question, QuestionKind::Unknown);
        assert_eq!(world.performed, Vec::<String>::new());
    }
    let answers = r#"{"T1": {"unknown": "skip"}, "T2": {"unknown": "repeat"}}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Waiting)
    );
    let answers = r#"{"T2": "Run"}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Waiting)
    );
    let answers = r#"{"T2": {"unknown": "repeat"}}"#;
    assert_eq!(
        world.play(World::config(answers), Die::Never).0,
        Some(EndState::Done)
    );
    assert_eq!(world.performed.len(), 2, "T1 was left out");
}

/// The record is cut off after each entry in turn; no call is repeated without asking.
#[test]
fn after_a_damaged_record_no_call_is_repeated_on_a_guess() {
    let mut complete = World::new(WRITES);
    complete.play(World::config("{}"), Die::Never);
    for kept in 1..complete.journal.len() {
        let mut world = World::new(WRITES);
        world.play(World::config("{}"), Die::Never);
        let before = world.performed.len();
        world.journal.truncate(kept);
        world.journal.push(Entry::Cut);
        let check = r#"{"claims": "Carry out", "unknown": "check"}"#;
        world.play(World::config(check), Die::Never);
        assert_eq!(world.performed.len(), before, "{kept} entries were kept");
    }
}

#[test]
fn a_yes_to_a_step_without_record_is_none_to_a_call_that_is_cut_off_later() {
    let repeat = r#"{"unknown": "repeat"}"#;
    let (_, effects) = {
        let mut world = World::new(WRITES);
        world.journal.push(Entry::Cut);
        world.play(World::config(repeat), Die::Never)
    };
    for at in 0..effects {
        let mut world = World::new(WRITES);
        world.journal.push(Entry::Cut);
        world.play(World::config(repeat), Die::Before(at));
        if world.state().open_intents().next().is_none() {
            continue;
        }
        let performed = world.performed.clone();
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting), "died before effect {at}");
        assert_eq!(world.performed, performed, "died before effect {at}");
    }
}

#[test]
fn a_journal_without_a_beginning_is_no_run() {
    assert!(Machine::replay(&[], "", Config::default()).is_none());
    let entry = Entry::TaskStarted {
        task: "T1".to_owned(),
        holds: None,
    };
    assert!(Machine::replay(&[entry], "", Config::default()).is_none());
}
