//! Tests that findings name the requirements of the goal that the plan doesn't cover.

use adequacy::{Code, Finding, WorkspaceFacts};

use crate::bases::{Goal, goals, report};

/// Counts of removed requirements (`taken`), removed requirements that a finding names (`named`),
/// findings about a requirement that is covered (`alarms`), and all covered requirements (`kept`).
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) taken: u32,
    pub(crate) named: u32,
    pub(crate) alarms: u32,
    pub(crate) kept: u32,
    pub(crate) misses: Vec<String>,
}

fn uncovered(report: &adequacy::Report) -> Vec<&Finding> {
    let is_open = |finding: &&Finding| {
        matches!(
            finding.code,
            Code::UncoveredRequirement | Code::UncoveredGoal
        )
    };
    report.findings.iter().filter(is_open).collect()
}

/// The requirement that a finding is about, which is the one that shares the most words with the
/// text quoted in the finding.
fn named(goal: &Goal, finding: &Finding) -> Option<u64> {
    let words = |text: &str| -> Vec<String> {
        let is_border = |c: char| !c.is_alphanumeric();
        let words = text
            .split(is_border)
            .filter(|word| word.chars().count() > 1);
        words.map(str::to_lowercase).collect()
    };
    let said = words(&finding.message);
    let shared = |requirement: &String| {
        let words = words(requirement);
        let found = words.iter().filter(|word| said.contains(word)).count();
        found * 100 / words.len().max(1)
    };
    let best = (1..)
        .zip(&goal.requirements)
        .max_by_key(|(at, text)| (shared(text), u64::MAX - at));
    best.filter(|(_, text)| shared(text) > 0).map(|(at, _)| at)
}

/// Removes each requirement of each goal, one at a time. If `listed` is true, the plan lists the
/// requirements; otherwise, only the goal states them.
pub(crate) fn measure(listed: bool) -> Counts {
    let mut counts = Counts::default();
    for goal in goals() {
        let whole = report(&goal.plan(listed, None), &WorkspaceFacts::default(), None);
        counts.kept += u32::try_from(goal.requirements.len()).unwrap();
        for finding in uncovered(&whole) {
            counts.alarms += 1;
            counts
                .misses
                .push(format!("{}: alarm: {}", goal.id, finding.message));
        }
        for gone in 1..=u64::try_from(goal.requirements.len()).unwrap() {
            if goal.is_shared(gone) {
                continue;
            }
            let text = goal.plan(listed, Some(gone));
            let report = report(&text, &WorkspaceFacts::default(), None);
            counts.taken += 1;
            let found = uncovered(&report);
            if found
                .iter()
                .any(|finding| named(&goal, finding) == Some(gone))
            {
                counts.named += 1;
            } else {
                let said: Vec<&str> = found
                    .iter()
                    .map(|finding| finding.message.as_str())
                    .collect();
                counts
                    .misses
                    .push(format!("{}: R{gone} not named: {said:?}", goal.id));
            }
        }
    }
    counts
}

#[test]
fn a_forgotten_requirement_is_named() {
    for listed in [true, false] {
        let counts = measure(listed);
        assert!(counts.taken >= 60, "{counts:#?}");
        // Missed requirements have rare words that occur in steps about something else.
        assert!(counts.named * 10 >= counts.taken * 8, "{counts:#?}");
        assert!(counts.alarms * 10 <= counts.kept, "{counts:#?}");
    }
}
