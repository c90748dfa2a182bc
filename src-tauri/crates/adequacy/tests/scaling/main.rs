//! Tests that the cost of a check is linear in the length of the text, whatever the shape of the
//! plan.
//!
//! Measures the CPU time of the thread, so that a busy machine doesn't affect the result.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod families;

use std::collections::{BTreeSet, HashSet};

use adequacy::{CheckInput, PlanDepth, WorkspaceFacts};
use families::{FAMILIES, Family};

/// Size of the smaller of the two plans that are compared, in bytes.
const SMALL: usize = 24 << 10;
const LARGE: usize = 4 * SMALL;

/// Maximum cost ratio when the text is four times as long; quadratic cost would result in sixteen.
const MAX_RATIO: f64 = 7.5;

/// Below this many milliseconds, the ratio is meaningless.
const MIN_MS: f64 = 10.0;

/// A plan of a family with approximately this many bytes.
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

/// CPU time of this thread in milliseconds, with microsecond resolution; the times in `/proc` are
/// updated only at kernel ticks.
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

/// The problem with a family; `None` if its cost is linear.
fn slow((name, make): &Family, facts: &WorkspaceFacts) -> Option<String> {
    const TRIES: usize = 4;
    let (small, large) = (sized(*make, SMALL), sized(*make, LARGE));
    let (mut least, mut most) = (0.0, 0.0);
    for tries in 1..=TRIES {
        least += cost(&small, facts);
        most += cost(&large, facts);
        if most <= MIN_MS * tries as f64 || most <= MAX_RATIO * least {
            return None;
        }
    }
    Some(format!("{name}: {least:.1} ms, then {most:.1} ms"))
}

/// Checks one of `of` equal parts of the families, with one thread for each family.
#[track_caller]
fn grow_with_the_text(share: usize, of: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let pool = pool.stack_size(64 << 20).build().unwrap();
    let slow: Vec<String> = pool.install(|| {
        let facts = facts();
        // Warm-up: one-time costs such as compiling regular expressions do not count.
        cost(&sized(FAMILIES[0].1, SMALL), &facts);
        let families = FAMILIES.iter().skip(share).step_by(of);
        families.filter_map(|family| slow(family, &facts)).collect()
    });
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn a_check_is_linear_in_the_text() {
    grow_with_the_text(0, 3);
}

#[test]
fn a_check_is_linear_in_other_shapes_of_text() {
    grow_with_the_text(1, 3);
}

#[test]
fn a_check_is_linear_in_further_shapes_of_text() {
    grow_with_the_text(2, 3);
}

#[test]
fn family_names_are_unique() {
    let names: HashSet<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), FAMILIES.len());
}
