//! Decides whether rules can do everything that a goal asks for, judging by its wording.

use super::{Aim, Intake, Rename, TaskType, clauses, kind, removals, versions};

/// Whether the rules for the goal's kind do everything it asks for. Rules that edit or delete files
/// can't respect constraints or handle further requests; a question must be the goal's only
/// request. Other kinds are planned in the goal's own words.
pub(super) fn does_all(intake: &Intake) -> bool {
    let wishes = intake.requirements.iter();
    let mut work = wishes
        .filter(|one| one.aim != Aim::Test || one.wants_new_test())
        .map(|one| one.text.as_str());
    // Check each request about tests: "Test files stay as they are" doesn't ask for tests.
    let mut tests = intake
        .requirements
        .iter()
        .filter(|one| one.aim == Aim::Test);
    let is_free = intake.constraints.is_empty()
        && !intake.is_hedged
        && tests.all(|one| clauses::is_plain_wish(&one.text));
    // A requirement may mention something that another requirement changes, without being covered
    // by that requirement.
    let is_alike = |text: &str| kind::alone(text, &intake.named_paths) == intake.kind;
    match (intake.kind, &intake.dependency) {
        (TaskType::Rename, _) => is_free && work.all(is_alike) && are_apart(&intake.renames),
        (TaskType::Dependency, Some(dependency)) => {
            let (first, more) = (work.next(), work.next());
            let is_all = |text| versions::is_all(text, dependency, &intake.named_paths);
            is_free && first.is_none_or(is_all) && more.is_none()
        }
        (TaskType::Removal, _) => {
            let wishes: Vec<&str> = work.collect();
            let is_all =
                |text: &&str| is_alike(text) && removals::is_all(text, &intake.named_paths);
            // A file that is only mentioned in a reason or an aside must not be deleted.
            let is_named = |path: &String| wishes.iter().any(|text| removals::names(text, path));
            is_free && wishes.iter().all(is_all) && intake.named_paths.iter().all(is_named)
        }
        (TaskType::Move, _) => is_free && work.all(is_alike),
        (TaskType::Find, ..) => work.count() <= 1,
        _ => true,
    }
}

/// Whether no name occurs in two pairs; otherwise the result would depend on the order of the
/// pairs.
pub(super) fn are_apart(renames: &[Rename]) -> bool {
    (0..renames.len()).all(|at| {
        let pair = &renames[at];
        renames[at + 1..].iter().all(|other| {
            ![&other.from, &other.to].contains(&&pair.from)
                && ![&other.from, &other.to].contains(&&pair.to)
        })
    })
}
