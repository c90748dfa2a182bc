//! Which dependencies between tasks follow from a plan.

use plan::Plan;
use plan::graph::Graph;

use super::{problems, read, sound};

/// Every task with the ids of the tasks that it waits for.
fn order(text: &str) -> String {
    let plan = read(text);
    let graph = Graph::of(&plan);
    let lines: Vec<String> = plan
        .tasks
        .iter()
        .enumerate()
        .map(|(at, task)| format!("{}:{}", task.id, names(&plan, graph.waits_for(at))))
        .collect();
    lines.join(" ")
}

fn names(plan: &Plan, tasks: &[usize]) -> String {
    tasks
        .iter()
        .map(|at| plan.tasks[*at].id.as_str())
        .collect::<Vec<_>>()
        .join(",")
}

#[test]
fn a_task_waits_for_the_one_above_it() {
    assert_eq!(
        order("- [ ] **A1** a\n- [ ] **A2** b\n\n## Later\n- [ ] **A3** c\n"),
        "A1: A2:A1 A3:A2"
    );
}

#[test]
fn depends_replaces_the_order() {
    let text = "- [ ] **A1** a\n- [ ] **A2** b\n  - depends: none\n- [ ] **A3** c\n  - depends: A1, A1\n- [ ] **A4** d\n  - depends: A9\n";
    assert_eq!(order(text), "A1: A2: A3:A1 A4:");
}

#[test]
fn waiting_for_a_group_is_waiting_for_its_leaves() {
    let text = "- [ ] **A1** a\n- [ ] **G1** g\n  - [ ] **B1** b\n  - [ ] **B2** c\n- [ ] **A2** d\n- [ ] **A3** e\n  - depends: G1, A1\n";
    assert_eq!(order(text), "A1: G1:A1 B1:A1 B2:B1 A2:B1,B2 A3:A1,B1,B2");
}

#[test]
fn leaves_wait_for_the_dependencies_of_their_group() {
    let text = "- [ ] **A1** a\n- [ ] **A2** b\n- [ ] **G1** g\n  - depends: A1\n  - [ ] **B1** c\n  - [ ] **B2** d\n    - depends: none\n  - [ ] **G2** e\n    - [ ] **B3** f\n      - depends: A2\n";
    // B3 names A2 and inherits A1; B2 has no dependencies of its own and only inherits A1.
    assert_eq!(order(text), "A1: A2:A1 G1:A1 B1:A1 B2:A1 G2:B2 B3:A1,A2");
}

#[test]
fn a_branch_always_waits_for_its_decision() {
    let text = "- [ ] **A1** a\n- [ ] **D1** d\n  - type: decision\n  - option: x -> B1\n  - option: y -> G1, A1\n- [ ] **B1** b\n  - depends: none\n- [ ] **G1** g\n  - [ ] **B2** c\n  - [ ] **B3** e\n    - depends: none\n- [ ] **A2** z\n";
    let plan = read(text);
    let graph = Graph::of(&plan);
    let at = |id: &str| plan.index_of(&super::id(id)).unwrap();
    assert_eq!(names(&plan, graph.waits_for(at("B1"))), "D1");
    assert_eq!(names(&plan, graph.waits_for(at("B3"))), "D1");
    let branches: Vec<String> = graph
        .branches(at("D1"))
        .iter()
        .map(|branch| names(&plan, branch))
        .collect();
    assert_eq!(branches, ["B1", "A1,B2,B3"]);
    assert_eq!(graph.branch_of(at("B3")), [(at("D1"), 1)]);
    assert_eq!(graph.decisions_before(at("A2")), [at("D1")]);
    assert_eq!(graph.branches(at("A2")), Vec::<Vec<usize>>::new());
    // The decision waits for A1, and A1 waits for the decision, since one of its branches contains
    // A1.
    assert_eq!(problems(text), ["1 dependency_cycle"]);
}

#[test]
fn dependents_reach_through_groups() {
    let text = "- [ ] **A1** a\n- [ ] **G1** g\n  - depends: A1\n  - [ ] **B1** b\n  - [ ] **B2** c\n    - depends: none\n- [ ] **A2** d\n  - depends: G1\n- [ ] **A3** e\n  - depends: none\n";
    let plan = sound(text);
    let graph = Graph::of(&plan);
    assert_eq!(names(&plan, &graph.dependents(0)), "B1,B2,A2");
    assert_eq!(
        names(&plan, &graph.dependents(1)),
        "A2",
        "not its own leaves"
    );
    assert_eq!(names(&plan, &graph.dependents(5)), "");
    assert_eq!(names(&plan, graph.leaves_of(1)), "B1,B2");
    assert_eq!(graph.waits_for(99), [0_usize; 0], "no such task");
}

#[test]
fn cycles_are_listed_in_the_order_of_waiting() {
    let cycles = |text: &str| {
        let plan = read(text);
        let cycles = Graph::of(&plan).cycles();
        let show = |cycle: &Vec<plan::TaskId>| {
            cycle
                .iter()
                .map(|id| id.as_str())
                .collect::<Vec<_>>()
                .join(">")
        };
        cycles.iter().map(show).collect::<Vec<_>>()
    };
    let three = "- [ ] **A1** a\n  - depends: A3\n- [ ] **A2** b\n  - depends: A1\n- [ ] **A3** c\n  - depends: A2\n";
    assert_eq!(cycles(three), ["A1>A3>A2"]);
    assert_eq!(problems(three), ["1 dependency_cycle"]);
    assert_eq!(cycles("- [ ] **A1** a\n  - depends: A1\n"), ["A1"]);
    let by_order = "- [ ] **A1** a\n  - depends: A2\n- [ ] **A2** b\n";
    assert_eq!(cycles(by_order), ["A1>A2"]);
    let message = plan::parse(by_order).1[0].message.clone();
    assert!(
        message.contains("A1 → A2 → A1") && message.contains("depends: none"),
        "{message}"
    );
    let inside = "- [ ] **G1** g\n  - [ ] **B1** b\n    - depends: G1\n";
    assert_eq!(cycles(inside).len(), 1);
    let two = "- [ ] **A1** a\n  - depends: A2\n- [ ] **A2** b\n  - depends: A1\n- [ ] **A3** c\n  - depends: A4\n- [ ] **A4** d\n  - depends: A3\n";
    assert_eq!(cycles(two), ["A1>A2", "A3>A4"]);
    assert_eq!(
        cycles("- [ ] **A1** a\n- [ ] **A2** b\n  - depends: A1\n"),
        Vec::<String>::new()
    );
}

#[test]
fn a_long_cycle_is_abbreviated() {
    let mut text = String::new();
    for at in 0..5_000 {
        text.push_str(&format!(
            "- [ ] **T{at}** x\n  - depends: T{}\n",
            (at + 1) % 5_000
        ));
    }
    let (_, problems) = plan::parse(&text);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.len() < 300, "{}", problems[0].message);
}
