//! Table tests for the effects of steps.

use std::collections::BTreeMap;

use agent::journal::{EarlierEnd, Evidence};
use plan::graph::Graph;

use super::{Effects, why_left_out};

const THERE: [&str; 2] = ["a.txt", "src"];

/// Each effect of the last task, as "verb subject".
fn effects(tasks: &str, has_model: bool) -> Vec<String> {
    let (plan, _) = plan::parse(&format!("# P\n\n## Tasks\n{tasks}"));
    let graph = Graph::of(&plan);
    let exists = |path: &str| THERE.contains(&path);
    let mut effects = Effects::new(&plan, &graph, has_model, &exists);
    let leaves: Vec<usize> = plan.leaves().map(|(index, _)| index).collect();
    let all = leaves.into_iter().map(|index| effects.of(index));
    let last = all.last().unwrap_or_default();
    let line =
        |effect: &crate::wire::StepEffect| format!("{} {}", effect.verb.as_str(), effect.subject);
    last.iter().map(line).collect()
}

#[test]
fn a_step_says_what_it_does() {
    let step = |lines: &str| format!("- [ ] **T1** A step\n{lines}");
    let table: &[(&str, bool, &[&str])] = &[
        // Steps with `call:` lines.
        (
            r#"  - call: `read_file {"path": "a.txt"}`"#,
            false,
            &["reads a.txt"],
        ),
        (
            r#"  - call: `list_files {}`"#,
            false,
            &["reads the workspace"],
        ),
        (
            r#"  - call: `search_files {"pattern": "def", "path": "src"}`"#,
            false,
            &["reads src, for “def”"],
        ),
        (
            r#"  - call: `git_status {}`"#,
            false,
            &["reads the state of the repository"],
        ),
        (
            r#"  - call: `edit_file {"path": "a.txt", "old_text": "a", "new_text": "b"}`"#,
            false,
            &["edits a.txt"],
        ),
        (
            r#"  - call: `write_file {"path": "a.txt", "content": "b"}`"#,
            false,
            &["edits a.txt"],
        ),
        (
            r#"  - call: `write_file {"path": "b.txt", "content": "b"}`"#,
            false,
            &["creates b.txt"],
        ),
        (
            r#"  - call: `delete_file {"path": "a.txt"}`"#,
            false,
            &["deletes a.txt"],
        ),
        (
            "  - call: `run_command {\"command\": \"make all\"}`\n  - verify: `make test`",
            false,
            &["runs make all", "runs make test"],
        ),
        (r#"  - call: `fly {}`"#, false, &["cannot_run fly {}"]),
        // Files that a step only reads aren't listed as changed.
        (
            "  - call: `read_file {\"path\": \"a.txt\"}`\n  - files: `a.txt`, `b.txt`",
            false,
            &["reads a.txt"],
        ),
        // Files that no call names are listed, because the command may write them.
        (
            "  - call: `run_command {\"command\": \"make\"}`\n  - files: `a.txt`, `out.o`",
            false,
            &["runs make", "edits a.txt", "creates out.o"],
        ),
        // Steps that a model carries out.
        (
            "  - files: `a.txt`, `b.txt`",
            true,
            &["edits a.txt", "creates b.txt"],
        ),
        (
            "  - files: `src/*.py`, `new/`",
            true,
            &["edits src/*.py", "edits new/"],
        ),
        (
            "  - files: `a.txt`\n  - tools: read_file",
            true,
            &["reads a.txt"],
        ),
        (
            "",
            true,
            &["asks before it changes a file or runs a command"],
        ),
        // A step carried out by a person.
        ("", false, &["waits_for_you to do it and mark it as done"]),
        (
            "  - by: person\n  - call: `run_command {\"command\": \"make\"}`\n  - verify: `make test`",
            true,
            &[
                "waits_for_you to do it and mark it as done",
                "runs make test",
            ],
        ),
    ];
    for (lines, has_model, expected) in table {
        assert_eq!(effects(&step(lines), *has_model), *expected, "{lines}");
    }
}

#[test]
fn a_step_that_asks_says_what_it_waits_for_and_a_branch_when_it_runs() {
    let decision = "- [ ] **D1** Which?\n  - type: decision\n  - option: Left -> T1\n  - option: Right -> T2\n";
    assert_eq!(
        effects(decision, false),
        ["waits_for_you to decide: Left · Right"]
    );
    let left = format!("{decision}- [ ] **T1** A\n  - call: `git_status {{}}`\n");
    assert_eq!(
        effects(&left, false),
        [
            "only_if D1 is answered “Left”",
            "reads the state of the repository"
        ]
    );
    assert_eq!(
        effects("- [ ] **C1** Look\n  - type: checkpoint\n", false),
        ["waits_for_you to review"]
    );
    assert_eq!(
        effects(
            "- [ ] **C1** Look\n  - type: checkpoint\n  - confirm: false\n",
            false
        ),
        ["shows a notice and continues"]
    );
}

#[test]
fn a_file_that_a_step_before_creates_or_deletes_is_known() {
    let write = |id: &str| {
        format!(
            "- [ ] **{id}** W\n  - call: `write_file {{\"path\": \"b.txt\", \"content\": \"x\"}}`\n"
        )
    };
    let delete = "- [ ] **T2** D\n  - call: `delete_file {\"path\": \"b.txt\"}`\n";
    let (first, last) = (write("T1"), write("T3"));
    assert_eq!(effects(&format!("{first}{last}"), false), ["edits b.txt"]);
    assert_eq!(
        effects(&format!("{first}{delete}{last}"), false),
        ["creates b.txt"]
    );
}

#[test]
fn a_step_that_will_not_run_says_why() {
    let text = "# P\n\n## Tasks\n- [x] **T1** Done\n- [x] **T2** Ticked\n- [ ] **T3** Marked\n  - skipped: no\n\
        - [x] **C1** Look\n  - type: checkpoint\n- [x] **D1** Which?\n  - type: decision\n  - option: Left -> T4\n  - option: Right -> T5\n\
        - [ ] **T4** Left\n- [ ] **T5** Right\n- [ ] **T6** Later\n";
    let (plan, _) = plan::parse(text);
    let graph = Graph::of(&plan);
    let known = |end: EarlierEnd| Evidence {
        run: "r".to_owned(),
        end,
        is_checked: false,
    };
    let label = "Left".to_owned();
    let found = BTreeMap::from([
        ("T1".to_owned(), known(EarlierEnd::Done)),
        ("D1".to_owned(), known(EarlierEnd::Decided { label })),
    ]);
    let why = |id: &str| {
        let index = plan.index_of(&plan::TaskId::from(id))?;
        why_left_out(&plan, &graph, index, Some("T5"), &found)
    };
    let table = [
        ("T1", Some("already done")),
        (
            "T2",
            Some("marked as done manually; the run asks whether it counts"),
        ),
        (
            "T3",
            Some("skipped manually; the run asks whether it counts"),
        ),
        // A ticked checkpoint still asks when its turn comes.
        ("C1", None),
        ("D1", Some("already answered “Left”")),
        ("T4", None),
        ("T5", Some("belongs to an answer that wasn't chosen")),
        ("T6", Some("comes after T5")),
    ];
    for (id, expected) in table {
        assert_eq!(why(id).as_deref(), expected, "{id}");
    }
}
