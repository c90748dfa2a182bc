//! The differences between kinds of servers: which requests each rejects, and what it reports about
//! itself.

use serde_json::{Value, json};

use super::script::{Flavour, Scenario};

/// An error response: status and body.
pub(super) type Refusal = (u16, Value);

fn refusal(status: u16, message: impl Into<String>, code: &str) -> Refusal {
    let message: String = message.into();
    let error = json!({"message": message, "type": "invalid_request_error", "code": code});
    (status, json!({ "error": error }))
}

/// Checks the authorization header against the server's key.
pub(super) fn check_key(scenario: &Scenario, header: &str) -> Result<(), Refusal> {
    let Some(key) = &scenario.key else {
        return Ok(());
    };
    let given = header.strip_prefix("Bearer ").unwrap_or_default();
    if given == key {
        return Ok(());
    }
    // Like real servers, the error repeats part of the given key.
    let part: String = given.chars().take(8).collect();
    let message = format!("Incorrect API key provided: {part}****.");
    Err(refusal(401, message, "invalid_api_key"))
}

/// Checks a chat request before it is answered; `Ok(true)` if the server truncates it silently.
pub(super) fn check(scenario: &Scenario, request: &Value, bytes: usize) -> Result<bool, Refusal> {
    let model = request
        .get("model")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !scenario.models.is_empty() && !scenario.models.iter().any(|known| known == model) {
        return Err(match scenario.flavour {
            Flavour::Ollama => {
                let message = format!("model \"{model}\" not found, try pulling it first");
                refusal(404, message, "not_found")
            }
            _ => {
                let message = format!("The model `{model}` does not exist");
                refusal(404, message, "model_not_found")
            }
        });
    }
    match scenario.flavour {
        Flavour::Strict => strict(request)?,
        Flavour::LlamaCpp => {
            grammar(request)?;
            template(request)?;
        }
        Flavour::OpenAi | Flavour::Ollama => {}
    }
    let tokens = u64::try_from(bytes / 4).unwrap_or(u64::MAX);
    let Some(window) = scenario.window.filter(|window| tokens > *window) else {
        return Ok(false);
    };
    match scenario.flavour {
        Flavour::Ollama => Ok(true),
        Flavour::LlamaCpp => {
            let message = format!(
                "request ({tokens} tokens) exceeds the available context size ({window} tokens)"
            );
            Err(refusal(400, message, "exceed_context_size_error"))
        }
        Flavour::OpenAi | Flavour::Strict => {
            let message = format!(
                "This model's maximum context length is {window} tokens, you sent {tokens}"
            );
            Err(refusal(400, message, "context_length_exceeded"))
        }
    }
}

const FIELDS: [&str; 15] = [
    "model",
    "messages",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "stop",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "seed",
    "user",
];

/// Whether a tool name is valid.
fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}

fn strict(request: &Value) -> Result<(), Refusal> {
    let bad = |message: String| Err(refusal(400, message, "invalid_request"));
    let Some(fields) = request.as_object() else {
        return bad("the body must be a JSON object".to_owned());
    };
    if let Some(field) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return bad(format!("Unrecognized request argument supplied: {field}"));
    }
    if request.get("tool_choice").is_some() && request.get("tools").is_none() {
        return bad("tool_choice is only allowed when tools are specified".to_owned());
    }
    for tool in request
        .get("tools")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let name = tool.pointer("/function/name").and_then(Value::as_str);
        let is_object = tool.pointer("/function/parameters/type") == Some(&json!("object"));
        if !name.is_some_and(is_name) || !is_object || tool.get("type") != Some(&json!("function"))
        {
            return bad(format!("Invalid tool: {tool}"));
        }
    }
    order(request)
}

/// Checks that tool results directly follow the calls they answer, one for each call.
fn order(request: &Value) -> Result<(), Refusal> {
    let bad = |message: String| Err(refusal(400, message, "invalid_messages"));
    let messages = request.get("messages").and_then(Value::as_array);
    let Some(messages) = messages.filter(|all| !all.is_empty()) else {
        return bad("messages must not be empty".to_owned());
    };
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = message
            .get("role")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str);
            let known = open.iter().position(|open| Some(*open) == id);
            match known {
                Some(known) => drop(open.remove(known)),
                None => return bad(format!("messages.{at}: a tool message answers no call")),
            }
            continue;
        }
        if let Some(id) = open.first() {
            return bad(format!("messages.{at}: the call {id} has no tool message"));
        }
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let has_text = message.get("content").is_some_and(Value::is_string);
        match role {
            "system" if at == 0 && has_text => {}
            "user" if has_text => {}
            "assistant" if has_text || calls.is_some() => {}
            _ => return bad(format!("messages.{at}: {role} is not allowed here")),
        }
        for call in calls.into_iter().flatten() {
            let name = call.pointer("/function/name").and_then(Value::as_str);
            if !name.is_some_and(is_name) {
                return bad(format!(
                    "messages.{at}: a tool's name does not match the pattern"
                ));
            }
            match call.get("id").and_then(Value::as_str) {
                Some(id) if !id.is_empty() && !open.contains(&id) => open.push(id),
                _ => return bad(format!("messages.{at}: calls need ids of their own")),
            }
        }
    }
    match open.first() {
        Some(id) => bad(format!("the call {id} has no tool message")),
        None => Ok(()),
    }
}

/// Rejects schemas that llama.cpp can't convert to a grammar.
fn grammar(request: &Value) -> Result<(), Refusal> {
    let schemas = [request.get("tools"), request.get("response_format")];
    match schemas.into_iter().flatten().find_map(hard_keyword) {
        Some(word) => Err(refusal(
            400,
            format!("failed to parse grammar: \"{word}\" is not supported"),
            "invalid_request_error",
        )),
        None => Ok(()),
    }
}

/// The first keyword in a schema that can't be converted to a grammar. A key whose value is an
/// object is the name of a parameter, not a keyword.
fn hard_keyword(schema: &Value) -> Option<&'static str> {
    const HARD: [&str; 4] = ["pattern", "maxLength", "maxItems", "minLength"];
    match schema {
        Value::Object(map) => {
            let mut hard = HARD.into_iter();
            let is_keyword = |word: &&str| map.get(*word).is_some_and(|value| !value.is_object());
            hard.find(is_keyword)
                .or_else(|| map.values().find_map(hard_keyword))
        }
        Value::Array(items) => items.iter().find_map(hard_keyword),
        _ => None,
    }
}

/// Rejects earlier calls whose arguments aren't valid JSON, as llama.cpp's templates do.
fn template(request: &Value) -> Result<(), Refusal> {
    let messages = request.get("messages").and_then(Value::as_array);
    let calls = messages
        .into_iter()
        .flatten()
        .filter_map(|message| message.get("tool_calls")?.as_array())
        .flatten();
    for call in calls {
        let text = call.pointer("/function/arguments").and_then(Value::as_str);
        if let Err(error) = serde_json::from_str::<Value>(text.unwrap_or_default()) {
            let message = format!("Failed to parse tool call arguments as JSON: {error}");
            let error = json!({"code": 500, "message": message, "type": "server_error"});
            return Err((500, json!({ "error": error })));
        }
    }
    Ok(())
}

/// The response to a request other than a chat request; `None` for an unknown path.
pub(super) fn tell(scenario: &Scenario, path: &str, body: &Value) -> Option<Refusal> {
    let names = if scenario.models.is_empty() {
        vec!["scripted".to_owned()]
    } else {
        scenario.models.clone()
    };
    let window = scenario.window.unwrap_or(32_768);
    let told = match (scenario.flavour, path) {
        (flavour, "/v1/models") => {
            let entry = |id: &String| match flavour {
                Flavour::Ollama => json!({"id": id, "object": "model", "owned_by": "library"}),
                Flavour::LlamaCpp => json!({
                    "id": id, "object": "model", "owned_by": "llamacpp",
                    "meta": {"n_ctx_train": 131_072},
                }),
                _ => json!({
                    "id": id, "object": "model", "owned_by": "scripted",
                    "max_model_len": window,
                }),
            };
            json!({"object": "list", "data": names.iter().map(entry).collect::<Vec<_>>()})
        }
        (Flavour::Ollama, "/api/show") => {
            let model = body
                .get("model")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if !names.iter().any(|name| name == model) {
                return Some((404, json!({"error": format!("model '{model}' not found")})));
            }
            let parameters = scenario
                .window
                .map_or_else(String::new, |window| format!("num_ctx    {window}"));
            json!({
                "parameters": parameters, "template": "{{ .Prompt }}",
                "model_info": {"qwen2.context_length": 131_072},
            })
        }
        (Flavour::Ollama, "/api/ps") => json!({"models": []}),
        (Flavour::LlamaCpp, "/props") => {
            json!({
                "default_generation_settings": {"n_ctx": window}, "total_slots": 1,
                "chat_template": "{{ messages }}",
            })
        }
        (Flavour::LlamaCpp, "/health") => json!({"status": "ok"}),
        _ => return None,
    };
    Some((200, told))
}
