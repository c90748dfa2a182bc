//! Lists of tasks, in the forms that models write them.

use repair::{ReplyError, read_object, read_tasks};

const GOOD: &str = r#"{"summary": "A plan with [brackets]", "tasks": [
 {"id": "T1", "description": "Find where rows are built", "files": ["src/report.py"], "depends_on": []},
 {"id": "T2", "description": "Add `--json`", "steps": [{"what": "nested"}], "depends_on": ["T1"], "accept": ["it parses"]},
 {"id": "T3", "description": "Test it", "depends_on": ["T2"], "verify": "python3 -m unittest"}
], "risk": "low", "notes": ["none"]}"#;

fn ids(text: &str) -> Vec<String> {
    let tasks = read_tasks(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    tasks.into_iter().map(|task| task.id).collect()
}

#[test]
fn plain_fenced_and_embedded_json_is_parsed() {
    let all = ["T1", "T2", "T3"];
    assert_eq!(ids(GOOD), all);
    assert_eq!(ids(&format!("```json\n{GOOD}\n```")), all);
    assert_eq!(
        ids(&format!(
            "Sure! [as asked]\n```\n{GOOD}\n```\nGood luck {{}}"
        )),
        all
    );
    assert_eq!(ids(&format!("<think>{{maybe}} [1]</think>{GOOD}")), all);
}

#[test]
fn malformed_json_is_parsed() {
    for text in [
        "{'tasks': [{'id': 1, 'description': 'Don\\'t stop'}, {'id': 2, 'description': 'b',},],}",
        "{tasks: [{id: 1, description: \"a\"} {id: 2, description: \"b\"}]}",
        "{“tasks”: [{“id”: “1”, “description”: “a”}, {“id”: “2”, “description”: “b”}]}",
        "{\"tasks\": [ // the list\n {\"id\": 1, \"description\": \"two\nlines\"}, /* then */ {\"id\": 2.0, \"description\": None, \"title\": \"b\"}]}",
        "[{\"id\": \"**1**\", \"title\": \"a\"}, {\"id\": \"2.\", \"task\": \"b\"}]",
        "{\"plan\": {\"steps\": [{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}]}}",
        "{\"tasks\": {\"1\": {\"description\": \"a\"}, \"2\": {\"description\": \"b\"}}}",
    ] {
        assert_eq!(ids(text), ["1", "2"], "{text}");
    }
}

#[test]
fn values_of_many_types_are_parsed() {
    let text = r#"{"tasks": [{"id": 3, "description": "x", "files": "a.rs", "depends_on": [1, "T2"],
        "estimated_complexity": "7/10", "covers": "R1, R2", "accept": [{"text": "it works"}], "verify": ["cargo test"]}]}"#;
    let task = read_tasks(text).expect("a reply").remove(0);
    assert_eq!(task.files, ["a.rs"]);
    assert_eq!(task.depends_on, ["1", "T2"]);
    assert_eq!(task.estimated_complexity, Some(7));
    assert_eq!(task.covers, ["R1", "R2"]);
    assert_eq!(task.accept, ["it works"]);
    assert_eq!(task.verify, ["cargo test"]);
}

#[test]
fn a_truncated_reply_is_complete_or_rejected() {
    let whole = read_tasks(GOOD).expect("a reply");
    let list_end = GOOD.find("\n]").map(|at| at + 1).expect("a list");
    for at in (0..GOOD.len()).filter(|at| GOOD.is_char_boundary(*at)) {
        match read_tasks(&GOOD[..at]) {
            Ok(tasks) => {
                assert!(at > list_end, "read at {at} although the list goes on");
                assert_eq!(tasks, whole, "at {at}");
            }
            Err(_) => assert!(at <= list_end, "whole at {at} and refused"),
        }
    }
}

#[test]
fn text_that_is_not_a_reply_is_rejected() {
    for text in [
        "",
        "I cannot do that.",
        "{}",
        "{\"tasks\": 3}",
        "[1, 2, 3]",
        "{\"error\": \"overloaded\"}",
    ] {
        assert_eq!(read_tasks(text), Err(ReplyError::NoTasks), "{text}");
    }
    assert_eq!(read_tasks("[]"), Ok(Vec::new()));
    assert_eq!(
        read_tasks("{\"tasks\": [{\"id\": 1"),
        Err(ReplyError::CutOff)
    );
    assert!(read_tasks(&"[".repeat(100_000)).is_err());
    assert!(read_tasks(&"{\"a\":".repeat(100_000)).is_err());
    assert!(matches!(
        read_tasks(&" ".repeat((1 << 20) + 1)),
        Err(ReplyError::TooLong { .. })
    ));
}

#[test]
fn the_description_may_be_under_any_common_key() {
    for key in [
        "description",
        "what",
        "title",
        "name",
        "task",
        "step",
        "text",
    ] {
        let text = format!("{{\"steps\": [{{\"{key}\": \"Read the parser\"}}]}}");
        let tasks = read_tasks(&text).expect(key);
        assert_eq!(tasks[0].description, "Read the parser", "{key}");
    }
}

#[test]
fn a_complete_object_is_found_by_its_keys() {
    let text = "First {\"a\": 1}, then:\n```json\n{'gaps': [{\"step\": \"T1\"},],}\n```";
    let found = read_object(text, &["gaps", "issues"]).expect("an object");
    assert_eq!(found["gaps"][0]["step"], "T1");
    assert_eq!(read_object(text, &["tasks"]), None);
    assert_eq!(read_object("{\"gaps\": [1, 2", &["gaps"]), None);
    assert_eq!(read_object(&"{".repeat(100_000), &["gaps"]), None);
}
