//! Merges keep both sides' changes to tasks, and report conflicts by task.

use plan::merge::{Merged, merge};
use plan::{Plan, Task, TaskId};

use super::drawn::{Drawn, cases};
use super::{ids, read};

const BASE: &str = "\
---
planwright: 1
goal: Add a flag
base: abc
---
# Add a flag

Some words.

## Requirements
- R1 rows are printed

## Tasks
- [ ] **T1** Find the rows
  - files: `src/a.py`
- [ ] **T2** Add the flag
  - depends: T1
  - files: `src/cli.py`
  - verify: `make test`
- [ ] **T3** Write the docs
  - depends: T2
- [ ] **D1** Which layout?
  - type: decision
  - option: lines -> T4
  - depends: T3
- [ ] **T4** Print lines
  - depends: D1

## Decisions
- D1 open
";

/// The base text with one passage replaced.
fn with(from: &str, to: &str) -> String {
    assert!(BASE.contains(from), "{from}");
    BASE.replacen(from, to, 1)
}

fn merged(ours: &str, theirs: &str) -> Merged {
    merge(BASE, ours, theirs)
}

/// The lines of a result that are not in the base.
fn new_lines(found: &Merged) -> Vec<&str> {
    found
        .text
        .lines()
        .filter(|line| !BASE.lines().any(|known| known == *line))
        .collect()
}

#[test]
fn unrelated_changes_are_both_kept() {
    let t2 = "- [ ] **T2** Add the flag\n";
    let verify = "  - verify: `make test`\n";
    let t3 = "- [ ] **T3** Write the docs\n  - depends: T2\n";
    for (ours, theirs, expected, why) in [
        (
            with("`src/cli.py`", "`src/x.py`"),
            with("`make test`", "`make check`"),
            &["  - files: `src/x.py`", "  - verify: `make check`"][..],
            "two keys side by side",
        ),
        (
            with(t2, "- [x] **T2** Add the flag\n"),
            with(t2, "- [ ] **T2** Add one flag\n"),
            &["- [ ] **T2** Add one flag"],
            "a tick is not for the other side's title",
        ),
        (
            with(t2, "- [ ] **T2** Add one flag\n  - note: mine\n"),
            with("  - depends: T1\n", ""),
            &["- [ ] **T2** Add one flag", "  - note: mine"],
            "a key put in above one that went",
        ),
        (
            with("`src/cli.py`", "`src/cli.py`, `b`"),
            with("`src/cli.py`", "`a`, `src/cli.py`"),
            &["  - files: `a`, `src/cli.py`, `b`"],
            "names in one list",
        ),
        (
            with("`src/cli.py`", "`b`"),
            with("`src/cli.py`", "`src/cli.py`, `a`"),
            &["  - files: `a`, `b`"],
            "a name taken out and one put in",
        ),
        (
            with(verify, "  - verify: `make test`\n  - note: mine\n"),
            with(verify, "  - verify: `make test`\n  - note: theirs\n"),
            &["  - note: theirs", "  - note: mine"],
            "keys at one place",
        ),
        (
            with(
                verify,
                "  - verify: `make test`\n  - note: same\n  - accept: a\n",
            ),
            with(verify, "  - verify: `make test`\n  - note: same\n"),
            &["  - note: same", "  - accept: a"],
            "the same key at one place",
        ),
        (
            with(verify, "  - verify: `make test`\n  - note: mine\n"),
            with(
                verify,
                "  - verify: `make test`\n- [ ] **T7** New\n  - note: theirs\n",
            ),
            &["  - note: mine", "- [ ] **T7** New", "  - note: theirs"],
            "a key stays with its task when another task comes behind it",
        ),
        (
            with(
                verify,
                "  - verify: `make test`\n- [ ] **T8** Mine\n  - note: a\n",
            ),
            with(
                verify,
                "  - verify: `make test`\n- [ ] **T7** Theirs\n  - note: a\n",
            ),
            &[
                "- [ ] **T7** Theirs",
                "  - note: a",
                "- [ ] **T8** Mine",
                "  - note: a",
            ],
            "tasks at one place",
        ),
        (
            with(verify, "  - verify: `make test`\n  - [ ] **T2.1** Mine\n"),
            with(
                verify,
                "  - verify: `make test`\n  - note: theirs\n  - [ ] **T2.2** Theirs\n",
            ),
            &[
                "  - note: theirs",
                "  - [ ] **T2.2** Theirs",
                "  - [ ] **T2.1** Mine",
            ],
            "sub-tasks at one place",
        ),
        (
            with(t3, ""),
            with(verify, "  - verify: `make test`\n  - note: theirs\n"),
            &["  - note: theirs"],
            "a key of the task above one that went",
        ),
        (
            with(t3, ""),
            with(t3, &format!("{t3}- [ ] **T7** New\n")),
            &["- [ ] **T7** New"],
            "a task put in behind one that went",
        ),
        (
            with(verify, ""),
            with(verify, &format!("{verify}  - note: theirs\n")),
            &["  - note: theirs"],
            "a key put in behind one that went",
        ),
        (
            with("goal: Add a", "goal: Add one"),
            with("base: abc", "base: def"),
            &["goal: Add one flag", "base: def"],
            "front matter",
        ),
        (
            with(
                "- R1 rows are printed\n",
                "- R1 rows are printed\n- R2 mine\n",
            ),
            with("- R1 rows are printed\n", "- R1 all rows are printed\n"),
            &["- R1 all rows are printed", "- R2 mine"],
            "requirements",
        ),
        (
            with(t3, ""),
            with(
                "  - verify: `make test`\n- [ ] **T3** Write the docs\n  - depends: T2\n",
                "",
            ),
            &[],
            "the same lines taken away, and one more",
        ),
    ] {
        let found = merged(&ours, &theirs);
        assert_eq!(found.conflicts, Vec::new(), "{why}");
        assert_eq!(new_lines(&found), expected, "{why}");
        assert_eq!(found.renamed, Vec::new(), "{why}");
    }
}

#[test]
fn a_section_added_by_both_occurs_once() {
    let base = "- [ ] **D1** a\n  - type: decision\n- [ ] **D2** b\n  - type: decision\n";
    let ours = format!("{base}\n## Decisions\n- D1: yes — me\n");
    let theirs = format!("{base}\n## Decisions\n- D2: no — you\n");
    let found = merge(base, &ours, &theirs);
    assert_eq!(
        found.clean(),
        Some(format!("{base}\n## Decisions\n- D2: no — you\n- D1: yes — me\n").as_str())
    );
    let twice = format!("{base}\n## Decisions\n- D1: no — you\n");
    let found = merge(base, &ours, &twice);
    assert_eq!(found.conflicts.len(), 1, "one decision, two answers");
}

#[test]
fn single_values_set_by_both_are_a_conflict() {
    let t2 = "- [ ] **T2** Add the flag\n";
    let verify = "  - verify: `make test`\n";
    for (ours, theirs, mine, other, task) in [
        (
            with(t2, "- [ ] **T2** Add two flags\n"),
            with(t2, "- [ ] **T2** Add no flag\n"),
            "- [ ] **T2** Add two flags\n",
            "- [ ] **T2** Add no flag\n",
            "T2",
        ),
        (
            with("`make test`", "`make a`"),
            with("`make test`", "`make b`"),
            "  - verify: `make a`\n",
            "  - verify: `make b`\n",
            "T2",
        ),
        (
            with(verify, &format!("{verify}  - by: person\n")),
            with(verify, &format!("{verify}  - by: agent\n")),
            "  - by: person\n",
            "  - by: agent\n",
            "T2",
        ),
        (
            with("- [ ] **T3** Write the docs\n  - depends: T2\n", ""),
            with("**T3** Write the docs", "**T3** Write all docs"),
            "",
            "- [ ] **T3** Write all docs\n  - depends: T2\n",
            "T3",
        ),
        (
            with("**T3** Write the docs", "**T3** Write all docs"),
            with("- [ ] **T3** Write the docs\n  - depends: T2\n", ""),
            "- [ ] **T3** Write all docs\n  - depends: T2\n",
            "",
            "T3",
        ),
        (
            with("- [ ] **T3** Write the docs\n  - depends: T2\n", ""),
            with("  - depends: T2\n", "  - depends: T2\n  - note: more\n"),
            "",
            "- [ ] **T3** Write the docs\n  - depends: T2\n  - note: more\n",
            "T3",
        ),
    ] {
        let found = merged(&ours, &theirs);
        let [conflict] = &found.conflicts[..] else {
            panic!("{found:?}");
        };
        assert_eq!([conflict.ours.as_str(), &conflict.theirs], [mine, other]);
        assert_eq!(&found.text[conflict.place.clone()], other);
        assert_eq!(conflict.task, Some(TaskId::from(task)));
        let titles = [
            "Add no flag",
            "Add the flag",
            "Write all docs",
            "Write the docs",
        ];
        assert!(titles.contains(&conflict.title.as_str()), "{conflict:?}");
        assert_eq!(found.text, theirs);
    }
}

#[test]
fn a_single_value_key_is_not_duplicated() {
    let t2 = "- [ ] **T2** Add the flag\n";
    let verify = "  - verify: `make test`\n";
    let ours = with(verify, &format!("{verify}  - by: person\n  - note: mine\n"));
    let theirs = with(t2, &format!("{t2}  - by: agent\n"));
    let found = merged(&ours, &theirs);
    let [conflict] = &found.conflicts[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        [conflict.ours.as_str(), &conflict.theirs],
        ["  - by: person\n", "  - by: agent\n"]
    );
    assert_eq!(
        (conflict.task.clone(), conflict.title.as_str()),
        (Some(TaskId::from("T2")), "Add the flag")
    );
    assert_eq!(
        found.text,
        with(t2, &format!("{t2}  - by: agent\n"))
            .replace(verify, &format!("{verify}  - note: mine\n"))
    );
    let same = with(t2, &format!("{t2}  - by: person\n"));
    let found = merged(&ours, &same);
    assert_eq!(
        found.clean(),
        Some(
            same.replace(verify, &format!("{verify}  - note: mine\n"))
                .as_str()
        )
    );
}

#[test]
fn each_task_has_its_own_conflict() {
    let change = |word: &str| {
        BASE.replace("Find the rows", &format!("Find {word} rows"))
            .replace("Add the flag", &format!("Add {word} flag"))
            .replace("`make test`", &format!("`make {word}`"))
            .replace("Write the docs", &format!("Write {word} docs"))
    };
    let found = merged(&change("our"), &change("their"));
    let tasks: Vec<&str> = found
        .conflicts
        .iter()
        .map(|one| one.task.as_ref().unwrap().as_str())
        .collect();
    assert_eq!(tasks, ["T1", "T2", "T3"]);
    let t2 = &found.conflicts[1];
    assert_eq!(
        t2.ours,
        "- [ ] **T2** Add our flag\n  - depends: T1\n  - files: `src/cli.py`\n  - verify: `make our`\n"
    );
    assert_eq!(t2.theirs, t2.ours.replace("our", "their"));
    // One side removed two tasks and the other changed both of them.
    let gone = with(
        "- [ ] **T2** Add the flag\n  - depends: T1\n  - files: `src/cli.py`\n  - verify: `make test`\n- [ ] **T3** Write the docs\n  - depends: T2\n",
        "",
    );
    let found = merged(
        &gone,
        &change("their").replace("Find their rows", "Find the rows"),
    );
    let tasks: Vec<&str> = found
        .conflicts
        .iter()
        .map(|one| one.task.as_ref().unwrap().as_str())
        .collect();
    assert_eq!(tasks, ["T2", "T3"]);
}

#[test]
fn conflicts_outside_of_tasks_are_named_by_their_section() {
    for (from, ours, theirs, title) in [
        (
            "goal: Add a flag",
            "goal: mine",
            "goal: theirs",
            "front matter",
        ),
        ("Some words.", "My words.", "Their words.", "introduction"),
        (
            "- R1 rows are printed",
            "- R1 mine",
            "- R1 theirs",
            "Requirements",
        ),
        (
            "- D1 open",
            "- D1: lines — me",
            "- D1: none — you",
            "Decisions",
        ),
    ] {
        let found = merged(&with(from, ours), &with(from, theirs));
        let [conflict] = &found.conflicts[..] else {
            panic!("{from}: {found:?}");
        };
        assert_eq!(
            (conflict.task.as_ref(), conflict.title.as_str()),
            (None, title)
        );
    }
}

#[test]
fn tasks_added_with_the_same_id_get_different_ids() {
    let t3 = "- [ ] **T3** Write the docs\n  - depends: T2\n";
    let t4 = "- [ ] **T4** Print lines\n  - depends: D1\n";
    let ours = with(t3, &format!("{t3}- [ ] **T5** Mine\n  - depends: T3\n"))
        .replace("  - depends: D1\n", "  - depends: D1, T5\n");
    let theirs = with(
        t4,
        &format!("{t4}- [ ] **T5** Theirs\n- [ ] **T6** More\n  - depends: T5\n"),
    );
    let found = merged(&ours, &theirs);
    assert_eq!(found.conflicts, Vec::new());
    assert_eq!(found.renamed, [(TaskId::from("T5"), TaskId::from("T7"))]);
    let plan = read(&found.text);
    assert_eq!(ids(&plan), ["T1", "T2", "T3", "T7", "D1", "T4", "T5", "T6"]);
    let depends = |id: &str| {
        plan.task(&TaskId::from(id))
            .unwrap()
            .depends
            .clone()
            .unwrap()
    };
    assert_eq!(depends("T4"), [TaskId::from("D1"), TaskId::from("T7")]);
    assert_eq!(depends("T6"), [TaskId::from("T5")]);
    // A task that both sides added appears only once.
    let ours = with(t4, &format!("{t4}- [ ] **T5** Same\n  - note: n\n"));
    let theirs = with("Find the rows", "Find rows")
        .replace(t4, &format!("{t4}- [ ] **T5** Same\n  - note: n\n"));
    let found = merged(&ours, &theirs);
    assert_eq!(found.clean(), Some(theirs.as_str()));
    // Leading zeros are kept, and requirement ids are renamed too.
    let base = "## Requirements\n- R1 a\n\n## Tasks\n- [ ] **T009** a\n";
    let ours = "## Requirements\n- R1 a\n- R2 mine\n\n## Tasks\n- [ ] **T009** a\n- [ ] **T010** mine\n  - covers: R2\n";
    let theirs = "## Requirements\n- R1 a\n- R2 theirs\n\n## Tasks\n- [ ] **T009** a\n- [ ] **T010** theirs\n  - covers: R2\n";
    let found = merge(base, ours, theirs);
    let expected = "## Requirements\n- R1 a\n- R2 theirs\n- R3 mine\n\n## Tasks\n- [ ] **T009** a\n\
        - [ ] **T010** theirs\n  - covers: R2\n- [ ] **T011** mine\n  - covers: R3\n";
    assert_eq!(found.clean(), Some(expected));
    assert_eq!(found.renamed.len(), 2);
}

#[test]
fn a_task_moved_by_one_side_and_changed_by_the_other_is_both() {
    let t2 = "- [ ] **T2** Add the flag\n  - depends: T1\n  - files: `src/cli.py`\n  - verify: `make test`\n";
    let t4 = "- [ ] **T4** Print lines\n  - depends: D1\n";
    let moved = with(t2, "").replace(t4, &format!("{t4}{t2}"));
    let changed = with("Add the flag", "Add one flag").replace("`make test`", "`make check`");
    let both = changed
        .replace(&changed_t2(t2), "")
        .replace(t4, &format!("{t4}{}", changed_t2(t2)));
    for (ours, theirs) in [(&moved, &changed), (&changed, &moved)] {
        let found = merged(ours, theirs);
        assert_eq!(found.clean(), Some(both.as_str()));
        assert_eq!(found.moved_twice, Vec::new());
    }
    let first = with(t2, "").replace("- [ ] **T1**", &format!("{t2}- [ ] **T1**"));
    let found = merged(&first, &moved);
    assert_eq!(found.clean(), Some(moved.as_str()));
    assert_eq!(found.moved_twice, [TaskId::from("T2")]);
    let found = merged(
        &moved.replace("Add the flag", "Add one flag"),
        &moved.replace("`make test`", "`make check`"),
    );
    assert_eq!(
        found.clean(),
        Some(both.as_str()),
        "the same move and two changes"
    );
    assert_eq!(found.moved_twice, Vec::new());
    let under = with(t2, "").replace(
        "- [ ] **T3** Write the docs\n  - depends: T2\n",
        &format!(
            "- [ ] **T3** Write the docs\n  - depends: T2\n{}",
            t2.replace("- [", "  - [").replace("\n  - ", "\n    - ")
        ),
    );
    let found = merged(&changed, &under);
    assert!(found.clean().is_some(), "{found:?}");
    let plan = read(&found.text);
    let moved = plan.task(&TaskId::from("T2")).unwrap();
    assert_eq!(
        (moved.title.as_str(), moved.depth, moved.verify.as_slice()),
        ("Add one flag", 1, &["make check".to_owned()][..])
    );
}

fn changed_t2(t2: &str) -> String {
    t2.replace("Add the flag", "Add one flag")
        .replace("`make test`", "`make check`")
}

#[test]
fn the_final_line_ending_is_not_a_conflict() {
    for (base, ours, theirs, expected) in [
        (
            "- [ ] a",
            "- [ ] a\n- [ ] b",
            "- [ ] a\n- [ ] c",
            "- [ ] a\n- [ ] c\n- [ ] b",
        ),
        (
            "- [ ] a\n",
            "- [ ] a\n- [ ] b",
            "- [ ] a\n- [ ] c\n",
            "- [ ] a\n- [ ] c\n- [ ] b",
        ),
        ("- [ ] a", "- [x] a", "- [ ] a\n- [ ] c", "- [x] a\n- [ ] c"),
        ("- [ ] a", "- [x] a", "- [ ] a\n", "- [x] a\n"),
        ("", "- [ ] a", "- [ ] b\n", "- [ ] b\n- [ ] a\n"),
    ] {
        assert_eq!(
            merge(base, ours, theirs).clean(),
            Some(expected),
            "{ours:?} {theirs:?}"
        );
    }
}

/// Merges three texts and asserts the guarantees of a merge.
fn assert_laws(base: &str, ours: &str, theirs: &str) -> Merged {
    let found = merge(base, ours, theirs);
    let show = || {
        format!(
            "BASE\n{base}\nOURS\n{ours}\nTHEIRS\n{theirs}\nFOUND\n{}\n{:#?}",
            found.text, found.conflicts
        )
    };
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let (was, mine, other, is) = (lines(base), lines(ours), lines(theirs), lines(&found.text));
    let conflicts: Vec<String> = found
        .conflicts
        .iter()
        .flat_map(|one| lines(&format!("{}{}{}", one.base, one.ours, one.theirs)))
        .collect();
    let plan = read(&found.text);
    let (base_plan, our_plan, their_plan) = (read(base), read(ours), read(theirs));
    let now = |id: &TaskId| {
        found
            .renamed
            .iter()
            .find(|(old, _)| old == id)
            .map_or(id, |(_, new)| new)
            .clone()
    };
    for (side, side_plan, is_ours) in [(&mine, &our_plan, true), (&other, &their_plan, false)] {
        for line in side.iter().filter(|line| !was.contains(line)) {
            let renamed =
                found
                    .renamed
                    .iter()
                    .fold(line.clone(), |line, (old, new)| match is_ours {
                        true => line.replace(&format!("**{old}**"), &format!("**{new}**")),
                        false => line,
                    });
            let in_task = || {
                // The merged line combines both sides: it must have every part that this side
                // changed.
                let task = side_plan.tasks.iter().find(|task| {
                    lines(&side_text(is_ours, ours, theirs)[task.span.clone()]).contains(line)
                });
                let Some(task) = task else { return false };
                let id = if is_ours {
                    now(&task.id)
                } else {
                    task.id.clone()
                };
                let Some(merged) = plan.task(&id) else {
                    return false;
                };
                let before = base_plan.task(&task.id);
                let title_kept =
                    before.is_some_and(|b| b.title == task.title) || merged.title == task.title;
                // A tick only applies to the text that was ticked.
                let mark_kept = before.is_some_and(|b| b.marker == task.marker)
                    || merged.marker == task.marker
                    || (task.done && reads(merged) != reads(task));
                if line.contains("- [") {
                    return title_kept && mark_kept;
                }
                let Some((key, value)) = line.trim_start_matches("- ").split_once(": ") else {
                    return false;
                };
                let known: Vec<&str> = before.map_or(Vec::new(), |b| {
                    b.values(key).flat_map(|v| v.split(", ")).collect()
                });
                let has: Vec<&str> = merged.values(key).flat_map(|v| v.split(", ")).collect();
                value
                    .split(", ")
                    .all(|name| known.contains(&name) || has.contains(&name))
            };
            assert!(
                is.contains(line) || conflicts.contains(&renamed) || in_task(),
                "lost {line:?}\n{}",
                show()
            );
        }
    }
    let ticked = |plan: &Plan| -> Vec<String> {
        let done = plan.leaves().filter(|(_, task)| task.done);
        done.map(|(_, task)| reads(task)).collect()
    };
    let given: Vec<String> = [ours, theirs]
        .into_iter()
        .flat_map(|side| ticked(&plan::parse(side).0))
        .collect();
    for words in ticked(&plan) {
        assert!(given.contains(&words), "nobody ticked {words}\n{}", show());
    }
    for line in &was {
        if [&was, &mine, &other]
            .iter()
            .any(|side| side.iter().filter(|l| *l == line).count() > 1)
        {
            continue;
        }
        match (mine.contains(line), other.contains(line)) {
            (true, true) => assert!(is.contains(line), "kept by both: {line:?}\n{}", show()),
            (false, true) | (true, false) => assert!(
                // A tick that was set for a different text is removed.
                !is.contains(line) || conflicts.contains(line) || line.contains("- [ ]"),
                "not gone: {line:?}\n{}",
                show()
            ),
            (false, false) => assert!(
                !is.contains(line) || conflicts.contains(line),
                "back again: {line:?}\n{}",
                show()
            ),
        }
    }
    let unique = |plan: &plan::Plan| {
        let mut all = ids(plan);
        all.sort_unstable();
        all.windows(2).all(|pair| pair[0] != pair[1])
    };
    if unique(&base_plan) && unique(&our_plan) && unique(&their_plan) {
        assert!(unique(&plan), "an id twice\n{}", show());
    }
    if found.conflicts.is_empty() {
        let old = |id: &TaskId| {
            let known = found.renamed.iter().find(|(_, new)| new == id);
            known.map_or(id, |(old, _)| old).clone()
        };
        for task in &plan.tasks {
            let twice = |task: &plan::Task| task.values("complexity").count() > 1;
            let sides = [&base_plan, &our_plan, &their_plan];
            let had = sides
                .iter()
                .any(|side| side.task(&old(&task.id)).is_some_and(twice));
            assert!(!twice(task) || had, "two values of one key\n{}", show());
        }
    }
    if found.conflicts.is_empty() {
        let has = |plan: &plan::Plan, id: &TaskId| plan.task(id).is_some();
        let mut expected: Vec<TaskId> = Vec::new();
        for task in &base_plan.tasks {
            if has(&our_plan, &task.id) && has(&their_plan, &task.id) {
                expected.push(task.id.clone());
            }
        }
        expected.extend(
            their_plan
                .tasks
                .iter()
                .map(|task| &task.id)
                .filter(|id| !has(&base_plan, id))
                .cloned(),
        );
        expected.extend(
            our_plan
                .tasks
                .iter()
                .map(|task| &task.id)
                .filter(|id| !has(&base_plan, id))
                .map(now),
        );
        expected.sort();
        expected.dedup();
        let mut tasks: Vec<TaskId> = plan.tasks.iter().map(|task| task.id.clone()).collect();
        tasks.sort();
        assert_eq!(tasks, expected, "{}", show());
    }
    for one in &found.conflicts {
        assert_eq!(&found.text[one.place.clone()], one.theirs, "{}", show());
        assert_ne!(one.ours, one.theirs, "{}", show());
    }
    assert!(
        found
            .conflicts
            .windows(2)
            .all(|pair| pair[0].place.end <= pair[1].place.start),
        "{}",
        show()
    );
    found
}

/// A task's content without its id and its tick.
fn reads(task: &Task) -> String {
    let fields = task.fields.iter().filter(|field| field.key != "skipped");
    let fields = fields.map(|field| format!("{}: {}", field.key, field.value));
    let lines = [task.title.clone(), task.body.clone()];
    lines
        .into_iter()
        .chain(fields)
        .collect::<Vec<_>>()
        .join("\n")
}

fn side_text<'t>(is_ours: bool, ours: &'t str, theirs: &'t str) -> &'t str {
    if is_ours { ours } else { theirs }
}

#[test]
fn edits_of_both_sides_follow_the_laws() {
    let merges = cases(300);
    let (mut clean, mut conflicts, mut renamed, mut moved) = (0, 0, 0, 0);
    for seed in 1..=merges {
        let mut drawn = Drawn::new(seed as u64);
        let tasks = 3 + drawn.below(8);
        let base = drawn.plan_of(tasks);
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        for _ in 0..1 + drawn.below(3) {
            drawn.edit(&mut ours);
        }
        if seed % 4 == 0 {
            drawn.forget_ids();
        }
        for _ in 0..1 + drawn.below(3) {
            drawn.edit(&mut theirs);
        }
        let found = assert_laws(&base.concat(), &ours.concat(), &theirs.concat());
        clean += usize::from(found.conflicts.is_empty());
        conflicts += found.conflicts.len();
        renamed += found.renamed.len();
        moved += found.moved_twice.len();
    }
    println!(
        "{merges} merges: {clean} clean, {conflicts} conflicts, {renamed} ids renamed, {moved} moved twice"
    );
    assert!(clean * 10 > merges * 7, "{clean}");
    assert!(conflicts > 0 && renamed > 0);
}
