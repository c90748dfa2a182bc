//! What a check costs grows with the text and not with its square, whatever the shape of the plan.
//!
//! Measured in time of this thread alone, so that a busy machine does not change the verdict.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on must fail"
)]

mod families;

use std::collections::{BTreeSet, HashSet};

use adequacy::{CheckInput, PlanDepth, WorkspaceFacts};
use families::{FAMILIES, Family};

/// Beyond the length to which a goal is taken apart, so that the same rules look at both.
const SMALL: usize = 24 << 10;
const LARGE: usize = 4 * SMALL;

/// Four times the text may cost so many times as much; its square would cost sixteen times as much.
const MOST: f64 = 7.5;

/// Milliseconds below which nothing is slow, and a ratio tells nothing.
const NOTHING: f64 = 10.0;

/// The plan of a family that has about so many bytes.
fn sized(make: fn(usize) -> String, bytes: usize) -> String {
    let mut most = 1;
    while make(most).len() < bytes {
        most *= 2;
    }
    let mut least = most / 2;
    while least + 1 < most {
        let middle = usize::midpoint(least, most);
        match make(middle).len() < bytes {
            true => least = middle,
            false => most = middle,
        }
    }
    make(most)
}

/// Milliseconds that this thread has worked, to the microsecond: what `/proc` tells of a thread that runs is as
/// old as the last tick of the kernel.
fn worked() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn cost(text: &str, facts: &WorkspaceFacts) -> f64 {
    let before = worked();
    let (plan, problems) = plan::parse(text);
    let report = adequacy::check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts,
        has_model: false,
    });
    drop(report);
    worked() - before
}

fn facts() -> WorkspaceFacts {
    let paths: BTreeSet<String> = (0..500).map(|at| format!("src/m{at}.rs")).collect();
    WorkspaceFacts {
        paths: Some(paths),
        commands: vec!["cargo test".to_owned()],
        programs: Some(["cargo", "python3"].map(str::to_owned).into()),
        ..WorkspaceFacts::default()
    }
}

/// What is wrong with a family; `None` where its cost grows as it should.
fn slow((name, make): &Family, facts: &WorkspaceFacts) -> Option<String> {
    const TRIES: usize = 4;
    let (small, large) = (sized(*make, SMALL), sized(*make, LARGE));
    let (mut least, mut most) = (0.0, 0.0);
    for tries in 1..=TRIES {
        least += cost(&small, facts);
        most += cost(&large, facts);
        if most <= NOTHING * tries as f64 || most <= MOST * least {
            return None;
        }
    }
    Some(format!("{name}: {least:.1} ms, then {most:.1} ms"))
}

/// The families from one share of `of`, each looked at in one thread of its own.
#[track_caller]
fn grow_with_the_text(share: usize, of: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let pool = pool.stack_size(64 << 20).build().unwrap();
    let slow: Vec<String> = pool.install(|| {
        let facts = facts();
        // What is built once, regular expressions above all, is not what grows.
        cost(&sized(FAMILIES[0].1, SMALL), &facts);
        let families = FAMILIES.iter().skip(share).step_by(of);
        families.filter_map(|family| slow(family, &facts)).collect()
    });
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn a_check_costs_what_the_text_does() {
    grow_with_the_text(0, 3);
}

#[test]
fn a_check_costs_what_the_text_does_in_other_shapes() {
    grow_with_the_text(1, 3);
}

#[test]
fn a_check_costs_what_the_text_does_in_further_shapes() {
    grow_with_the_text(2, 3);
}

#[test]
fn each_family_is_another_one() {
    let names: HashSet<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), FAMILIES.len());
}
