//! Tests of parallel steps: in whatever order the answers arrive, and wherever the process dies, no
//! file is held twice, nothing happens twice, and the result is the same.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;

use super::model_work::{call, report};
use super::*;
use crate::file_locks;
use crate::turn::Reply;

/// A plan with two independent branches, a third branch that shares a file with the first, and a
/// final step.
const BRANCHES: &str = "\
# Write both halves and then the whole

## Tasks
- [ ] **T1** Write the left half of the whole
  - depends:
  - files: `left/`
  - call: `write_file {\"path\": \"left/a\", \"content\": \"1\"}`
  - call: `run_command {\"command\": \"make left\"}`
  - verify: `test -f left/a`
- [ ] **T2** Write the right half of the whole
  - depends:
  - files: `right/`
  - call: `write_file {\"path\": \"right/b\", \"content\": \"2\"}`
  - call: `run_command {\"command\": \"make right\"}`
  - verify: `test -f right/b`
- [ ] **T3** Write the left half once more
  - depends:
  - files: `left/a`
  - call: `write_file {\"path\": \"left/a\", \"content\": \"3\"}`
- [ ] **T4** Put both halves together in the end
  - depends: T1, T2, T3
  - call: `run_command {\"command\": \"make whole\"}`
";

/// What was observed in a parallel run.
#[derive(Debug, Default)]
struct Seen {
    /// The maximum number of steps that had effects in progress at the same time.
    most: usize,
    /// Pairs of steps that had effects in progress at the same time.
    together: BTreeSet<(String, String)>,
}

fn parallel(plan: &str, lanes: u8) -> World {
    let mut world = World::new(plan);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a journal begins with a start");
    };
    started.parallel = lanes;
    world
}

/// Plays one process. `choose` selects which effect in progress is answered next. `die` counts both
/// effects and answers.
fn play(
    world: &mut World,
    config: Config,
    die: Option<usize>,
    mut choose: impl FnMut(usize) -> usize,
) -> (Option<EndState>, usize, Seen) {
    if world.journal.len() > 1 {
        world.journal.push(Entry::Resumed {
            sandbox: "bubblewrap".to_owned(),
        });
    }
    let mut machine = Machine::replay(&world.journal, &world.approved, config).unwrap();
    let mut seen = Seen::default();
    let mut in_progress: Vec<Effect> = Vec::new();
    let mut out = machine.handle(Event::Begin);
    let mut moment = 0;
    loop {
        for effect in out {
            if die == Some(moment) {
                return (None, moment, seen);
            }
            moment += 1;
            match effect {
                Effect::Journal(entries) => world.journal.extend(entries),
                Effect::Ask(question) => world.asked.push(question),
                Effect::Progress(_) | Effect::Notice { .. } | Effect::Interrupt { .. } => {}
                Effect::End { state, .. } => {
                    assert!(in_progress.is_empty(), "{in_progress:?} is still under way");
                    return (Some(state), moment, seen);
                }
                effect => in_progress.push(effect),
            }
        }
        watch(machine.state(), &in_progress, &mut seen);
        assert!(
            !in_progress.is_empty(),
            "the machine stopped without an end"
        );
        if die == Some(moment) {
            return (None, moment, seen);
        }
        moment += 1;
        let effect = in_progress.remove(choose(in_progress.len()));
        let lane = effect.lane();
        let event = world.answer(effect).expect("it needs an answer");
        out = machine.handle_of(&lane, event);
    }
}

/// Checks invariants that hold at every moment.
fn watch(state: &State, in_progress: &[Effect], seen: &mut Seen) {
    let lanes: Vec<Lane> = in_progress.iter().map(Effect::lane).collect();
    let distinct: BTreeSet<&Lane> = lanes.iter().collect();
    assert_eq!(
        distinct.len(),
        lanes.len(),
        "one effect of a lane: {lanes:?}"
    );
    let steps: Vec<&String> = lanes
        .iter()
        .filter_map(|lane| match lane {
            Lane::Step(task) => Some(task),
            Lane::Run => None,
        })
        .collect();
    assert!(steps.len() <= usize::from(state.started.parallel));
    seen.most = seen.most.max(steps.len());
    let is_checking = in_progress
        .iter()
        .any(|effect| matches!(effect, Effect::Check { .. }));
    assert!(!is_checking || steps.len() == 1, "a check is run alone");
    let held: BTreeMap<&str, Vec<String>> = state
        .active()
        .map(|id| (id, state.tasks[id].held()))
        .collect();
    for (at, (one, files)) in held.iter().enumerate() {
        for (other, others) in held.iter().skip(at + 1) {
            assert!(
                !file_locks::overlap(files, others),
                "{one} and {other} hold {files:?} and {others:?}"
            );
        }
    }
    for one in &steps {
        for other in &steps {
            if one < other {
                seen.together.insert(((*one).clone(), (*other).clone()));
            }
        }
    }
}

fn standings(world: &World) -> BTreeMap<String, Standing> {
    let state = world.state();
    let tasks = state.tasks.iter();
    tasks
        .map(|(id, task)| (id.clone(), task.standing))
        .collect()
}

fn check() -> Config {
    World::config(r#"{"unknown": "check"}"#)
}

#[test]
fn steps_that_share_nothing_are_under_way_at_once_and_those_on_one_file_never() {
    let mut world = parallel(BRANCHES, 4);
    let (ended, _, seen) = play(&mut world, check(), None, |_| 0);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(seen.most, 2);
    let names = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    assert!(seen.together.contains(&names("T1", "T2")));
    assert!(!seen.together.contains(&names("T1", "T3")));
    assert_eq!(world.performed.len(), 6);
    let state = world.state();
    assert!(state.tasks["T1"].beside.contains("T2") && state.tasks["T2"].beside.contains("T1"));
    assert!(state.tasks["T4"].beside.is_empty());
    assert_eq!(
        state.tasks["T4"].holds, None,
        "it names no files, so it went alone"
    );
}

#[test]
fn a_run_of_one_lane_begins_one_step_after_the_other() {
    let mut world = parallel(BRANCHES, 1);
    let (ended, _, seen) = play(&mut world, check(), None, |_| 0);
    assert_eq!((ended, seen.most), (Some(EndState::Done), 1));
    assert!(
        world
            .state()
            .tasks
            .values()
            .all(|task| task.holds.is_none())
    );
}

#[test]
fn commands_of_a_step_that_shares_are_confined_to_what_it_holds() {
    let mut world = parallel(BRANCHES, 2);
    play(&mut world, check(), None, |_| 0);
    let state = world.state();
    assert_eq!(state.confined_to("T1"), Some(&["left".to_owned()][..]));
    assert_eq!(state.confined_to("T4"), None);
    assert!(state.reach("T1").takes_in("left/a"));
    assert!(!state.reach("T1").takes_in("right/b"));
    assert!(state.reach("T4").takes_in("right/b"));
}

#[test]
fn a_failure_lets_the_other_step_come_to_its_end_and_begins_no_third() {
    let mut world = parallel(BRANCHES, 2);
    world.failing.push("make left");
    let (ended, _, seen) = play(&mut world, check(), None, |_| 0);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(seen.most, 2);
    assert_eq!(world.standing("T1"), Standing::Failed);
    assert_eq!(world.standing("T2"), Standing::Done, "it is not lost");
    assert_eq!(world.standing("T3"), Standing::Pending);
    let ended = world.state().ended.unwrap().1;
    assert!(ended.starts_with("T1 failed"), "{ended}");
    // The person is asked about the failure; the retry runs alone and in the usual sandbox.
    world.failing.clear();
    let answers = r#"{"T1": "Retry", "unknown": "check"}"#;
    let (ended, _, seen) = play(&mut world, World::config(answers), None, |_| 0);
    assert_eq!((ended, seen.most), (Some(EndState::Done), 1));
    assert_eq!(world.state().confined_to("T1"), None);
}

#[test]
fn both_failures_are_told() {
    let mut world = parallel(BRANCHES, 2);
    world.failing.extend(["make left", "make right"]);
    let (ended, _, _) = play(&mut world, check(), None, |_| 0);
    assert_eq!(ended, Some(EndState::Failed));
    let said = world.state().ended.unwrap().1;
    assert!(
        said.contains("T1 failed") && said.contains("T2 failed"),
        "{said}"
    );
}

#[test]
fn a_pause_lets_the_steps_under_way_come_to_their_ends() {
    let mut world = parallel(BRANCHES, 2);
    let mut machine = Machine::replay(&world.journal, &world.approved, check()).unwrap();
    let mut out = machine.handle(Event::Begin);
    let mut in_progress: Vec<Effect> = Vec::new();
    let mut has_paused = false;
    let ended = loop {
        for effect in out {
            match effect {
                Effect::End { state, .. } => return assert_paused(&world, state),
                effect => match effect {
                    Effect::Journal(_) | Effect::Ask(_) | Effect::Progress(_) => {
                        world.answer(effect);
                    }
                    effect => in_progress.push(effect),
                },
            }
        }
        if in_progress.len() == 2 && !has_paused {
            has_paused = true;
            assert!(machine.handle(Event::Steer(Steer::Pause)).is_empty());
        }
        let Some(effect) = in_progress.pop() else {
            break None::<EndState>;
        };
        let lane = effect.lane();
        let event = world.answer(effect).unwrap();
        out = machine.handle_of(&lane, event);
    };
    panic!("the machine stopped without an end: {ended:?}");
}

fn assert_paused(world: &World, state: EndState) {
    assert_eq!(state, EndState::Paused);
    assert_eq!(world.standing("T1"), Standing::Done);
    assert_eq!(world.standing("T2"), Standing::Done);
    assert_eq!(world.standing("T3"), Standing::Pending);
}

#[test]
fn a_question_of_one_step_holds_up_nobody_else_and_its_files_stay_held() {
    let mut world = parallel(BRANCHES, 3);
    let mut config = check();
    config.rules.push(gate::permissions::Rule {
        tool: "run_command".to_owned(),
        matches: gate::permissions::Match::Exact("make left".to_owned()),
        verdict: gate::permissions::Verdict::Ask,
    });
    let (ended, _, _) = play(&mut world, config, None, |_| 0);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.standing("T1"), Standing::Running);
    assert_eq!(world.standing("T2"), Standing::Done);
    assert_eq!(world.standing("T3"), Standing::Pending, "T1 holds its file");
}

#[test]
fn cancelling_waits_for_all_that_is_under_way() {
    let mut world = parallel(BRANCHES, 2);
    let mut machine = Machine::replay(&world.journal, &world.approved, check()).unwrap();
    let mut out = machine.handle(Event::Begin);
    let mut in_progress: Vec<Effect> = Vec::new();
    let mut is_cancelled = false;
    loop {
        for effect in out {
            match effect {
                Effect::End { state, .. } => {
                    assert_eq!(state, EndState::Cancelled);
                    assert!(in_progress.is_empty());
                    let state = world.state();
                    assert!(state.open_intents().next().is_none(), "both were recorded");
                    return;
                }
                Effect::Journal(_) | Effect::Progress(_) => drop(world.answer(effect)),
                effect => in_progress.push(effect),
            }
        }
        let performs = |effect: &Effect| matches!(effect, Effect::Perform { .. });
        if !is_cancelled && in_progress.iter().filter(|effect| performs(effect)).count() == 2 {
            is_cancelled = true;
            assert!(machine.handle(Event::Cancel).is_empty());
        }
        let at = in_progress.iter().position(|effect| !performs(effect));
        let effect = in_progress.remove(at.unwrap_or(0));
        let lane = effect.lane();
        let event = world.answer(effect).unwrap();
        out = machine.handle_of(&lane, event);
    }
}

/// Two steps for a model, each with its own files; the second also needs the first one's file.
const MODELLED: &str = "\
# Write both files with a model

## Tasks
- [ ] **T1** Write the left file anew
  - depends:
  - files: `left.py`
- [ ] **T2** Write the right file anew
  - depends:
  - files: `right.py`
";

fn writes(request: &StepRequest) -> Reply {
    let text: String = request.messages.iter().map(|m| format!("{m:?}")).collect();
    let is_right = text.contains("right file");
    let said = super::model_work::said(request);
    // Each step writes different content, so that their writes can be told apart.
    let content = if is_right { "r" } else { "l" };
    let write = |path: &str| call("write_file", json!({"path": path, "content": content}));
    match (is_right, said) {
        (true, 0) => write("left.py"),
        (true, 1) => write("right.py"),
        (false, 0) => call("read_file", json!({"path": "left.py"})),
        (false, 1) => write("left.py"),
        _ => report(true),
    }
}

fn modelled() -> (World, Config) {
    let mut world = parallel(MODELLED, 2);
    world.model = writes;
    let mut config = super::model_work::config(r#"{"unknown": "check"}"#);
    config.rules.push(gate::permissions::Rule {
        tool: "write_file".to_owned(),
        matches: gate::permissions::Match::Exact("left.py".to_owned()),
        verdict: gate::permissions::Verdict::Allow,
    });
    (world, config)
}

#[test]
fn a_model_that_wants_a_file_of_another_step_waits_for_it() {
    let (mut world, config) = modelled();
    let (ended, _, seen) = play(&mut world, config, None, |_| 0);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(seen.most, 2, "both were asked at once");
    let done = |id: &str| {
        let is_it = |entry: &Entry| matches!(entry, Entry::Done { task, .. } if task == id);
        world.journal.iter().position(is_it).unwrap()
    };
    let strayed = world.journal.iter().position(|entry| {
        matches!(entry, Entry::Intended { task, line, .. } if task == "T2" && line.contains("left.py"))
    });
    assert!(strayed.unwrap() > done("T1"), "it waited for T1's end");
    assert!(done("T2") > done("T1"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_comes_first_the_end_is_the_same(
        picks in prop::collection::vec(0_usize..8, 0..120),
        lanes in 2_u8..5,
    ) {
        let mut picks = picks.into_iter();
        let mut world = parallel(BRANCHES, lanes);
        let choose = |many: usize| picks.next().unwrap_or(0) % many;
        let (ended, _, _) = play(&mut world, check(), None, choose);
        prop_assert_eq!(ended, Some(EndState::Done));
        prop_assert!(standings(&world).values().all(|standing| *standing == Standing::Done));
        prop_assert_eq!(world.performed.len(), 6);
        let once: BTreeSet<&String> = world.performed.iter().collect();
        prop_assert_eq!(once.len(), 6);
    }

    #[test]
    fn a_process_that_dies_anywhere_loses_and_repeats_nothing(
        picks in prop::collection::vec(0_usize..8, 0..120),
        moments in prop::collection::vec(0_usize..60, 1..4),
        fails in any::<bool>(),
    ) {
        let mut picks = picks.into_iter();
        let mut choose = |many: usize| picks.next().unwrap_or(0) % many;
        let mut world = parallel(BRANCHES, 2);
        if fails {
            world.failing.push("make right");
        }
        for die in moments {
            play(&mut world, check(), Some(die), &mut choose);
        }
        let (ended, _, _) = play(&mut world, check(), None, &mut choose);
        let once: BTreeSet<&String> = world.performed.iter().collect();
        prop_assert_eq!(once.len(), world.performed.len(), "{:?}", world.performed);
        if !fails {
            prop_assert_eq!(ended, Some(EndState::Done));
            prop_assert_eq!(once.len(), 6);
        } else {
            // If the process died before the outcome was known, the examination may find that the
            // call succeeded.
            let second = world.standing("T2");
            prop_assert!(matches!(second, Standing::Failed | Standing::Done), "{second:?}");
            let first = world.standing("T1");
            prop_assert!(matches!(first, Standing::Done), "{first:?} is lost");
        }
    }
}

#[test]
fn two_steps_of_a_model_are_cut_off_between_every_two_effects() {
    let (mut world, config) = modelled();
    let (_, moments, _) = play(&mut world, config, None, |_| 0);
    for moment in 0..moments {
        for newest in [false, true] {
            let choose = |many: usize| if newest { many - 1 } else { 0 };
            let (mut world, config) = modelled();
            play(&mut world, config.clone(), Some(moment), choose);
            let (ended, _, _) = play(&mut world, config, None, choose);
            assert_eq!(ended, Some(EndState::Done), "died at moment {moment}");
            let mut lines: Vec<&String> = world.performed.iter().collect();
            lines.sort();
            assert_eq!(lines.len(), 3, "died at moment {moment}: {lines:?}");
        }
    }
}
