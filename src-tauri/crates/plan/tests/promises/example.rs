//! The example plan, which has every key, a checkpoint, a decision, requirements and a record.

use std::fmt::Write as _;

use plan::graph::Graph;
use plan::{Dialect, Plan};

const EXAMPLE: &str = include_str!("example.md");

/// The content of a plan without positions in the file, for snapshots.
fn show(plan: &Plan) -> String {
    let mut out = String::new();
    let front = &plan.front;
    let _ = writeln!(
        out,
        "{} · {:?}",
        plan.dialect.as_str(),
        plan.title.as_ref().map(|t| &t.text)
    );
    let _ = writeln!(
        out,
        "id {:?}\ngoal {:?}\nbase {:?}",
        front.id, front.goal, front.base
    );
    for requirement in &plan.requirements {
        let _ = writeln!(
            out,
            "{}: {} (line {})",
            requirement.id, requirement.text, requirement.line
        );
    }
    for task in &plan.tasks {
        let _ = writeln!(
            out,
            "\n{} [{}] {} (line {})",
            task.id, task.marker, task.title, task.line
        );
        let mut say = |key: &str, value: String| {
            if !matches!(value.as_str(), "[]" | "None" | "Normal" | "Either" | "\"\"") {
                let _ = writeln!(out, "  {key} {value}");
            }
        };
        say("kind", format!("{:?}", task.kind));
        say("body", format!("{:?}", task.body));
        let depends = task.depends.iter().flatten().map(|id| id.as_str());
        say("depends", format!("{:?}", depends.collect::<Vec<_>>()));
        say("files", format!("{:?}", task.files));
        say("covers", format!("{:?}", task.covers));
        say("complexity", format!("{:?}", task.complexity));
        say("accept", format!("{:?}", task.accept));
        say("verify", format!("{:?}", task.verify));
        say("by", format!("{:?}", task.by));
        for call in &task.calls {
            say(
                "call",
                call.parsed
                    .as_ref()
                    .map_or_else(ToString::to_string, |c| c.to_line()),
            );
        }
        for option in &task.options {
            say("option", format!("{:?} {:?}", option.label, option.effect));
        }
    }
    for record in &plan.decisions {
        let _ = writeln!(
            out,
            "\n{}: {:?} {:?}",
            record.task, record.answer, record.detail
        );
    }
    out
}

#[test]
fn the_example_is_parsed_completely() {
    let plan = super::sound(EXAMPLE);
    insta::assert_snapshot!(show(&plan));
}

#[test]
fn spans_point_at_the_parsed_text() {
    let plan = super::sound(EXAMPLE);
    assert!(EXAMPLE[plan.preamble.clone()].starts_with("# Let the stock"));
    assert!(EXAMPLE[plan.preamble.clone()].ends_with("as today\n\n"));
    assert_eq!(
        &EXAMPLE[plan.decisions_section.clone().unwrap()],
        "- D1 open\n"
    );
    for task in &plan.tasks {
        assert_eq!(&EXAMPLE[task.id_span.clone().unwrap()], task.id.as_str());
        assert_eq!(&EXAMPLE[task.title_span.clone()], task.title);
        assert_eq!(&EXAMPLE[task.box_span.clone()], task.marker.to_string());
        assert!(EXAMPLE[task.span.clone()].starts_with("- ["));
        for field in &task.fields {
            assert_eq!(&EXAMPLE[field.value_span.clone()], field.value);
            let line = format!("  - {}: {}", field.key, field.value);
            assert_eq!(EXAMPLE[field.span.clone()], line);
            let number = EXAMPLE[..field.span.start].lines().count() + 1;
            assert_eq!(field.line as usize, number);
        }
    }
}

#[test]
fn the_example_parses_the_same_with_other_line_endings_and_a_byte_order_mark() {
    let plain = show(&super::sound(EXAMPLE));
    for (ending, mark) in [
        ("\r\n", ""),
        ("\r", ""),
        ("\n", "\u{feff}"),
        ("\r\n", "\u{feff}"),
    ] {
        let text = format!("{mark}{}", EXAMPLE.replace('\n', ending));
        let plan = super::sound(&text);
        assert_eq!(show(&plan), plain, "{ending:?} {mark:?}");
        assert_eq!(plan.line_ending, ending);
    }
}

#[test]
fn the_branches_of_the_example_wait_for_their_decision() {
    let plan = super::sound(EXAMPLE);
    let graph = Graph::of(&plan);
    let at = |id: &str| plan.index_of(&super::id(id)).unwrap();
    assert_eq!(plan.dialect, Dialect::Native);
    assert_eq!(graph.branches(at("D1")), [vec![at("T3")], vec![at("T4")]]);
    assert_eq!(graph.branch_of(at("T4")), [(at("D1"), 1)]);
    assert_eq!(graph.waits_for(at("C1")), [at("T3"), at("T4")]);
    assert_eq!(graph.decisions_before(at("T5")), [at("D1")]);
    assert_eq!(graph.dependents(at("T3")), [at("C1"), at("T5")]);
}
