//! How valid and invalid front matter is parsed.

use super::{problems, read, sound};

#[test]
fn values_may_be_quoted_plain_or_folded() {
    for (written, goal) in [
        ("goal: Add a flag", "Add a flag"),
        ("goal: \"Add: a flag # really\"", "Add: a flag # really"),
        ("goal: 'It''s a flag'", "It's a flag"),
        ("goal: >\n  Add\n  a flag", "Add a flag"),
        ("goal: Add a flag   # as the shop asked", "Add a flag"),
        ("goal: 12", "12"),
        ("goal: 007", "007"),
    ] {
        let plan = sound(&format!("---\n{written}\n---\n- [ ] a\n"));
        assert_eq!(plan.front.goal.as_deref(), Some(goal), "{written}");
        assert_eq!(plan.goal(), Some(goal));
    }
    for written in ["goal:", "goal: ~", "goal: \"\"", "other: x", ""] {
        let plan = sound(&format!("---\n{written}\n---\n# Title\n- [ ] a\n"));
        assert_eq!(plan.front.goal, None, "{written}");
        assert_eq!(plan.goal(), Some("Title"), "the heading stands in");
    }
}

#[test]
fn lists_and_other_keys_are_kept() {
    let plan = sound(
        "---\nkind: rename\nmatch:\n  - rename {{from}} to {{to}}\n  - \"call {{from}} {{to}}\"\n\
         params: [from, to]\nchecks: cargo test\nnested: {a: {b: c}}\nlist: [[1], 2]\nlast: 1.50\n---\n",
    );
    assert_eq!(
        plan.front.matches,
        ["rename {{from}} to {{to}}", "call {{from}} {{to}}"]
    );
    assert_eq!(plan.front.params, ["from", "to"]);
    assert_eq!(plan.front.checks, ["cargo test"]);
    let other = [("kind", "rename"), ("last", "1.50")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    assert_eq!(plan.front.other, other);
}

#[test]
fn broken_yaml_is_a_problem_and_readable_values_are_kept() {
    let text = "---\nplanwright: 1\ngoal: Fix: the thing\nid: a-1\n---\n- [ ] **T1** a\n";
    assert_eq!(problems(text), ["3 front_matter"]);
    let plan = read(text);
    assert_eq!(plan.front.goal.as_deref(), Some("Fix: the thing"));
    assert_eq!(plan.front.id.as_deref(), Some("a-1"));
    assert_eq!(plan.tasks.len(), 1);
    for broken in [
        "goal: \"open",
        "goal: [a",
        "- x\ngoal: b\n\t- c",
        "a: b\n  c: d: e",
        "a: *x",
    ] {
        let text = format!("---\nkey: v\n{broken}\n---\n- [ ] a\n");
        assert_eq!(read(&text).tasks.len(), 1, "{broken}");
    }
}

#[test]
fn an_unclosed_block_is_markdown_and_a_problem() {
    let text = "---\ngoal: x\n\n- [ ] a\n";
    assert_eq!(problems(text), ["1 front_matter"]);
    let plan = read(text);
    assert_eq!((plan.front.span.clone(), plan.tasks.len()), (None, 1));
}

#[test]
fn a_thematic_break_at_the_top_is_not_front_matter() {
    for text in [
        "---\n\n- [ ] a\n\n---\n",
        "---\n- [ ] a\n---\n",
        "---\nSome words.\n---\n- [ ] a",
    ] {
        let plan = sound(text);
        assert_eq!(
            (plan.front.span.clone(), plan.tasks.len()),
            (None, 1),
            "{text:?}"
        );
    }
}

#[test]
fn unknown_versions_and_wrong_values_are_reported() {
    assert_eq!(problems("---\nplanwright: 2\n---\n"), ["2 unknown_version"]);
    assert_eq!(
        problems("---\nplanwright: soon\n---\n"),
        ["2 unknown_version"]
    );
    assert_eq!(
        problems("---\nplanwright: 1\nstrategy: fast\n---\n"),
        ["3 bad_value"]
    );
    assert_eq!(problems("---\nid: a\nid: b\n---\n"), ["3 bad_value"]);
    assert_eq!(problems("---\ngoal: [a, b]\n---\n"), ["2 bad_value"]);
    assert_eq!(
        read("---\nid: a\nid: b\n---\n").front.id.as_deref(),
        Some("a")
    );
}

#[test]
fn front_matter_may_have_any_line_endings() {
    for ending in ["\n", "\r\n", "\r"] {
        let text = format!("---{ending}goal: x{ending}---{ending}- [ ] a");
        let plan = sound(&text);
        assert_eq!(plan.front.goal.as_deref(), Some("x"));
        assert_eq!(&text[plan.preamble.clone()], "", "{ending:?}");
        assert_eq!(
            &text[plan.front.span.clone().unwrap()],
            format!("---{ending}goal: x{ending}---")
        );
        assert_eq!(plan.tasks[0].line, 4);
    }
}
