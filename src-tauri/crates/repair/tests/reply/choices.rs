//! Short answers: the next step of a plan, or a single letter.

use repair::{read_choice, read_step, read_steps};

use super::tools;

#[test]
fn steps_are_read_from_every_shape() {
    for (text, what, tools_named) in [
        (
            "```json\n{\"what\": \"read it\", \"why\": \"to know\", \"tools\": [\"read_file\"]}\n```",
            "read it",
            "read_file",
        ),
        (
            "Here is the next step:\n{\"what\": \"read it\", \"why\": \"to know\", \"tools\": [\"read_file\"]}\nShall I go on?",
            "read it",
            "read_file",
        ),
        (
            "{\"what\": \"read it\", \"why\": \"to know\", \"tools\": [\"read_file\",]}",
            "read it",
            "read_file",
        ),
        (
            "{'what': 'read it', 'why': 'to know', 'tools': ['read_file']}",
            "read it",
            "read_file",
        ),
        (
            "{\"step\": {\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]}}",
            "read it",
            "read_file",
        ),
        (
            "{\"steps\": [{\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]}, {\"what\": \"b\", \"why\": \"y\", \"tools\": []}]}",
            "read it",
            "read_file",
        ),
        (
            "{\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"readFile\", \"magic\"]}",
            "read it",
            "read_file",
        ),
        (
            "{\"what\": \"read it\", \"why\": \"x\", \"tools\": [{\"name\": \"read_file\"}]}",
            "read it",
            "read_file",
        ),
        (
            "{\"task\": \"read it\", \"reason\": \"x\", \"tool\": \"read_file\"}",
            "read it",
            "read_file",
        ),
        (
            "{\"action\": \"read it\", \"rationale\": \"x\"}",
            "read it",
            "",
        ),
        (
            "{\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]}\n{\"what\": \"b\", \"why\": \"y\", \"tools\": []}",
            "read it",
            "read_file",
        ),
        (
            "<think>what now</think>{\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]}",
            "read it",
            "read_file",
        ),
        (
            "<tool_call>{\"name\": \"plan\", \"arguments\": {\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]}}</tool_call>",
            "read it",
            "read_file",
        ),
        (
            "**What:** read it\n**Why:** to know\n**Tools:** `read_file`",
            "read it",
            "read_file",
        ),
        (
            "1. Read `a.toml` with read_file\n2. Change it",
            "Read a.toml with read_file",
            "read_file",
        ),
        (
            "{\"what\": \"die Datei lesen\", \"why\": \"wegen der Werte\", \"tools\": \"read_file und search_files\"}",
            "die Datei lesen",
            "read_file,search_files",
        ),
        (
            "{\"what\": \"read it\", \"why\": \"x\", \"tools\": [\"read_file\"]",
            "read it",
            "read_file",
        ),
        (
            "{what: \"read it\", why: \"x\", tools: [\"read_file\"]}",
            "read it",
            "read_file",
        ),
    ] {
        let planned = read_step(text, &tools()).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        let step = planned.step.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(
            (step.what.as_str(), step.tools.join(",").as_str()),
            (what, tools_named),
            "{text}"
        );
    }
}

#[test]
fn several_steps_are_read_from_odd_shapes() {
    let two = "read it [read_file], change it [edit_file]";
    for (text, expected) in [
        (
            r#"{"steps": {"1": {"what": "read it", "tools": ["read_file"]}, "2": {"what": "change it", "tools": ["edit_file"]}}}"#,
            two,
        ),
        (
            r#"{"step_2": {"what": "change it", "tools": ["edit_file"]}, "step_1": {"what": "read it", "tools": ["read_file"]}}"#,
            two,
        ),
        (
            r#"{"what": ["read it", "change it"], "why": "x", "tools": [["read_file"], ["edit_file"]]}"#,
            two,
        ),
        (
            r#"{"what": ["read it", "change it"], "tools": ["read_file", "edit_file"]}"#,
            "read it [read_file,edit_file], change it [read_file,edit_file]",
        ),
        (
            r#"{"what": "read it", "tools": [["read_file", "search_files"]]}"#,
            "read it [read_file,search_files]",
        ),
        (
            r#"{"what": "read it", "tools": {"read_file": true, "edit_file": false}}"#,
            "read it [read_file]",
        ),
        (
            r#"{"what": "read it", "tools": [{"read_file": {"path": "a"}}, {"tool": "search_files"}]}"#,
            "read it [read_file,search_files]",
        ),
        (
            r#"{"1": "read it", "2": "change it"}"#,
            "read it [], change it []",
        ),
    ] {
        let read = read_steps(text, &tools()).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        let steps = read.steps.iter();
        let steps = steps.map(|step| format!("{} [{}]", step.what, step.tools.join(",")));
        assert_eq!(steps.collect::<Vec<_>>().join(", "), expected, "{text}");
    }
}

#[test]
fn data_that_holds_no_step_is_sent_back_with_the_shape_and_never_made_a_title() {
    for text in [
        r#"{"tool": "read_file", "arguments": {"path": "a.toml"}}"#,
        r#"{"name": "read_file", "arguments": {"path": "a.toml"}}"#,
        r#"{"action": "read_file", "action_input": {"path": "a.toml"}}"#,
        r#"[{"tool": "read_file", "arguments": {"path": "a.toml"}}]"#,
        "```json\n{\"tool\": \"read_file\", \"path\": \"a.toml\"}\n```",
        r#"I will use read_file: {"tool": "read_file", "path": "a.toml"}"#,
        r#"{"read_file": true}"#,
        r#"["read_file", "edit_file"]"#,
        r#"{"what": [1, 2], "tools": ["read_file"]}"#,
        r#"{"what": {"read": "it"}}"#,
        r#"{"what": "read_file", "tools": ["read_file"]}"#,
    ] {
        let fault = match read_steps(text, &tools()) {
            Err(fault) => fault,
            Ok(read) => panic!("{text}: {read:?}"),
        };
        assert_eq!(fault.kind.as_str(), "no_step", "{text}");
        assert!(fault.message.contains("\"what\""), "{}", fault.message);
    }
    let boxed = read_steps("[ ] Read `a.toml` with read_file", &tools());
    assert_eq!(boxed.unwrap().steps.len(), 1, "a box to tick is no data");
}

#[test]
fn a_reached_goal_is_told_from_no_answer() {
    for text in [
        "null",
        "DONE",
        "Done.",
        "[]",
        "{\"done\": true}",
        "{\"what\": null, \"why\": \"all is done\", \"tools\": []}",
        "```json\nnull\n```",
        "{\"status\": \"complete\", \"reason\": \"tests pass\"}",
        "{\"what\": \"DONE\", \"why\": \"\", \"tools\": []}",
        "The goal is reached.",
        "\"DONE\"",
    ] {
        let planned = read_step(text, &tools()).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(planned.step, None, "{text}");
    }
    for (text, kind) in [
        ("", "empty"),
        ("I cannot plan this.", "no_step"),
        ("What should I do?", "no_step"),
        ("{\"name\": \"shop\", \"version\": \"1\"}", "no_step"),
        ("<think>the next step is", "reasoning_only"),
        ("{\"what\": \"read the con", "no_step"),
    ] {
        assert_eq!(
            read_step(text, &tools()).unwrap_err().kind.as_str(),
            kind,
            "{text}"
        );
    }
}

#[test]
fn letters_are_read_from_every_shape() {
    for (text, letter) in [
        ("C", 'C'),
        ("c", 'C'),
        ("**B**", 'B'),
        ("B.", 'B'),
        ("(D)", 'D'),
        ("[A]", 'A'),
        ("Answer: C", 'C'),
        ("The answer is B.", 'B'),
        ("Option D: ask the user", 'D'),
        ("I choose B because A has failed already.", 'B'),
        ("{\"choice\": \"C\"}", 'C'),
        ("A - retry", 'A'),
        ("A: it was a timeout", 'A'),
        ("B\nIt needs another way.", 'B'),
        ("My choice is **C**.", 'C'),
        ("`B`", 'B'),
        ("<think>A or B? A failed.</think>B", 'B'),
        ("I would go with B, since the file is missing.", 'B'),
        ("Let us try B.", 'B'),
        ("Option A seems best, as it was only a timeout.", 'A'),
        ("The best option is A.", 'A'),
        ("B) split the step (not A)", 'B'),
    ] {
        let got = read_choice(text, 4).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(got.letter, letter, "{text}");
    }
    for (text, kind) in [
        ("A or B", "ambiguous_choice"),
        ("A/B", "ambiguous_choice"),
        ("Both B and C are fine.", "ambiguous_choice"),
        ("Either (A) or (C).", "ambiguous_choice"),
        ("A file was not found.", "no_choice"),
        ("E", "no_choice"),
        ("", "empty"),
        ("Try again", "no_choice"),
        ("I am not sure.", "no_choice"),
    ] {
        assert_eq!(
            read_choice(text, 4).unwrap_err().kind.as_str(),
            kind,
            "{text}"
        );
    }
}
