//! Guesses a profile from the model's name.
//!
//! Uses a table of well-known models first. Other models are judged by the size in their name, or
//! as medium-sized if it has none.

use super::{ChangeForms, EditForm, Profile, Reliability, Strategy, ToolChannel};

use Reliability::{High, Low, Medium};

/// One row of the table: parts that a name must contain, and the resulting profile.
struct Row {
    parts: &'static [&'static str],
    tools: Reliability,
    json: Reliability,
    strategy: Strategy,
    tasks: u32,
    simple: bool,
}

const fn row(
    parts: &'static [&'static str],
    tools: Reliability,
    json: Reliability,
    strategy: Strategy,
    tasks: u32,
    simple: bool,
) -> Row {
    Row {
        parts,
        tools,
        json,
        strategy,
        tasks,
        simple,
    }
}

/// Well-known models, more specific names first.
const SEED: [Row; 7] = [
    row(&["gpt-4"], High, High, Strategy::Upfront, 10, false),
    row(
        &["claude", "opus"],
        High,
        High,
        Strategy::Upfront,
        10,
        false,
    ),
    row(
        &["claude", "sonnet"],
        High,
        Medium,
        Strategy::Hybrid,
        5,
        false,
    ),
    row(
        &["llama", "3", "70b"],
        Medium,
        Medium,
        Strategy::Hybrid,
        5,
        true,
    ),
    row(
        &["llama", "3", "8b"],
        Low,
        Low,
        Strategy::Iterative,
        2,
        true,
    ),
    row(&["mistral", "7b"], Low, Low, Strategy::Iterative, 2, true),
    row(
        &["qwen", "2.5", "coder", "7b"],
        Medium,
        Medium,
        Strategy::Iterative,
        3,
        true,
    ),
];

/// Large hosted models whose names don't state a size.
const LARGE: [&str; 8] = [
    "gpt-5",
    "claude",
    "gemini",
    "deepseek-chat",
    "deepseek-v",
    "grok",
    "kimi",
    "glm-",
];

/// Names of models that reason before answering.
const REASONING: [&str; 9] = [
    "gpt-5",
    "deepseek-r1",
    "reason",
    "think",
    "qwq",
    "qwen3",
    "magistral",
    "gpt-oss",
    "o4-mini",
];

/// The profile suggested by a model's name; `window` is its context window, if known.
#[must_use]
pub fn guess(model: &str, window: Option<u64>) -> Profile {
    let name = model.to_ascii_lowercase();
    let size = size_in(&name);
    let has = |part: &&str| name.contains(*part);
    let fits = |row: &&Row| {
        row.parts.iter().all(|part| match part.strip_suffix('b') {
            // Compare sizes as numbers, so that 70b doesn't match 0b, nor 17b match 7b.
            Some(digits) if digits.parse::<f64>().is_ok() => size == digits.parse().ok(),
            _ => name.contains(part),
        })
    };
    let is_large = LARGE.iter().any(has) || name.starts_with("o3") || name.starts_with("o4");
    let row = match SEED.iter().find(fits) {
        Some(row) => row,
        None if is_large => &row(&[], High, High, Strategy::Upfront, 10, false),
        None => match size {
            Some(size) if size >= 60.0 => &row(&[], Medium, Medium, Strategy::Hybrid, 5, false),
            Some(size) if size >= 24.0 => &row(&[], Medium, Medium, Strategy::Hybrid, 5, true),
            Some(size) if size >= 12.0 => &row(&[], Medium, Medium, Strategy::Iterative, 3, true),
            Some(_) => &row(&[], Low, Low, Strategy::Iterative, 2, true),
            None => &row(&[], Medium, Medium, Strategy::Hybrid, 5, true),
        },
    };
    let is_hosted = row.tools == High;
    // A small model is usually served by a program on the user's machine, with a default this
    // small. If the name says nothing, assume more, so that requests aren't cut short needlessly.
    let assumed = match (is_hosted, size) {
        (true, _) => 128_000,
        (false, Some(_)) => 4_096,
        (false, None) => 32_768,
    };
    let context_window = window.unwrap_or(assumed);
    Profile {
        context_window,
        tool_calling_reliability: row.tools,
        json_reliability: row.json,
        recommended_strategy: row.strategy,
        max_tasks_per_plan: row.tasks,
        needs_simplified_prompts: row.simple,
        supports_structured_output: row.json == High,
        max_output_tokens: if is_hosted { 16_384 } else { 4_096 },
        reasons: REASONING.iter().any(has) || name.starts_with("o3"),
        reasoning: None,
        verbosity: None,
        // If native calls don't work, the probe or the counters will find out.
        tool_channel: ToolChannel::Native,
        parallel_calls: is_hosted,
        honours_tool_choice: is_hosted,
        change_forms: ChangeForms::All,
        edit_form: match size {
            Some(size) if size <= 8.0 => EditForm::WholeFile,
            _ => EditForm::Replace,
        },
        tokens_per_second: None,
    }
}

/// The size in billions stated in a name: the largest `…b`, since mixtures state two sizes.
fn size_in(name: &str) -> Option<f64> {
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .flat_map(|word| {
            // “8x7b” means eight times seven.
            let (count, each) = match word.split_once('x') {
                Some((count, each)) => (count.parse::<f64>().ok().unwrap_or(1.0), each),
                None => (1.0, word),
            };
            let digits = each.strip_suffix('b')?;
            digits.parse::<f64>().ok().map(|size| size * count)
        })
        .reduce(f64::max)
}
