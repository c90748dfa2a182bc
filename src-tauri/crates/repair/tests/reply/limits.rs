//! Work grows linearly with the reply, depth is bounded, and no unnecessary repairs are made.

use proptest::prelude::*;
use repair::{
    Effect, Finish, NativeCall, Reply, Tool, Tools, Want, read_choice, read_step, recover,
};
use serde_json::{Value, json};

use super::{of_native, of_text, tools};

/// Pieces that are repeated up to a given length, each of which is hard for one of the parsers.
const HARD: [&str; 44] = [
    "[",
    "{",
    "{\"",
    "{\"a\":",
    "{\"a\":[",
    "\"",
    "\\\"",
    "{\"name\":\"read_file\",",
    "{'",
    "```",
    "```json\n{",
    "`",
    "<",
    "<tool_call>",
    "<tool_call>{",
    "</tool_call>",
    "<read_file><path>",
    "<function=read_file><parameter=path>",
    "<think>",
    "</think>",
    "<|python_tag|>",
    "<｜tool▁call▁begin｜>",
    "[TOOL_CALLS]",
    "read_file(",
    "read_file(\"",
    "\nread_file(path=\"",
    "\nAction: read_file\nAction Input: ",
    "\nAction: ",
    "/*",
    "{/*",
    "{\"a\": \"\"\"",
    "{a: `",
    "{\"a\": \"b\" \"",
    "\\",
    "{\"a\": \\\"",
    "&quot;",
    "{<escape>",
    "  \n",
    "{\"name\": \"read_file\", \"arguments\": \"{\\\"",
    "*",
    "[tool_use: read_file] {\"a\": ",
    "<arg_key>a</arg_key><arg_value>",
    "functools[{",
    "“",
];

fn repeated(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

#[test]
fn work_grows_no_faster_than_the_reply() {
    for piece in HARD {
        let steps = |bytes: usize| {
            let text = repeated(piece, bytes);
            let of_text = of_text(&text, Finish::Stop).steps;
            let of_native = of_native("write_file", &text, Finish::Stop).steps;
            (of_text, of_native)
        };
        let (small, large) = (steps(10_000), steps(80_000));
        println!("{piece:?}: {small:?} {large:?}");
        for (small, large) in [(small.0, large.0), (small.1, large.1)] {
            // Eight times the bytes may take at most nine times the work, plus a constant.
            assert!(large <= small * 9 + 40_000, "{piece:?}: {small} -> {large}");
        }
    }
}

#[test]
fn a_long_reply_of_anything_is_paid_for_by_the_byte() {
    for piece in [
        "[",
        "{\"a\":[",
        "\"",
        "<",
        "<tool_call>",
        "```",
        "read_file(",
        "{'",
    ] {
        let text = repeated(piece, 250_000);
        let begin = std::time::Instant::now();
        let recovered = of_text(&text, Finish::Stop);
        let per_byte = recovered.steps as f64 / text.len() as f64;
        println!(
            "{piece:?}: {per_byte:.2} steps a byte, {:?}",
            begin.elapsed()
        );
        assert!(per_byte < 60.0, "{piece:?}");
    }
}

#[test]
fn a_long_file_is_written_whole() {
    let content = "let x = \"y\"; // <tool_call> ```\n".repeat(30_000);
    let call = json!({"name": "write_file", "arguments": {"path": "a.rs", "content": content}});
    for text in [call.to_string(), format!("<tool_call>{call}</tool_call>")] {
        let recovered = of_text(&text, Finish::Stop);
        assert_eq!(recovered.calls[0].arguments["content"], content.as_str());
        assert!(recovered.faults.is_empty());
        assert!(recovered.calls[0].repairs.is_empty());
    }
    let tags =
        format!("<write_file>\n<path>a.rs</path>\n<content>\n{content}</content>\n</write_file>");
    let recovered = of_text(&tags, Finish::Stop);
    assert_eq!(
        recovered.calls[0].arguments["content"]
            .as_str()
            .map(str::trim_end),
        Some(content.trim_end())
    );
}

#[test]
fn nesting_beyond_the_limit_is_a_fault() {
    let deep = format!(
        "{{\"summary\": \"s\", \"done\": true, \"learned\": {}{}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    let recovered = of_native("report_progress", &format!("{deep},"), Finish::ToolCalls);
    assert!(recovered.calls.is_empty());
    assert_eq!(recovered.faults.len(), 1);
}

#[test]
fn each_native_call_has_one_answer() {
    let native = |id: &str, name: &str, arguments: &str| NativeCall {
        id: Some(id.to_owned()),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let reply = Reply {
        text: "Looking. {\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}".to_owned(),
        reasoning: "I could run_command".to_owned(),
        calls: vec![
            native("1", "read_file", "{\"path\": \"a\"}"),
            native("2", "nothing", "{}"),
            native("3", "git_status", ""),
            native("4", "read_file", "{\"path\": \"a\"}"),
        ],
        finish: Finish::ToolCalls,
    };
    let recovered = recover(&reply, &tools(), Want::Call);
    let mut answered: Vec<(usize, &str)> = recovered
        .calls
        .iter()
        .map(|call| (call.position, call.id.as_deref().unwrap()))
        .chain(
            recovered
                .faults
                .iter()
                .map(|fault| (fault.position, fault.id.as_deref().unwrap())),
        )
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, [(0, "1"), (1, "2"), (2, "3"), (3, "4")]);
    assert!(recovered.text.starts_with("Looking."));
    assert_eq!(recovered.thinking, "I could run_command");
}

#[test]
fn a_text_is_enough_only_where_no_call_is_wanted() {
    let reply = Reply::of_text("Both tests pass.");
    assert!(recover(&reply, &tools(), Want::Either).faults.is_empty());
    let fault = &recover(&reply, &tools(), Want::Call).faults[0];
    assert_eq!(fault.kind.as_str(), "no_call");
    assert!(fault.message.contains("report_progress"));
}

#[test]
fn a_value_outside_its_choices_is_named_with_them() {
    let schema = json!({"type": "object", "properties": {"mode": {"type": "string", "enum": ["fast", "deep"]}, "at": {"type": "object", "properties": {"line": {"type": "integer"}}, "required": ["line"]}}, "required": ["mode"]});
    let tools = Tools::new([Tool::new("look", Effect::Reads, &schema).unwrap()]);
    let of = |text: &str| recover(&Reply::of_text(text), &tools, Want::Either);
    assert_eq!(
        of("{\"name\": \"look\", \"arguments\": {\"mode\": \"Fast\"}}").calls[0].arguments["mode"],
        "fast"
    );
    let fault = &of("{\"name\": \"look\", \"arguments\": {\"mode\": \"slow\"}}").faults[0];
    assert_eq!(fault.kind.as_str(), "bad_value");
    assert!(
        fault.message.contains("\"fast\", \"deep\""),
        "{}",
        fault.message
    );
    let nested = of(
        "{\"name\": \"look\", \"arguments\": {\"mode\": \"deep\", \"at\": \"{\\\"line\\\": \\\"3\\\"}\"}}",
    );
    assert_eq!(nested.calls[0].arguments["at"], json!({"line": 3}));
    assert!(Tool::new("look", Effect::Reads, &json!([])).is_err());
}

/// Generates replies from random pieces.
fn pieces() -> impl Strategy<Value = String> {
    let known = prop::sample::select(HARD.to_vec()).prop_map(str::to_owned);
    let words = prop::sample::select(vec![
        "read_file",
        "delete_file",
        "write_file",
        "path",
        "content",
        "arguments",
        ": ",
        "\"src/a.rs\"",
        "}",
        "]",
        ")",
        ", ",
        "</parameter>",
        "</function>",
        "</think>",
        "<|im_end|>",
        "\nObservation: ",
        "é",
        "“",
        "\u{0}",
        "true",
        "None",
        "12",
        "\n",
        "</tool_call>",
        "'",
        "+",
        "=",
        "//",
        "#",
        "<tool_call>",
        "\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}",
    ])
    .prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![known, words, "\\PC{0,6}"], 0..24)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn any_text_is_taken_apart(text in pieces(), which in 0usize..5) {
        let finish = [Finish::Stop, Finish::ToolCalls, Finish::Length, Finish::ContentFilter, Finish::Cut][which];
        let tools = tools();
        let reply = Reply { finish, ..Reply::of_text(text.clone()) };
        let recovered = recover(&reply, &tools, Want::Call);
        prop_assert!(!recovered.calls.is_empty() || !recovered.faults.is_empty());
        for call in &recovered.calls {
            let tool = tools.get(&call.name);
            prop_assert!(tool.is_some());
        }
        let _ = of_native("write_file", &text, finish);
        let _ = read_step(&text, &tools);
        let _ = read_choice(&text, 4);
    }

    /// A call cut off at any byte never runs with an incomplete value.
    #[test]
    fn no_beginning_of_a_call_runs(at in 0usize..200, form in 0usize..4) {
        let call = json!({"name": "write_file", "arguments": {"path": "src/deep/file.rs", "content": "fn main() {}\n// \"end\"\n"}});
        let text = match form {
            0 => call.to_string(),
            1 => format!("<tool_call>\n{call}\n</tool_call>"),
            2 => "<function=write_file>\n<parameter=path>\nsrc/deep/file.rs\n</parameter>\n<parameter=content>\nfn main() {}\n// \"end\"\n\n</parameter>\n</function>".to_owned(),
            _ => "write_file(path=\"src/deep/file.rs\", content=\"fn main() {}\\n// \\\"end\\\"\\n\")".to_owned(),
        };
        let cut = &text[..at.min(text.len())];
        for finish in [Finish::Stop, Finish::Length, Finish::Cut] {
            for call in of_text(cut, finish).calls {
                prop_assert_eq!(&call.arguments["path"], "src/deep/file.rs");
                prop_assert_eq!(&call.arguments["content"], "fn main() {}\n// \"end\"\n");
            }
        }
        let arguments = call["arguments"].to_string();
        let cut = &arguments[..at.min(arguments.len())];
        for call in of_native("write_file", cut, Finish::Length).calls {
            prop_assert_eq!(Value::Object(call.arguments), json!({"path": "src/deep/file.rs", "content": "fn main() {}\n// \"end\"\n"}));
        }
    }

    #[test]
    fn valid_calls_pass_untouched(path in "\\PC{1,20}", content in pieces()) {
        let arguments = json!({"path": path, "content": content});
        let recovered = of_native("write_file", &arguments.to_string(), Finish::ToolCalls);
        prop_assert_eq!(recovered.calls.len(), 1);
        let is_escaped = recovered.calls[0].repairs.iter().any(|r| r.kind.as_str() == "double_escaped_newlines");
        if !is_escaped {
            prop_assert_eq!(Value::Object(recovered.calls[0].arguments.clone()), arguments.clone());
        }
        let tagged = format!("<tool_call>{}</tool_call>", json!({"name": "write_file", "arguments": arguments}));
        let written = of_text(&tagged, Finish::Stop);
        prop_assert_eq!(&written.calls[0].arguments, &recovered.calls[0].arguments);
    }
}
