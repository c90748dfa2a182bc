//! What an edit of a large plan costs.
//!
//! `cargo test --release -p planwright-plan --test promises -- --ignored --nocapture speed` prints
//! the figures beside reading the plan once.

use std::time::{Duration, Instant};

use plan::edit::{
    EditError, NewTask, Place, Splice, add_note, add_task, apply, connect, delete_task, disconnect,
    indent, merge_tasks, move_task, outdent, set_body, set_depends, set_field, set_kind, set_title,
    split_task, tick,
};
use plan::{Plan, TaskKind};

use super::{id, read};

/// A plan of about 100 bytes a task. `depends` says what the task of a number names.
fn large(tasks: usize, depends: impl Fn(usize) -> Option<String>) -> String {
    let mut text = "---\nplanwright: 1\ngoal: A large one\n---\n# Large\n\n## Tasks\n".to_owned();
    for at in 1..=tasks {
        text.push_str(&format!(
            "- [ ] **T{at}** Change the file number {at}\n  Some words about it.\n"
        ));
        if let Some(depends) = depends(at) {
            text.push_str(&format!("  - depends: {depends}\n"));
        }
        text.push_str(&format!("  - files: `src/{at}.rs`\n"));
    }
    text
}

type Edit = dyn Fn(&str, &Plan) -> Result<Vec<Splice>, EditError>;

fn edits() -> Vec<(&'static str, Box<Edit>)> {
    let new = || NewTask {
        title: "New".to_owned(),
        kind: TaskKind::Normal,
    };
    vec![
        ("tick", Box::new(|_, plan| tick(plan, &id("T5000")))),
        (
            "title",
            Box::new(|text, plan| set_title(text, plan, &id("T5000"), "Other words")),
        ),
        (
            "body",
            Box::new(|text, plan| set_body(text, plan, &id("T5000"), "Other words\n\nand more")),
        ),
        (
            "field",
            Box::new(|text, plan| {
                set_field(text, plan, &id("T5000"), "files", &["a.rs".to_owned()])
            }),
        ),
        (
            "new field",
            Box::new(|text, plan| {
                set_field(text, plan, &id("T5000"), "verify", &["ls".to_owned()])
            }),
        ),
        (
            "depends",
            Box::new(|text, plan| {
                set_depends(text, plan, &id("T5000"), Some(&[id("T7"), id("T8")]))
            }),
        ),
        (
            "connect",
            Box::new(|text, plan| connect(text, plan, &id("T7"), &id("T5000"))),
        ),
        (
            "disconnect",
            Box::new(|text, plan| disconnect(text, plan, &id("T4999"), &id("T5000"))),
        ),
        (
            "note",
            Box::new(|text, plan| add_note(text, plan, &id("T5000"), "n")),
        ),
        (
            "kind",
            Box::new(|text, plan| set_kind(text, plan, &id("T5000"), TaskKind::Checkpoint)),
        ),
        (
            "add",
            Box::new(move |text, plan| {
                add_task(text, plan, &Place::After(id("T5000")), &new()).map(|named| named.splices)
            }),
        ),
        (
            "move",
            Box::new(|text, plan| {
                move_task(text, plan, &id("T5000"), &Place::Before(id("T9")))
                    .map(|named| named.splices)
            }),
        ),
        (
            "indent",
            Box::new(|text, plan| indent(text, plan, &id("T5000")).map(|named| named.splices)),
        ),
        (
            "split",
            Box::new(|text, plan| {
                split_task(text, plan, &id("T5000"), "Second", Some("")).map(|named| named.splices)
            }),
        ),
        (
            "merge",
            Box::new(|text, plan| merge_tasks(text, plan, &id("T4999"), &id("T5000"))),
        ),
        (
            "delete",
            Box::new(|text, plan| delete_task(text, plan, &id("T5000"))),
        ),
    ]
}

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

#[test]
#[ignore = "prints figures; only a release build means anything"]
fn speed_of_edits_of_ten_thousand_tasks() {
    let shapes: [(&str, String); 3] = [
        ("nothing named", large(10_000, |_| None)),
        (
            "each names the one above",
            large(10_000, |at| (at > 1).then(|| format!("T{}", at - 1))),
        ),
        (
            "all name one",
            large(10_000, |at| (at > 5000).then(|| "T5000".to_owned())),
        ),
    ];
    for (shape, text) in shapes {
        let plan = read(&text);
        println!("{shape}: {} bytes, {} tasks", text.len(), plan.tasks.len());
        let parse = best(|| {
            read(&text);
        });
        println!("  read once       {parse:>10.2?}");
        for (name, edit) in edits() {
            let found = edit(&text, &plan);
            let time = best(|| {
                let splices = edit(&text, &plan).unwrap_or_default();
                apply(&text, &splices).unwrap();
            });
            let outcome = if found.is_ok() { "" } else { " refused" };
            println!("  {name:<15} {time:>10.2?}{outcome}");
        }
    }
    let all: Vec<String> = (1..10_000).map(|at| format!("T{at}")).collect();
    let text = large(10_000, |at| (at == 10_000).then(|| all.join(", ")));
    let plan = read(&text);
    let time = best(|| {
        disconnect(&text, &plan, &id("T77"), &id("T10000")).unwrap();
    });
    println!("one that names all, one less {time:.2?}");
    let counted = text.replace("**T", "").replace("** Change", " Change");
    let plan = read(&counted);
    let time = best(|| {
        outdent(&counted, &plan, &id("#5000")).unwrap_err();
        add_task(
            &counted,
            &plan,
            &Place::First,
            &NewTask {
                title: "New".to_owned(),
                kind: TaskKind::Normal,
            },
        )
        .unwrap();
    });
    println!("a new first one of a plain list {time:.2?}");
}

/// One edit of a task that many name is one change, not one for each of them.
#[test]
fn what_many_name_is_changed_at_once() {
    const MANY: usize = 1500;
    let text = large(MANY, |at| (at > 1).then(|| "T1".to_owned()));
    let plan = read(&text);
    let start = Instant::now();
    let without = apply(&text, &delete_task(&text, &plan, &id("T1")).unwrap()).unwrap();
    assert!(!without.text.contains("depends: T1\n"));
    let split = split_task(&text, &plan, &id("T1"), "Second", None).unwrap();
    let split = apply(&text, &split.splices).unwrap().text;
    assert_eq!(
        split
            .matches(&format!("depends: T1, T{}", MANY + 1))
            .count(),
        MANY - 1
    );
    let merged = merge_tasks(&text, &plan, &id("T2"), &id("T1")).unwrap();
    let merged = apply(&text, &merged).unwrap().text;
    assert_eq!(merged.matches("depends: T2\n").count(), MANY - 2);
    let group = text
        .replace("- [ ] **T", "  - [ ] **T")
        .replace("\n  Some", "\n    Some");
    let group = group
        .replace("\n  - depends", "\n    - depends")
        .replace("\n  - files", "\n    - files");
    let group = group.replace(
        "## Tasks\n",
        "## Tasks\n- [ ] **G0** group\n- [ ] **G1** group\n",
    );
    let plan = read(&group);
    assert_eq!(plan.tasks[1].children.len(), MANY);
    let adopted = merge_tasks(&group, &plan, &id("G0"), &id("G1")).unwrap();
    let adopted = read(&apply(&group, &adopted).unwrap().text);
    assert_eq!(adopted.tasks[0].children.len(), MANY);
    // One by one this would take some minutes.
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
