//! The graph of a plan: its nodes and edges, their states and positions, and how fast it is
//! computed.

use std::time::Instant;

use desktop::wire::{GraphNode, GraphView};
use planwright_tests::Project;

use crate::documents::Bench;

fn graph_of(text: &str) -> GraphView {
    let bench = Bench::new();
    let project = Project::new().file("plans/a.md", text);
    let outline = bench.open(&project, "plans/a.md");
    bench
        .desktop
        .graph(&outline.plan, &outline.revision)
        .unwrap()
}

#[track_caller]
fn node<'g>(graph: &'g GraphView, id: &str) -> &'g GraphNode {
    graph.nodes.iter().find(|node| node.id == id).unwrap()
}

fn edges(graph: &GraphView) -> Vec<String> {
    let edges = graph.edges.iter();
    edges
        .map(|edge| format!("{} {} {}", edge.from, edge.kind, edge.to))
        .collect()
}

#[test]
fn the_graph_says_what_can_run_next_and_what_it_unblocks() {
    let graph = graph_of(
        "# A\n\n## Tasks\n\
         - [x] **T1** Find the rows\n\
         - [ ] **T2** Add the flag to the parser of the report\n\
         - [ ] **D1** Which layout?\n  - type: decision\n  - option: Lines -> T3\n  - option: One array -> T4\n\
         - [ ] **T3** Lines\n  - depends: D1\n\
         - [ ] **T4** Array\n  - depends: D1\n\
         - [ ] **T5** Tidy\n  - depends: T1, T3, T4\n\
         - [ ] **T6** Left\n  - depends: none\n  - skipped: not needed\n",
    );
    let states = ["T1", "T2", "D1", "T3", "T5", "T6"].map(|id| &*node(&graph, id).state);
    assert_eq!(
        states,
        ["done", "ready", "waiting", "waiting", "waiting", "skipped"]
    );
    let unblocks = ["T1", "T2", "D1", "T3", "T5"].map(|id| node(&graph, id).unblocks);
    assert_eq!(unblocks, [5, 4, 3, 1, 0]);
    assert_eq!(
        edges(&graph),
        [
            "T1 order T2",
            "T2 order D1",
            "D1 branch T3",
            "D1 branch T4",
            "T3 depends T5",
            "T4 depends T5"
        ]
    );
    let labels: Vec<_> = graph
        .edges
        .iter()
        .filter_map(|edge| edge.label.clone())
        .collect();
    assert_eq!(labels, ["Lines", "One array"]);
    assert_eq!(node(&graph, "D1").kind, "decision");
}

#[test]
fn an_answer_leaves_the_other_branch_out_and_makes_its_own_ready() {
    let graph = graph_of(
        "## Tasks\n\
         - [x] **D1** Which?\n  - type: decision\n  - option: A -> T1\n  - option: B -> T2\n\
         - [ ] **T1** a\n  - depends: D1\n- [ ] **T2** b\n  - depends: D1\n\
         - [ ] **T3** c\n  - depends: T1, T2\n\n\
         ## Decisions\n- D1: B — Ada, 2026-11-20\n",
    );
    let states = ["T1", "T2", "T3"].map(|id| &*node(&graph, id).state);
    assert_eq!(states, ["skipped", "ready", "waiting"]);
}

#[test]
fn a_group_is_drawn_around_its_steps_and_a_chain_is_one_column() {
    let graph = graph_of(
        "## Tasks\n- [ ] **T1** first\n- [ ] **T2** group\n  - [ ] **T2.1** a\n  - [ ] **T2.2** b\n- [ ] **T3** last\n",
    );
    let group = node(&graph, "T2");
    assert_eq!(group.kind, "group");
    for id in ["T2.1", "T2.2"] {
        let own = node(&graph, id);
        assert_eq!(own.group.as_deref(), Some("T2"));
        assert!(own.x > group.x && own.y > group.y);
        assert!(own.x + 148 < group.x + group.width as i32);
        assert!(own.y + (own.height as i32) < group.y + group.height as i32);
    }
    assert_eq!(
        edges(&graph),
        ["T1 order T2", "T2.1 order T2.2", "T2 order T3"]
    );
    let centre = |id: &str| node(&graph, id).x + node(&graph, id).width as i32 / 2;
    assert_eq!([centre("T1"), centre("T3")], [centre("T2"); 2]);
}

#[test]
fn three_hundred_tasks_are_drawn_at_once_and_of_very_many_the_first() {
    let mut text = String::from("## Tasks\n");
    for at in 1..=300 {
        text.push_str(&format!(
            "- [ ] **T{at}** step number {at} of a larger plan\n"
        ));
        if at > 2 && at % 3 != 0 {
            text.push_str(&format!("  - depends: T{}, T{}\n", at / 2, at - 2));
        }
    }
    let bench = Bench::new();
    let many = "- [ ] one\n".repeat(2_500);
    let project = Project::new()
        .file("plans/a.md", &text)
        .file("plans/b.md", &many);
    let outline = bench.open(&project, "plans/a.md");
    let begun = Instant::now();
    let graph = bench
        .desktop
        .graph(&outline.plan, &outline.revision)
        .unwrap();
    let took = begun.elapsed();
    println!("300 nodes, {} edges: {took:?}", graph.edges.len());
    assert_eq!((graph.nodes.len(), graph.more), (300, 0));
    // The budget is 50 ms in optimized builds, but tests aren't optimized.
    assert!(took.as_millis() < 1_000, "{took:?}");
    let outline = bench.open(&project, "plans/b.md");
    let graph = bench
        .desktop
        .graph(&outline.plan, &outline.revision)
        .unwrap();
    assert_eq!((graph.nodes.len(), graph.more), (2_000, 500));
    assert_eq!(graph.nodes[0].unblocks, 2_499);
}

#[test]
fn a_circle_is_drawn_and_nothing_hangs() {
    let graph = graph_of("- [ ] **T1** a\n  - depends: T3\n- [ ] **T2** b\n- [ ] **T3** c\n");
    assert_eq!(graph.edges.len(), 3);
    assert!(graph.nodes.iter().all(|node| node.state == "waiting"));
}
