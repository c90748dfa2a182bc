//! Tests of attributing and resolving conflicts.

use super::*;
use crate::testing::Fixture;
use crate::wire::{DecidedLines, DesktopEvent, Edit};

const PLAN: &str = "# Report

First.

- [ ] **T1** Read the input of the report command
- [ ] **T2** Add the flag to the parser of the report command
  - verify: `true`
- [ ] **T3** Print the rows of the report as JSON
- [ ] **T4** Use orjson for the rows that are printed
- [ ] **T5** Update the docs of the report command
";

fn title(text: &str) -> Edit {
    Edit::Title {
        task: "T2".to_owned(),
        text: text.to_owned(),
    }
}

const T2: &str = "Add the flag to the parser of the report command";

/// The person changes T3; then another program saves a text based on the plan from before that
/// change.
fn save_stale(fixture: &Fixture, stale: &str) {
    let edit = Edit::Title {
        task: "T3".to_owned(),
        text: "Mine for T3".to_owned(),
    };
    let plan = fixture.plan();
    fixture
        .desktop
        .edit(&plan, &fixture.revision(), edit)
        .unwrap();
    fixture.write(stale);
    fixture.revision();
}

/// The person renamed T2, then another program saved an older version with its own name for it.
fn of_person() -> Fixture {
    let fixture = Fixture::with_plan(PLAN);
    let (plan, revision) = (fixture.plan(), fixture.revision());
    fixture
        .desktop
        .edit(&plan, &revision, title("Mine for T2"))
        .unwrap();
    save_stale(&fixture, &PLAN.replace(T2, "Theirs for T2"));
    fixture
}

#[test]
fn a_conflict_says_whose_change_it_is() {
    let fixture = of_person();
    let plan = fixture.plan();
    let [own] = &fixture.desktop.conflicts(&plan).unwrap()[..] else {
        panic!("one conflict");
    };
    assert_eq!(own.mine_by, ChangedBy::Person);
    let outline = fixture.desktop.outline(&plan, None).unwrap();
    assert_eq!((outline.conflicts, outline.own_conflicts), (1, 1));
}

#[test]
fn a_conflict_of_two_other_programs_is_not_the_persons() {
    let fixture = Fixture::with_plan(PLAN);
    let plan = fixture.plan();
    fixture.revision();
    fixture.write(&fixture.text().replace(T2, "Theirs before for T2"));
    fixture.revision();
    save_stale(&fixture, &PLAN.replace(T2, "Theirs for T2"));
    let conflicts = fixture.desktop.conflicts(&plan).unwrap();
    let [other] = &conflicts[..] else {
        panic!("one conflict: {conflicts:#?}");
    };
    assert!(other.mine.contains("Theirs before for T2"));
    assert_eq!(other.mine_by, ChangedBy::Outside);
    let outline = fixture.desktop.outline(&plan, None).unwrap();
    assert_eq!((outline.conflicts, outline.own_conflicts), (1, 0));
}

#[test]
fn choosing_the_files_version_of_a_field_settles_its_conflict() {
    let fixture = of_person();
    let plan = fixture.plan();
    let other = DecidedLines::Field {
        edit: Edit::Body {
            task: "T2".to_owned(),
            text: String::new(),
        },
    };
    let settle = |decided: &DecidedLines| {
        let choice = ConflictChoice::Theirs;
        fixture.desktop.settle_conflicts(&plan, choice, decided)
    };
    assert_eq!(settle(&other).unwrap(), 0, "another field of the step");
    let before = fixture.text();
    let decided = DecidedLines::Field { edit: title("") };
    assert_eq!(settle(&decided).unwrap(), 1);
    assert_eq!(fixture.text(), before);
    assert_eq!(fixture.desktop.outline(&plan, None).unwrap().conflicts, 0);
    let is_told =
        |event: &DesktopEvent| matches!(event, DesktopEvent::Review { plan: of } if *of == plan);
    assert!(fixture.events().iter().any(is_told));
}

#[test]
fn a_conflict_about_more_than_the_field_stays() {
    let fixture = Fixture::with_plan(PLAN);
    let (plan, revision) = (fixture.plan(), fixture.revision());
    let check = Edit::Field {
        task: "T2".to_owned(),
        key: "verify".to_owned(),
        values: vec!["make mine".to_owned()],
    };
    let edits = vec![title("Mine for T2"), check];
    fixture
        .desktop
        .edit(&plan, &revision, Edit::Many { edits })
        .unwrap();
    let stale = PLAN.replace(T2, "Theirs for T2");
    save_stale(&fixture, &stale.replace("`true`", "`make theirs`"));
    let before = fixture.desktop.conflicts(&plan).unwrap();
    let decided = DecidedLines::Field { edit: title("") };
    let choice = ConflictChoice::Theirs;
    let settled = fixture
        .desktop
        .settle_conflicts(&plan, choice, &decided)
        .unwrap();
    let left = fixture.desktop.conflicts(&plan).unwrap();
    assert_eq!(left.len() + settled as usize, before.len());
    assert!(
        left.iter().any(|one| one.mine.contains("make mine")),
        "{left:#?}"
    );
}

#[test]
fn choosing_lines_in_the_source_settles_their_conflict_alone() {
    let fixture = of_person();
    let plan = fixture.plan();
    let settle = |theirs: &str| {
        let decided = DecidedLines::Text {
            mine: "- [ ] **T2** Mine for T2 and more\n".to_owned(),
            theirs: theirs.to_owned(),
        };
        let choice = ConflictChoice::Theirs;
        fixture
            .desktop
            .settle_conflicts(&plan, choice, &decided)
            .unwrap()
    };
    assert_eq!(settle("- [ ] **T4** Use msgspec\n"), 0);
    assert_eq!(settle("- [ ] **T2** Theirs for T2\r\n"), 1);
    assert_eq!(fixture.desktop.outline(&plan, None).unwrap().conflicts, 0);
}
