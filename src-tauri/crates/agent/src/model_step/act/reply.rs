//! Turns the reply to a request for a single change into a call that writes the file.

use serde_json::{Map, Value};

use super::{Act, NO_CHANGE, OTHER_LINES};
use crate::change_review;
use crate::context::Target;
use crate::envelope::clipped;
use crate::turn::reply::{Call, Fault, Reply, Usage};
use repair::FaultKind;

/// The call that writes the file, or the reason why the reply can't be turned into one.
pub fn read(act: &Act, given: repair::Reply, (usage, elapsed_ms): (Usage, u64)) -> Reply {
    // A closed code block is complete even if the reply is truncated after it.
    let (calls, faults) = match call(act, &given.text, given.finish.is_whole()) {
        Ok(call) => (vec![call], Vec::new()),
        Err(fault) => (Vec::new(), vec![fault]),
    };
    Reply {
        text: given.text,
        calls,
        faults,
        finish: given.finish,
        usage,
        elapsed_ms,
    }
}

/// The call that writes the file as the reply says. An incomplete end of a truncated reply is
/// ignored.
fn call(act: &Act, reply: &str, is_whole: bool) -> Result<Call, Fault> {
    let no_call = |message: String| Fault {
        kind: FaultKind::BadArguments,
        message,
    };
    let not_made = |message: &str| Fault {
        kind: FaultKind::BadValue,
        message: message.to_owned(),
    };
    let text = match act.schema {
        Some(_) if !is_whole => return Err(no_call("The reply was cut off.".to_owned())),
        Some(_) => changed(&act.target, reply).map_err(no_call)?,
        None => whole(&act.target, &blocks(reply, is_whole))
            .ok_or_else(|| no_call("The reply has no complete code block.".to_owned()))?,
    };
    let before = act.target.text.as_deref();
    let text = ended(text, before);
    if text.trim().is_empty() {
        return Err(not_made("The reply is blank."));
    }
    if before == Some(text.as_str()) {
        return Err(not_made(NO_CHANGE));
    }
    if before.is_some_and(|before| takes_other_lines(before, &text, act)) {
        return Err(not_made(OTHER_LINES));
    }
    let mut arguments = Map::new();
    arguments.insert("path".to_owned(), Value::from(act.target.path.as_str()));
    arguments.insert("content".to_owned(), Value::from(text));
    Ok(Call::new("write_file", arguments))
}

/// Whether the change removes a line that contains none of the names or that should stay.
fn takes_other_lines(before: &str, after: &str, act: &Act) -> bool {
    let same = |line: &str| line.trim().to_lowercase();
    let mut left: Vec<String> = after.lines().map(same).collect();
    let names: Vec<String> = act.names.iter().map(|name| name.to_lowercase()).collect();
    let lower = before.to_lowercase();
    let lines: Vec<&str> = lower.lines().collect();
    let goes = (0..lines.len())
        .filter(|at| !lines[*at].trim().is_empty())
        .filter(|at| {
            let found = left.iter().position(|other| other == lines[*at].trim());
            found.map(|found| left.swap_remove(found)).is_none()
        });
    let goes: Vec<usize> = goes.collect();
    goes.into_iter().any(|at| {
        let heads = change_review::heads(&lines, at);
        let is_named = heads
            .iter()
            .any(|line| names.iter().any(|name| line.contains(name.as_str())));
        let stays = act
            .stays
            .iter()
            .any(|line| line.to_lowercase().trim() == lines[at].trim());
        stays || !is_named
    })
}

/// The file's text after applying the change in a reply.
fn changed(target: &Target, reply: &str) -> Result<String, String> {
    let wrong = |what: &str| format!("The reply is not a call for this file: {what}.");
    let value: Value = serde_json::from_str(reply.trim_start_matches('\u{feff}').trim())
        .map_err(|error| wrong(&error.to_string()))?;
    let arguments = &value["arguments"];
    let get = |name: &str| arguments.get(name).and_then(Value::as_str);
    let need = |name: &str| get(name).ok_or_else(|| wrong(&format!("`{name}` is missing")));
    if get("path") != Some(target.path.as_str()) {
        return Err(wrong("it names another file"));
    }
    let before = target.text.as_deref().unwrap_or_default();
    let name = value["name"].as_str().unwrap_or_default();
    match name {
        "write_file" => Ok(need("content")?.to_owned()),
        "edit_file" => {
            let (old, new) = (need("old_text")?, need("new_text")?);
            let places = change_review::places(before, old);
            if old.is_empty() || places.is_empty() {
                return Err(wrong("`old_text` is not in the file"));
            }
            Ok(replaced(before, old, new, &places))
        }
        "insert" => {
            let line = arguments.get("after_line").and_then(Value::as_u64);
            let line = line.and_then(|line| usize::try_from(line).ok());
            let line = line.ok_or_else(|| wrong("`after_line` is missing"))?;
            inserted(before, line, need("new_text")?).ok_or_else(|| wrong("there is no such line"))
        }
        _ => Err(wrong(&format!(
            "there is no tool `{}`; use write_file, edit_file or insert",
            clipped(name, 60)
        ))),
    }
}

fn replaced(text: &str, old: &str, new: &str, places: &[usize]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in places.iter().copied().filter(|at| *at < text.len()) {
        if at < from {
            continue;
        }
        out.push_str(&text[from..at]);
        out.push_str(new);
        from = at + old.len();
    }
    out.push_str(&text[from..]);
    out
}

fn inserted(text: &str, after: usize, new: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if after > lines.len() {
        return None;
    }
    lines.splice(after..after, new.trim_end_matches('\n').lines());
    Some(lines.join("\n"))
}

/// The whole new file according to the code blocks of a reply. Usually this is the first block. If
/// the first block repeats the original file, the additions of the next block are added to it.
fn whole(target: &Target, blocks: &[&str]) -> Option<String> {
    let (first, others) = blocks.split_first()?;
    let before = target.text.as_deref().unwrap_or_default();
    let is_same = |block: &str| block.trim() == before.trim();
    let other = others
        .iter()
        .find(|block| !is_same(block) && !block.trim().is_empty());
    Some(match other {
        Some(added) if is_same(first) && !before.trim().is_empty() => {
            format!("{}\n\n\n{added}", before.trim_end())
        }
        _ => (*first).to_owned(),
    })
}

/// The text in the code blocks of a reply. An unclosed block is included only if the reply wasn't
/// cut off.
fn blocks(reply: &str, is_whole: bool) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = reply;
    while let Some((_, opened)) = rest.split_once("```")
        && let Some((_, inside)) = opened.split_once('\n')
    {
        match inside.find("```") {
            Some(end) => {
                blocks.push(&inside[..end]);
                rest = &inside[end + 3..];
            }
            None => {
                blocks.extend(is_whole.then_some(inside));
                break;
            }
        }
    }
    blocks
}

/// The text with a final line break, and with line endings like those of the original file.
fn ended(text: String, before: Option<&str>) -> String {
    let is_crlf = before.is_some_and(|before| before.contains("\r\n"));
    let mut text = text.replace("\r\n", "\n");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match is_crlf {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::EditForm;
    use super::*;

    const TEXT: &str = "# Notes\n\nport = 8000\nhost = a\n";

    fn act(schema: bool, text: Option<&str>) -> Act {
        Act {
            target: Target {
                path: "a.ini".to_owned(),
                text: text.map(str::to_owned),
            },
            way: EditForm::Free,
            names: vec!["port".to_owned(), "9000".to_owned()],
            stays: Vec::new(),
            schema: schema.then(|| json!({})),
            is_varied: false,
        }
    }

    fn content(call: &Call) -> &str {
        call.text("content").unwrap()
    }

    fn json_of(name: &str, arguments: Value) -> String {
        let mut arguments = arguments;
        arguments["path"] = json!("a.ini");
        json!({"name": name, "arguments": arguments}).to_string()
    }

    #[test]
    fn a_change_is_made_of_the_file_as_it_was() {
        for (reply, wanted) in [
            (
                json_of("edit_file", json!({"old_text": "8000", "new_text": "9000"})),
                Ok(TEXT.replace("8000", "9000")),
            ),
            (
                json_of("insert", json!({"after_line": 4, "new_text": "x = 1"})),
                Ok(format!("{TEXT}x = 1\n")),
            ),
            (
                json_of("insert", json!({"after_line": 9, "new_text": "x = 1"})),
                Err("there is no such line"),
            ),
            (
                json_of("edit_file", json!({"old_text": "8000", "new_text": "8000"})),
                Err(NO_CHANGE),
            ),
            (
                json_of("edit_file", json!({"old_text": "host = a", "new_text": "b"})),
                Err(OTHER_LINES),
            ),
            (json_of("write_file", json!({"content": " \n"})), Err("is blank")),
            (
                r#"{"name":"edit_file","arguments":{"path":"b.ini","old_text":"8000","new_text":"1"}}"#
                    .to_owned(),
                Err("it names another file"),
            ),
            ("\u{feff}{}\r\n".to_owned(), Err("it names another file")),
            ("Sure!".to_owned(), Err("not a call")),
        ] {
            let made = call(&act(true, Some(TEXT)), &reply, true);
            match (made, wanted) {
                (Ok(call), Ok(wanted)) => assert_eq!(content(&call), wanted, "{reply}"),
                (Err(fault), Err(wanted)) => {
                    assert!(fault.message.contains(wanted), "{reply}: {fault:?}");
                }
                (made, wanted) => panic!("{reply}: {made:?}, wanted {wanted:?}"),
            }
        }
    }

    #[test]
    fn a_block_is_the_file_and_what_is_beside_the_file_as_it_was_is_added() {
        let new = "```ini\n# Notes\n\nport = 9000\nhost = a\n```\nThat is it.";
        let read = |reply: &str, is_whole| call(&act(false, Some(TEXT)), reply, is_whole);
        let made = read(new, true).unwrap();
        assert_eq!(content(&made), TEXT.replace("8000", "9000"));
        let added = format!("```\n{TEXT}```\nAnd:\n```\nx = 1\n```");
        assert_eq!(
            content(&read(&added, true).unwrap()),
            format!("{TEXT}\n\nx = 1\n")
        );
        // A closed code block is complete even if the reply is truncated after it.
        assert!(read(new, false).is_ok());
        assert!(read(&new[..30], false).is_err());
    }

    #[test]
    fn line_ends_stay_as_the_file_has_them() {
        let text = TEXT.replace('\n', "\r\n");
        let reply = json_of("edit_file", json!({"old_text": "8000", "new_text": "9000"}));
        let made = call(&act(true, Some(&text)), &reply, true).unwrap();
        assert_eq!(content(&made), text.replace("8000", "9000"));
    }

    proptest! {
        #[test]
        fn whatever_comes_back_only_this_file_changes_and_no_other_line_goes(
            name in "write_file|edit_file|insert|delete_file",
            old in "port|8000|host = a|# Notes|\\PC{0,6}",
            new in "\\PC{0,12}|9000|\n",
            line in 0u64..8,
            block in "[ -~\n`]{0,60}",
            is_whole in any::<bool>(),
        ) {
            let arguments =
                json!({"old_text": old, "new_text": new, "after_line": line, "content": new});
            for (schema, reply) in [(true, json_of(&name, arguments)), (false, block)] {
                let Ok(made) = call(&act(schema, Some(TEXT)), &reply, is_whole) else {
                    continue;
                };
                prop_assert_eq!(made.name.as_str(), "write_file");
                prop_assert_eq!(made.text("path"), Some("a.ini"));
                let text = content(&made);
                prop_assert_ne!(text, TEXT);
                for kept in ["# notes", "host = a"] {
                    prop_assert!(text.to_lowercase().contains(kept), "{}", text);
                }
            }
        }
    }
}
