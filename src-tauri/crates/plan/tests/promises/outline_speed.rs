//! Edits to large plans update all references together, not one at a time.

use std::time::{Duration, Instant};

use plan::edit::{apply, delete_task, merge_tasks, split_task};

use super::{id, read};

/// A plan with about 100 bytes per task. `depends` returns the dependency of the task with a given
/// number.
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

#[test]
fn a_task_referenced_by_many_is_changed_in_one_edit() {
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
    // Updating one reference at a time would take minutes.
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
