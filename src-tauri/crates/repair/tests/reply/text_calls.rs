//! Variations of every form and fault. Each case has a name, the content, and the expected result:
//! a line `tool {arguments}` for each call, a line `!kind` for each fault, and nothing for plain
//! text.

use repair::{Finish, RepairKind};
use serde_json::{Value, json};

use super::{calls, of_native, of_text, repairs};

const READ: &str = r#"read_file {"path":"src/add.rs"}"#;

/// Checks each case; on failure, prints the expected and the actual result.
fn check(cases: &[(&str, &str, &str)], run: impl Fn(&str, &str) -> repair::Recovered) {
    let mut wrong = Vec::new();
    for (name, raw, expected) in cases {
        let recovered = run(name, raw);
        let mut wanted = Vec::new();
        let mut faults: Vec<&str> = Vec::new();
        for line in expected.lines() {
            match (line.strip_prefix('!'), line.split_once(' ')) {
                (Some(fault), _) => faults.push(fault),
                (None, Some((tool, arguments))) => {
                    let arguments: Value = serde_json::from_str(arguments).expect(line);
                    wanted.push(json!({"name": tool, "arguments": arguments}));
                }
                (None, None) => panic!("{line}"),
            }
        }
        let got = calls(&recovered);
        let said: Vec<&str> = recovered.faults.iter().map(|f| f.kind.as_str()).collect();
        let is_right = got == Value::Array(wanted) && said == faults;
        println!(
            "{} {name}\n   expected {expected}\n   got      {got} {said:?} {:?}",
            if is_right { "ok   " } else { "WRONG" },
            repairs(&recovered),
        );
        if !is_right {
            wrong.push(*name);
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
}

fn check_text(cases: &[(&str, &str, &str)]) {
    check(cases, |_, raw| of_text(raw, Finish::Stop));
}

#[test]
fn calls_in_tags_and_tokens_are_found() {
    check_text(&[
        (
            "array in a tag",
            r#"<tool_call>[{"name": "read_file", "arguments": {"path": "src/add.rs"}}]</tool_call>"#,
            READ,
        ),
        (
            "two objects in a tag",
            "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n{\"name\": \"git_status\", \"arguments\": {}}\n</tool_call>",
            "read_file {\"path\":\"src/add.rs\"}\ngit_status {}",
        ),
        (
            "fence in a tag",
            "<tool_call>\n```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n```\n</tool_call>",
            READ,
        ),
        (
            "tag in a fence",
            "```xml\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n</tool_call>\n```",
            READ,
        ),
        (
            "tag in a json fence",
            "```json\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n</tool_call>\n```",
            READ,
        ),
        (
            "wrong closing tag",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</function_call>",
            READ,
        ),
        (
            "opening tag instead of closing",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}<tool_call>",
            READ,
        ),
        (
            "functioncall tag",
            "<functioncall> {\"name\": \"read_file\", \"arguments\": '{\"path\": \"src/add.rs\"}'} </functioncall>",
            READ,
        ),
        (
            "function_call tag",
            "<function_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</function_call>",
            READ,
        ),
        (
            "tools tag",
            "<tools>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tools>",
            READ,
        ),
        (
            "TOOLCALL tag",
            "<TOOLCALL>[{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}]</TOOLCALL>",
            READ,
        ),
        (
            "tool_calls around tool_call",
            "<tool_calls><tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call></tool_calls>",
            READ,
        ),
        (
            "doubled braces",
            "<tool_call>\n{{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}}\n</tool_call>",
            READ,
        ),
        (
            "no braces",
            "<tool_call>\n\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n</tool_call>",
            READ,
        ),
        (
            "name and json in a tag",
            "<tool_call>read_file\n{\"path\": \"src/add.rs\"}</tool_call>",
            READ,
        ),
        (
            "python in a tag",
            "<tool_call>read_file(path=\"src/add.rs\")</tool_call>",
            READ,
        ),
        (
            "name tags",
            "<tool_call><name>read_file</name><arguments>{\"path\": \"src/add.rs\"}</arguments></tool_call>",
            READ,
        ),
        (
            "tool_name tags",
            "<tool_call>\n<tool_name>read_file</tool_name>\n<parameters>\n<path>src/add.rs</path>\n</parameters>\n</tool_call>",
            READ,
        ),
        (
            "name and parameter tags in tool_use",
            "<tool_use><name>read_file</name><path>src/add.rs</path></tool_use>",
            READ,
        ),
        (
            "coder without tool_call",
            "<function=read_file>\n<parameter=path>\nsrc/add.rs\n</parameter>\n</function>",
            READ,
        ),
        (
            "coder without opening tool_call",
            "<function=read_file>\n<parameter=path>\nsrc/add.rs\n</parameter>\n</function>\n</tool_call>",
            READ,
        ),
        (
            "coder without closing",
            "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/add.rs\n</parameter>",
            READ,
        ),
        (
            "coder with an unclosed parameter",
            "<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/add.rs\n<parameter=start_line>\n3\n</parameter>\n</function>\n</tool_call>",
            r#"read_file {"path":"src/add.rs","start_line":3}"#,
        ),
        (
            "coder with code",
            "<tool_call>\n<function=write_file>\n<parameter=path>\na.rs\n</parameter>\n<parameter=content>\n    if a < b && c == d {\n        x[\"k\"] = \"<p>\";\n    }\n</parameter>\n</function>\n</tool_call>",
            r#"write_file {"path":"a.rs","content":"    if a < b && c == d {\n        x[\"k\"] = \"<p>\";\n    }"}"#,
        ),
        (
            "coder with text on the tag's own line keeps its last line end",
            "<function=write_file><parameter=path>a.py</parameter><parameter=content>CODE = 'X'\n</parameter></function>",
            r#"write_file {"path":"a.py","content":"CODE = 'X'\n"}"#,
        ),
        (
            "the same with the line ends of another system",
            "<function=write_file><parameter=path>a.py</parameter><parameter=content>CODE = 'X'\r\n</parameter></function>",
            r#"write_file {"path":"a.py","content":"CODE = 'X'\r\n"}"#,
        ),
        (
            "coder with a block keeps an empty last line",
            "<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\nCODE = 'X'\n\n</parameter>\n</function>",
            r#"write_file {"path":"a.py","content":"CODE = 'X'\n"}"#,
        ),
        (
            "coder with a number as text",
            "<function=write_file><parameter=path>VERSION</parameter><parameter=content>1.10</parameter></function>",
            r#"write_file {"path":"VERSION","content":"1.10"}"#,
        ),
        (
            "coder twice",
            "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n<function=git_status>\n</function>\n</tool_call>",
            "read_file {\"path\":\"a\"}\ngit_status {}",
        ),
        (
            "coder with a list",
            "<function=report_progress><parameter=summary>ok</parameter><parameter=done>true</parameter><parameter=learned>[\"a\", \"b\"]</parameter></function>",
            r#"report_progress {"summary":"ok","done":true,"learned":["a","b"]}"#,
        ),
        (
            "function name attribute",
            "<function name=\"read_file\"><parameter name=\"path\">src/add.rs</parameter></function>",
            READ,
        ),
        (
            "invoke",
            "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"path\">src/add.rs</parameter>\n</invoke>\n</function_calls>",
            READ,
        ),
        (
            "invoke with a namespace",
            "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"path\">src/add.rs</parameter>\n</invoke>\n</minimax:tool_call>",
            READ,
        ),
        (
            "DSML",
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"read_file\">\n<｜DSML｜parameter name=\"path\" string=\"true\">src/add.rs</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            READ,
        ),
        (
            "tool and arg tags",
            "<tool name=\"read_file\"><arg name=\"path\">src/add.rs</arg></tool>",
            READ,
        ),
        (
            "tag per tool with code",
            "<edit_file>\n<path>src/add.rs</path>\n<old_text>let a = b - 1;</old_text>\n<new_text>if a <= b { x = \"<a href='q'>\"; }</new_text>\n</edit_file>",
            r#"edit_file {"path":"src/add.rs","old_text":"let a = b - 1;","new_text":"if a <= b { x = \"<a href='q'>\"; }"}"#,
        ),
        (
            "tag per tool with attributes",
            "<read_file path=\"src/add.rs\" />",
            READ,
        ),
        (
            "tag per tool with json",
            "<read_file>{\"path\": \"src/add.rs\"}</read_file>",
            READ,
        ),
        (
            "tag per tool with text",
            "<read_file>src/add.rs</read_file>",
            READ,
        ),
        (
            "tag per tool with args",
            "<read_file>\n<args>\n<path>src/add.rs</path>\n</args>\n</read_file>",
            READ,
        ),
        (
            "tag per tool after prose",
            "I will look.\n\n<read_file>\n<path>src/add.rs</path>\n</read_file>",
            READ,
        ),
        (
            "function tag closed",
            "<function=read_file>{\"path\": \"src/add.rs\"}</function>",
            READ,
        ),
        (
            "python tag with a call",
            "<|python_tag|>read_file.call(path=\"src/add.rs\")<|eom_id|>",
            READ,
        ),
        (
            "python tag, several",
            "<|python_tag|>{\"name\": \"read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}; {\"name\": \"git_status\", \"parameters\": {}}<|eom_id|>",
            "read_file {\"path\":\"src/add.rs\"}\ngit_status {}",
        ),
        (
            "llama with function type",
            "{\"type\": \"function\", \"name\": \"read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}<|eot_id|>",
            READ,
        ),
        (
            "python list",
            "[read_file(path=\"src/add.rs\"), git_status()]",
            "read_file {\"path\":\"src/add.rs\"}\ngit_status {}",
        ),
        (
            "mistral v11",
            "[TOOL_CALLS]read_file[ARGS]{\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "mistral without ARGS",
            "[TOOL_CALLS]read_file{\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "mistral with an id",
            "[TOOL_CALLS]read_file[CALL_ID]abc123[ARGS]{\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "mistral without its token",
            "[{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}]",
            READ,
        ),
        (
            "mistral with prose",
            "Reading.[TOOL_CALLS] [{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}, \"id\": \"abc\"}]</s>",
            READ,
        ),
        (
            "mistral, two",
            "[TOOL_CALLS]read_file[ARGS]{\"path\": \"a\"}[TOOL_CALLS]git_status[ARGS]{}",
            "read_file {\"path\":\"a\"}\ngit_status {}",
        ),
        (
            "deepseek v3.1",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{\"path\": \"src/add.rs\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            READ,
        ),
        (
            "deepseek in ascii",
            "<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>read_file\n```json\n{\"path\": \"src/add.rs\"}\n```<|tool_call_end|><|tool_calls_end|>",
            READ,
        ),
        (
            "deepseek, two",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"path\": \"a\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"path\": \"b\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "read_file {\"path\":\"a\"}\nread_file {\"path\":\"b\"}",
        ),
        (
            "kimi",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{\"path\": \"src/add.rs\"}<|tool_call_end|><|tool_calls_section_end|>",
            READ,
        ),
        (
            "gemma function",
            "<start_function_call>call:read_file{path:<escape>src/add.rs<escape>}<end_function_call>",
            READ,
        ),
        (
            "gemma 4",
            "<|tool_call>call:read_file{path:<|\"|>src/add.rs<|\"|>}<tool_call|>",
            READ,
        ),
        (
            "tool_code without print",
            "```tool_code\nread_file(path='src/add.rs')\n```",
            READ,
        ),
        (
            "tool_code, two",
            "```tool_code\nread_file(\"src/add.rs\")\ngit_status()\n```",
            "read_file {\"path\":\"src/add.rs\"}\ngit_status {}",
        ),
        (
            "tool_code with default_api",
            "```tool_code\nprint(default_api.read_file(path=\"src/add.rs\"))\n```",
            READ,
        ),
        (
            "python fence alone",
            "```python\nread_file(path=\"src/add.rs\")\n```",
            READ,
        ),
        (
            "glm with two keys",
            "<tool_call>search_files\n<arg_key>pattern</arg_key>\n<arg_value>fn add</arg_value>\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n</tool_call>",
            r#"search_files {"pattern":"fn add","path":"src"}"#,
        ),
        (
            "glm with a number",
            "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.rs</arg_value>\n<arg_key>start_line</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
            r#"read_file {"path":"a.rs","start_line":5}"#,
        ),
        (
            "harmony",
            "<|channel|>analysis<|message|>I need the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{\"path\": \"src/add.rs\"}<|call|>",
            READ,
        ),
        (
            "tool request",
            "[TOOL_REQUEST]{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}[END_TOOL_REQUEST]",
            READ,
        ),
        (
            "tool call in brackets",
            "[Tool call: read_file] {\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "tool call in brackets with arguments",
            "[tool_call: read_file({\"path\": \"src/add.rs\"})]",
            READ,
        ),
        (
            "command r",
            "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}]<|END_ACTION|>",
            READ,
        ),
        (
            "internlm",
            "<|action_start|><|plugin|>{\"name\": \"read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}<|action_end|>",
            READ,
        ),
        (
            "lfm",
            "<|tool_call_start|>[read_file(path=\"src/add.rs\")]<|tool_call_end|>",
            READ,
        ),
        (
            "granite",
            "<|tool_call|>[{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}]",
            READ,
        ),
        (
            "old qwen",
            "✿FUNCTION✿: read_file\n✿ARGS✿: {\"path\": \"src/add.rs\"}\n",
            READ,
        ),
        (
            "qwen-agent without marks",
            "I look.\nAction: `read_file`\nAction Input: `src/add.rs`",
            READ,
        ),
        (
            "react with a fence",
            "Thought: look\nAction: read_file\nAction Input:\n```json\n{\"path\": \"src/add.rs\"}\n```\n",
            READ,
        ),
        (
            "react in bold",
            "**Thought:** look\n**Action:** read_file\n**Action Input:** {\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "react with brackets",
            "Thought: look\nAction: read_file[src/add.rs]\nObservation: 1",
            READ,
        ),
        (
            "react as a call",
            "Action: read_file(path=\"src/add.rs\")",
            READ,
        ),
        (
            "react json",
            "Action:\n```json\n{\"action\": \"read_file\", \"action_input\": {\"path\": \"src/add.rs\"}}\n```",
            READ,
        ),
        (
            "react with an invented result",
            "Action: read_file\nAction Input: {\"path\": \"src/add.rs\"}\nObservation: fn add\nThought: now delete\nAction: delete_file\nAction Input: {\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "invented response tag",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call>\n<tool_response>fn add</tool_response>\n<tool_call>{\"name\": \"delete_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call>",
            READ,
        ),
        (
            "role token",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call><|im_end|>\n<|im_start|>user\nok<|im_end|>\n<|im_start|>assistant\n<tool_call>{\"name\": \"git_status\", \"arguments\": {}}</tool_call>",
            READ,
        ),
        (
            "role token at the beginning",
            "<|im_start|>assistant\n<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call>",
            READ,
        ),
        (
            "end token inside a string",
            "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"t.py\", \"content\": \"END = '<|im_end|>'\\nObservation: x\\n</tool_call>\"}}</tool_call>",
            r#"write_file {"path":"t.py","content":"END = '<|im_end|>'\nObservation: x\n</tool_call>"}"#,
        ),
    ]);
}

#[test]
fn calls_without_wrappers_are_found() {
    check_text(&[
        (
            "fence",
            "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n```",
            READ,
        ),
        (
            "fence without language",
            "```\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n```",
            READ,
        ),
        (
            "fence without end",
            "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "fence called after the tool",
            "```read_file\n{\"path\": \"src/add.rs\"}\n```",
            READ,
        ),
        (
            "tool_call fence",
            "```tool_call\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n```",
            READ,
        ),
        (
            "fence in prose",
            "Sure! I'll read the file:\n\n```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n```\n\nLet me know what you think.",
            READ,
        ),
        (
            "two fences",
            "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n```\n```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"b\"}}\n```",
            "read_file {\"path\":\"a\"}\nread_file {\"path\":\"b\"}",
        ),
        (
            "two in a fence",
            "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"b\"}}\n```",
            "read_file {\"path\":\"a\"}\nread_file {\"path\":\"b\"}",
        ),
        (
            "bare in prose",
            "I will read it. {\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "bare before prose",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n\nThis shows the function.",
            READ,
        ),
        (
            "nested object and closers",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a.json\", \"content\": \"{\\\"a\\\": {\\\"b\\\": 1}}\"}}",
            r#"write_file {"path":"a.json","content":"{\"a\": {\"b\": 1}}"}"#,
        ),
        (
            "openai envelope",
            "{\"tool_calls\": [{\"id\": \"c9\", \"type\": \"function\", \"function\": {\"name\": \"read_file\", \"arguments\": \"{\\\"path\\\": \\\"src/add.rs\\\"}\"}}]}",
            READ,
        ),
        (
            "function_call envelope",
            "{\"function_call\": {\"name\": \"read_file\", \"arguments\": \"{\\\"path\\\": \\\"src/add.rs\\\"}\"}}",
            READ,
        ),
        (
            "tool and args",
            "{\"tool\": \"read_file\", \"args\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "tool_name and tool_input",
            "{\"tool_name\": \"read_file\", \"tool_input\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "function as name",
            "{\"function\": \"read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "anthropic",
            "{\"type\": \"tool_use\", \"id\": \"t1\", \"name\": \"read_file\", \"input\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "recipient_name",
            "{\"tool_uses\": [{\"recipient_name\": \"functions.read_file\", \"parameters\": {\"path\": \"src/add.rs\"}}]}",
            READ,
        ),
        (
            "flat",
            "{\"name\": \"read_file\", \"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "flat with tool",
            "{\"tool\": \"read_file\", \"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "thought beside the call",
            "{\"thought\": \"I look\", \"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "name as key with a string",
            "{\"read_file\": \"src/add.rs\"}",
            READ,
        ),
        ("name first", "read_file {\"path\": \"src/add.rs\"}", READ),
        (
            "name first on its line",
            "read_file\n{\"path\": \"src/add.rs\"}",
            READ,
        ),
        (
            "name first with a fence",
            "read_file\n```json\n{\"path\": \"src/add.rs\"}\n```",
            READ,
        ),
        ("python line", "read_file(path=\"src/add.rs\")", READ),
        (
            "python line by place",
            "read_file(\"src/add.rs\", 3, 9)",
            r#"read_file {"path":"src/add.rs","start_line":3,"end_line":9}"#,
        ),
        (
            "python line after prose",
            "I will look at it.\n\nread_file(path=\"src/add.rs\")",
            READ,
        ),
        (
            "python with an object",
            "read_file({\"path\": \"src/add.rs\"})",
            READ,
        ),
        (
            "python triple quotes",
            "write_file(path=\"a.py\", content=\"\"\"def f():\n    return \"x\"\n\"\"\")",
            "write_file {\"path\":\"a.py\",\"content\":\"def f():\\n    return \\\"x\\\"\\n\"}",
        ),
        (
            "doubly wrapped arguments",
            "{\"name\": \"read_file\", \"arguments\": {\"arguments\": {\"path\": \"src/add.rs\"}}}",
            READ,
        ),
        (
            "properties",
            "{\"name\": \"read_file\", \"arguments\": {\"properties\": {\"path\": \"src/add.rs\"}}}",
            READ,
        ),
        (
            "schema copied",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": {\"type\": \"string\", \"value\": \"src/add.rs\"}}}",
            READ,
        ),
        (
            "misplaced brace",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\"}, \"content\": \"b\"}",
            r#"write_file {"path":"a","content":"b"}"#,
        ),
        (
            "no arguments",
            "{\"name\": \"git_status\"}",
            "git_status {}",
        ),
        (
            "empty text as arguments",
            "{\"name\": \"git_status\", \"arguments\": \"\"}",
            "git_status {}",
        ),
        (
            "missing comma",
            "{\"name\": \"read_file\" \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "unquoted keys",
            "{name: \"read_file\", arguments: {path: \"src/add.rs\"}}",
            READ,
        ),
        (
            "python dict",
            "{'name': 'read_file', 'arguments': {'path': 'src/add.rs'}}",
            READ,
        ),
        (
            "array not closed",
            "{\"name\": \"report_progress\", \"arguments\": {\"summary\": \"s\", \"done\": true, \"learned\": [\"a\", \"b\"}}",
            r#"report_progress {"summary":"s","done":true,"learned":["a","b"]}"#,
        ),
        (
            "inner quotes in content",
            "{\"name\": \"edit_file\", \"arguments\": {\"path\": \"a.rs\", \"old_text\": \"x\", \"new_text\": \"println!(\"hi {}\", x[\"k\"]);\"}}",
            r#"edit_file {"path":"a.rs","old_text":"x","new_text":"println!(\"hi {}\", x[\"k\"]);"}"#,
        ),
        (
            "raw line ends",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"x\n\ty\"}}",
            r#"write_file {"path":"a","content":"x\n\ty"}"#,
        ),
        (
            "bad escapes",
            "{\"name\": \"search_files\", \"arguments\": {\"pattern\": \"\\d+\\.\\w\"}}",
            r#"search_files {"pattern":"\\d+\\.\\w"}"#,
        ),
        (
            "back-ticks",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a.js\", \"content\": `let a = \"b\";\nlet c = 'd';`}}",
            r#"write_file {"path":"a.js","content":"let a = \"b\";\nlet c = 'd';"}"#,
        ),
        (
            "joined strings",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"b\\n\" +\n \"c\\n\"}}",
            r#"write_file {"path":"a","content":"b\nc\n"}"#,
        ),
        (
            "camel case name",
            "{\"name\": \"readFile\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "Pascal case name",
            "{\"name\": \"ReadFile\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "dashed name",
            "{\"name\": \"read-file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "spaced name",
            "{\"name\": \"Read File\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "namespace",
            "{\"name\": \"functions.read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "mcp namespace",
            "{\"name\": \"mcp__workspace__read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "numbered name",
            "{\"name\": \"read_file_1\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "camel case keys",
            "{\"name\": \"read_file\", \"arguments\": {\"Path\": \"src/add.rs\", \"startLine\": 1}}",
            r#"read_file {"path":"src/add.rs","start_line":1}"#,
        ),
        (
            "old_string and new_string",
            "{\"name\": \"edit_file\", \"arguments\": {\"file_path\": \"a\", \"old_string\": \"b\", \"new_string\": \"c\"}}",
            r#"edit_file {"path":"a","old_text":"b","new_text":"c"}"#,
        ),
        (
            "cmd",
            "{\"name\": \"run_command\", \"arguments\": {\"cmd\": \"cargo test\"}}",
            r#"run_command {"command":"cargo test"}"#,
        ),
        (
            "query",
            "{\"name\": \"search_files\", \"arguments\": {\"query\": \"fn add\", \"path\": \"src\"}}",
            r#"search_files {"pattern":"fn add","path":"src"}"#,
        ),
        (
            "null option",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\", \"start_line\": null}}",
            READ,
        ),
        (
            "flag as text",
            "{\"name\": \"report_progress\", \"arguments\": {\"summary\": \"s\", \"done\": \"True\"}}",
            r#"report_progress {"summary":"s","done":true}"#,
        ),
        (
            "list as text",
            "{\"name\": \"report_progress\", \"arguments\": {\"summary\": \"s\", \"done\": true, \"learned\": \"[\\\"a\\\", \\\"b\\\"]\"}}",
            r#"report_progress {"summary":"s","done":true,"learned":["a","b"]}"#,
        ),
        (
            "number with a fraction of nothing",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\", \"start_line\": 10.0}}",
            r#"read_file {"path":"a","start_line":10}"#,
        ),
        (
            "number for a text",
            "{\"name\": \"search_files\", \"arguments\": {\"pattern\": 42}}",
            r#"search_files {"pattern":"42"}"#,
        ),
        (
            "list of one for a text",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": [\"src/add.rs\"]}}",
            READ,
        ),
        (
            "content that looks like json",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a.json\", \"content\": \"[1, 2]\"}}",
            r#"write_file {"path":"a.json","content":"[1, 2]"}"#,
        ),
        (
            "reason beside the path",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\", \"reason\": \"to see it\"}}",
            READ,
        ),
        (
            "thinking, then a call",
            "<think>I could delete_file it. {\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}</think>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "end of thinking alone",
            "I could {\"name\": \"run_command\", \"arguments\": {\"command\": \"rm -rf target\"}}\n</think>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "same call twice",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
        (
            "whole reply in a back-tick",
            "`{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}`",
            READ,
        ),
        (
            "tool call label",
            "Tool call: {\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
            READ,
        ),
    ]);
}

#[test]
fn what_only_looks_like_a_call_stays_text() {
    check_text(&[
        (
            "a tool in prose",
            "The tool read_file opens a file; delete_file removes it.",
            "",
        ),
        (
            "inline code",
            "To read a file one writes `{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}` and waits.",
            "",
        ),
        (
            "example",
            "A call looks like this:\n\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}\n\nThe answer is the text of the file.",
            "",
        ),
        (
            "example in a fence",
            "For example, a call has this form:\n```json\n{\"name\": \"run_command\", \"arguments\": {\"command\": \"rm -rf target\"}}\n```\nIt needs an approval.",
            "",
        ),
        (
            "placeholder",
            "The form is:\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"<path>\"}}\nin every request.",
            "",
        ),
        (
            "package.json",
            "The package is named so:\n```json\n{\"name\": \"read_file\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"vitest\"}}\n```\nIt has one script.",
            "",
        ),
        (
            "another package.json",
            "```json\n{\"name\": \"shop\", \"version\": \"1.0.0\"}\n```",
            "",
        ),
        (
            "rust sample",
            "This reads it:\n\n```rust\nlet text = read_file(\"src/add.rs\")?;\ndelete_file(\"src/add.rs\")?;\n```\n",
            "",
        ),
        (
            "python sample in prose",
            "In Python:\n\n```python\nread_file(path=\"a\")\n```\n\nThat is all.",
            "",
        ),
        ("shell sample", "Run this:\n```bash\nrm -rf target\n```", ""),
        (
            "unknown tag",
            "The config has <my_tag>x</my_tag> and <path>a</path> in it.",
            "",
        ),
        (
            "function in a sentence",
            "You can use read_file(path=\"a\") to open it, or git_status() to see what changed.",
            "",
        ),
        (
            "html",
            "The page is <html><body><tool>hammer</tool></body></html>.",
            "",
        ),
        (
            "a table of settings",
            "{\"command\": \"cargo test\", \"timeout_s\": 3}",
            "",
        ),
        (
            "json inside json",
            "{\"example\": {\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}}",
            "",
        ),
        (
            "unknown tool in the middle of prose",
            "The server answered {\"name\": \"frobnicate\", \"arguments\": {}} and then it stopped, which is odd.",
            "",
        ),
        (
            "an observation in prose",
            "I looked at it.\nObservation: the parser is slow.\nIt should be split.",
            "",
        ),
        (
            "a list of calls with numbers",
            "1. read_file opens a file\n2. edit_file changes it",
            "",
        ),
        (
            "a done answer",
            "The function is fixed and both tests pass. Let me know if anything else is needed.",
            "",
        ),
        (
            "quoted line",
            "You wrote:\n> {\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}\nand that was refused.",
            "",
        ),
        (
            "brackets in prose",
            "See [1] and [read_file] and {curly}.",
            "",
        ),
        (
            "a rule of dashes",
            "----------------------------------------------------------------\nThe end.",
            "",
        ),
    ]);
}

#[test]
fn what_cannot_be_repaired_is_a_fault_and_never_a_call() {
    check_text(&[
        (
            "cut in a string",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"fn main() {",
            "!cut",
        ),
        (
            "cut in a tag",
            "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/ad",
            "!cut",
        ),
        (
            "cut in a parameter",
            "<function=write_file>\n<parameter=path>\na.rs\n</parameter>\n<parameter=content>\nfn main() {",
            "!cut",
        ),
        (
            "cut in a tag per tool",
            "<write_file>\n<path>a.rs</path>\n<content>fn main() {",
            "!cut",
        ),
        (
            "cut in python",
            "[TOOL_CALLS]read_file(path=\"src/ad",
            "!cut",
        ),
        (
            "end token in a string",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/ad<|im_end|>",
            "!cut",
        ),
        (
            "first whole, second cut",
            "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}</tool_call>\n<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"b\", \"content\": \"hal",
            "read_file {\"path\":\"a\"}\n!cut",
        ),
        (
            "unknown tool",
            "{\"name\": \"open_file\", \"arguments\": {\"path\": \"a\"}}",
            "!unknown_tool",
        ),
        (
            "unknown tool in a tag",
            "<tool_call>{\"name\": \"browse\", \"arguments\": {\"url\": \"a\"}}</tool_call>",
            "!unknown_tool",
        ),
        (
            "near a tool that destroys",
            "{\"name\": \"deletefiles\", \"arguments\": {\"path\": \"a\"}}",
            "!unknown_tool",
        ),
        (
            "numbered tool that destroys",
            "{\"name\": \"delete_file_1\", \"arguments\": {\"path\": \"a\"}}",
            "!unknown_tool",
        ),
        (
            "remove_file",
            "{\"name\": \"remove_file\", \"arguments\": {\"path\": \"a\"}}",
            "!unknown_tool",
        ),
        (
            "destroys with another key",
            "{\"name\": \"delete_file\", \"arguments\": {\"file\": \"a\"}}",
            "!unknown_key",
        ),
        (
            "destroys with a bare text",
            "{\"name\": \"delete_file\", \"arguments\": \"a\"}",
            "!bad_arguments",
        ),
        (
            "destroys with open brackets",
            "{\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"",
            "!unsure",
        ),
        (
            "destroys in prose",
            "We do not need it any more. {\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}",
            "!unsure",
        ),
        (
            "missing key",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\"}}",
            "!missing_required",
        ),
        (
            "reason for content",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"reason\": \"it is needed\"}}",
            "!missing_required",
        ),
        (
            "strange key that could matter",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"b\", \"append\": true}}",
            "!unknown_key",
        ),
        (
            "wrong type",
            "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\", \"start_line\": \"ten\"}}",
            "!wrong_type",
        ),
        (
            "object for a text",
            "{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": {\"b\": 1}}}",
            "!wrong_type",
        ),
        (
            "half of a positional list",
            "{\"name\": \"edit_file\", \"arguments\": [\"a\", \"b\"]}",
            "!bad_arguments",
        ),
        (
            "not json in a tag",
            "<tool_call>read the file please</tool_call>",
            "!bad_arguments",
        ),
        (
            "prose intent",
            "Let me read the file src/add.rs first.",
            "!no_call",
        ),
        (
            "prose intent, German",
            "Ich werde jetzt die Datei lesen.",
            "!no_call",
        ),
        ("prose intent, Chinese", "让我先读取这个文件。", "!no_call"),
        (
            "refusal",
            "I'm unable to access files on your computer.",
            "!no_call",
        ),
        (
            "thinking alone",
            "<think>I should read the file.</think>",
            "!reasoning_only",
        ),
        (
            "thinking without end",
            "<think>I should call <tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}</tool_call>",
            "!reasoning_only",
        ),
        ("tokens alone", "</s>", "!empty"),
        (
            "marks again and again",
            "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
            "!degenerate",
        ),
    ]);
}

#[test]
fn a_reply_that_was_cut_runs_nothing_that_could_be_cut() {
    for finish in [Finish::Length, Finish::ContentFilter, Finish::Cut] {
        check(
            &[
                (
                    "open brackets",
                    "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"",
                    "!cut",
                ),
                (
                    "open number",
                    "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\", \"start_line\": 1",
                    "!cut",
                ),
                (
                    "open tags",
                    "<function=read_file>\n<parameter=path>\nsrc/add.rs\n</parameter>",
                    "!cut",
                ),
                ("a line", "Action: read_file\nAction Input: src/ad", "!cut"),
                ("prose", "The plan has three st", "!cut"),
                (
                    "whole",
                    "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}</tool_call>",
                    READ,
                ),
            ],
            |_, raw| of_text(raw, finish),
        );
        for (arguments, kind) in [
            (r#"{"path": "src/ad"#, "cut"),
            (r#"{"path": "src/add.rs""#, "cut"),
            (r#"{"path": "src/add.rs", "start_line": 1"#, "cut"),
            (r#"{"path":"#, "cut"),
            ("src/add.rs", "cut"),
        ] {
            let recovered = of_native("read_file", arguments, finish);
            assert!(recovered.calls.is_empty(), "{arguments}");
            assert_eq!(recovered.faults[0].kind.as_str(), kind, "{arguments}");
        }
    }
}

#[test]
fn native_arguments_are_mended_by_their_schema() {
    check(
        &[
            ("read_file", "", "!missing_required"),
            ("git_status", "", "git_status {}"),
            ("git_status", "null", "git_status {}"),
            ("git_status", "{}", "git_status {}"),
            ("read_file", "\"{\\\"path\\\": \\\"src/add.rs\\\"}\"", READ),
            ("read_file", "\"src/add.rs\"", READ),
            ("read_file", "{\\\"path\\\": \\\"src/add.rs\\\"}", READ),
            (
                "read_file",
                "{&quot;path&quot;: &quot;src/add.rs&quot;}",
                READ,
            ),
            ("read_file", "{'path': 'src/add.rs'}", READ),
            ("read_file", "{path: \"src/add.rs\"}", READ),
            ("read_file", "\"path\": \"src/add.rs\"}", READ),
            ("read_file", "{\"path\": \"src/add.rs\"}}", READ),
            ("read_file", "{\"path\": \"src/add.rs\"]", READ),
            ("read_file", "{\"path\": src/add.rs}", READ),
            ("read_file", "{\"path\" = \"src/add.rs\"}", READ),
            (
                "read_file",
                "{\"path\": \"src/add.rs\"}{\"path\": \"src/add.rs\"}",
                READ,
            ),
            (
                "read_file",
                "{\"path\": \"a\"}{\"path\": \"b\"}",
                "!bad_arguments",
            ),
            (
                "read_file",
                "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
                READ,
            ),
            (
                "read_file",
                "{\"name\": \"delete_file\", \"arguments\": {\"path\": \"a\"}}",
                "!bad_arguments",
            ),
            (
                "function",
                "{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/add.rs\"}}",
                READ,
            ),
            ("functions.read_file", "{\"path\": \"src/add.rs\"}", READ),
            (
                "read_file<|channel|>json",
                "{\"path\": \"src/add.rs\"}",
                READ,
            ),
            ("read_file(path=\"src/add.rs\")", "", READ),
            ("read_fil", "{\"path\": \"a\"}", "!unknown_tool"),
            (
                "delete_file",
                "{\"path\": \"a\",}",
                r#"delete_file {"path":"a"}"#,
            ),
            ("delete_file", "{\"path\": \"a\"} and more", "!unsure"),
            ("delete_file", "{\"path\": \"a", "!cut"),
            ("delete_file", "{'path': \"a\"", "!unsure"),
            (
                "read_file",
                "Here are the arguments: {\"path\": \"src/add.rs\"}",
                READ,
            ),
            (
                "run_command",
                "{\"command\": \"grep -rn \"fn add\" src\"}",
                r#"run_command {"command":"grep -rn \"fn add\" src"}"#,
            ),
            (
                "run_command",
                "{\"command\": \"printf 'a\\\\nb\\\\nc'\"}",
                r#"run_command {"command":"printf 'a\\nb\\nc'"}"#,
            ),
            (
                "search_files",
                "{\"pattern\": \"a\\\\n\\\\nb\"}",
                r#"search_files {"pattern":"a\\n\\nb"}"#,
            ),
            (
                "edit_file",
                "{\"path\": \"a.rs\", \"old_text\": \"x\", \"new_text\": \"println!(\\\"a\\\\nb\\\\n\\\");\"}",
                r#"edit_file {"path":"a.rs","old_text":"x","new_text":"println!(\"a\\nb\\n\");"}"#,
            ),
            (
                "edit_file",
                "{\"path\": \"a.js\", \"old_text\": \"x\", \"new_text\": \"s.split(/\\\\n\\\\n+/)\"}",
                r#"edit_file {"path":"a.js","old_text":"x","new_text":"s.split(/\\n\\n+/)"}"#,
            ),
            (
                "write_file",
                "{\"path\": \"a.py\", \"content\": \"def f():\\\\n    print(\\\"a\\\\\\\\n\\\")\\\\n    return 1\\\\n\"}",
                "write_file {\"path\":\"a.py\",\"content\":\"def f():\\n    print(\\\"a\\\\n\\\")\\n    return 1\\n\"}",
            ),
            (
                "write_file",
                "{\"path\": \"a.py\", \"content\": '''x = \"y\"\nz = 'w'\n'''}",
                "write_file {\"path\":\"a.py\",\"content\":\"x = \\\"y\\\"\\nz = 'w'\\n\"}",
            ),
            (
                "write_file",
                "{\"path\": \"a.html\", \"content\": \"<a href=\"x\">y</a>\n<b class=\"c\">\"}",
                "write_file {\"path\":\"a.html\",\"content\":\"<a href=\\\"x\\\">y</a>\\n<b class=\\\"c\\\">\"}",
            ),
            (
                "write_file",
                "{\"path\": \"a.json\", \"content\": \"{\n  \"a\": \"b\",\n  \"c\": {\"d\": \"e\"}\n}\n\"}",
                "write_file {\"path\":\"a.json\",\"content\":\"{\\n  \\\"a\\\": \\\"b\\\",\\n  \\\"c\\\": {\\\"d\\\": \\\"e\\\"}\\n}\\n\"}",
            ),
            (
                "write_file",
                "{\"path\": \"a\", \"content\": \"C:\\\\dir\\q\"}",
                r#"write_file {"path":"a","content":"C:\\dir\\q"}"#,
            ),
            (
                "report_progress",
                "{\"summary\": \"s\", \"done\": \"yes\", \"learned\": []}",
                r#"report_progress {"summary":"s","done":true,"learned":[]}"#,
            ),
            (
                "report_progress",
                "{\"summary\": \"s\", \"done\": true, \"learned\": [\"a\" \"b\"],}",
                r#"report_progress {"summary":"s","done":true,"learned":["a","b"]}"#,
            ),
            (
                "ask_user",
                "{\"question\": \"Which?\", \"options\": \"red\"}",
                r#"ask_user {"question":"Which?","options":["red"]}"#,
            ),
            (
                "read_file",
                "{\"path\": \"a\", \"start_line\": +3, \"end_line\": 0x10}",
                r#"read_file {"path":"a","start_line":3,"end_line":16}"#,
            ),
        ],
        |name, raw| of_native(name, raw, Finish::ToolCalls),
    );
}

#[test]
fn prose_stays_and_calls_go() {
    for (raw, text) in [
        (
            "I will look.\n<tool_call>{\"name\": \"git_status\", \"arguments\": {}}</tool_call>\nThen I go on.",
            "I will look.\n\nThen I go on.",
        ),
        (
            "<think>hm</think>Looking.\n```json\n{\"name\": \"git_status\", \"arguments\": {}}\n```",
            "Looking.",
        ),
        ("Done.<|im_end|>", "Done."),
        (
            "In `code` and\n```rust\nfn main() {}\n```\nall stays.",
            "In `code` and\n```rust\nfn main() {}\n```\nall stays.",
        ),
        ("The first: {\"a\": 1}.", "The first: {\"a\": 1}."),
    ] {
        assert_eq!(of_text(raw, Finish::Stop).text, text, "{raw}");
    }
}

#[test]
fn faults_show_the_right_form_in_the_form_that_was_used() {
    for (raw, words) in [
        (
            "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\"}}</tool_call>",
            "<tool_call>{\"name\":\"write_file\",\"arguments\":{\"path\":\"a\",\"content\":\"<content>\"}}</tool_call>",
        ),
        (
            "write_file(path=\"a\")",
            "write_file(path=\"a\", content=\"<content>\")",
        ),
        (
            "<function=write_file><parameter=path>a</parameter></function>",
            "<parameter=content>\n<content>\n</parameter>",
        ),
        (
            "Action: write_file\nAction Input: {\"path\": \"a\"}",
            "Action Input: {\"path\":\"a\",\"content\":\"<content>\"}",
        ),
        (
            "{\"name\": \"read_dir\", \"arguments\": {}}",
            "Did you mean read_file?",
        ),
        (
            "{\"name\": \"delete_fil\", \"arguments\": {}}",
            "The tools are read_file,",
        ),
    ] {
        let recovered = of_text(raw, Finish::Stop);
        let message = &recovered.faults[0].message;
        assert!(message.contains(words), "{message}");
        assert!(message.chars().count() < 500, "{message}");
    }
}

#[test]
fn names_of_repairs_are_all_different() {
    let mut names: Vec<&str> = RepairKind::ALL.iter().map(|kind| kind.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RepairKind::ALL.len());
    assert!(RepairKind::ALL.iter().all(|kind| kind.says().len() > 10));
}
