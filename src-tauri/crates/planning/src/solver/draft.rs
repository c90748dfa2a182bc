//! Writes the text of a plan file from its parts.

use serde_json::Value;

use crate::intake::Intake;
use crate::template::Step;

/// The contents of a plan.
pub(crate) struct Parts<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    pub(crate) intake: &'a Intake,
    /// Files with instructions for working in this workspace.
    pub(crate) guidance: &'a [String],
    /// Paragraphs about what the planner found.
    pub(crate) notes: &'a [String],
    /// Assumptions, written in the first step.
    pub(crate) assumptions: &'a [String],
    pub(crate) prose: &'a str,
    pub(crate) steps: Vec<Step>,
    /// Commands that check the whole plan in its last step.
    pub(crate) checks: &'a [String],
}

/// Maximum title length, in characters.
const MAX_TITLE_LEN: usize = 120;

/// The plan's id: a few words of the goal, then the suffix.
pub(crate) fn id(goal: &str, suffix: &str) -> String {
    const STOP_WORDS: [&str; 14] = [
        "the", "a", "an", "and", "of", "to", "in", "it", "for", "please", "with", "on", "so",
        "that",
    ];
    let mut slug = String::new();
    let plain = goal.to_lowercase();
    let words = plain
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    for word in words.filter(|word| !STOP_WORDS.contains(word)) {
        if slug.len() + word.len() > 36 {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    if slug.is_empty() {
        slug.push_str("plan");
    }
    format!("{slug}-{suffix}")
}

/// The plan's title: the goal, truncated at a word boundary if it is long.
pub(crate) fn title(goal: &str) -> String {
    shortened(goal.trim_end_matches(['.', '!', ' ']))
}

/// Truncates to [`MAX_TITLE_LEN`] characters.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_TITLE_LEN {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_TITLE_LEN).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{}…", &cut[..end])
}

/// Writes the text of the whole plan file.
pub(crate) fn write(parts: &Parts<'_>) -> String {
    let mut steps = parts.steps.clone();
    close(&mut steps, parts);
    if let Some(first) = steps.first_mut() {
        let fields = first
            .lines
            .iter()
            .take_while(|line| line.starts_with("  - "))
            .count();
        let lines = parts
            .assumptions
            .iter()
            .map(|text| format!("  - assume: {text}"));
        first.lines.splice(fields..fields, lines);
    }
    let mut text = format!(
        "---\nplanwright: 1\nid: {}\ngoal: {}\n---\n# {}\n\n",
        parts.id,
        scalar(&parts.intake.goal),
        parts.title
    );
    let mut paragraph = |words: &str| {
        if !words.is_empty() {
            text.push_str(words);
            text.push_str("\n\n");
        }
    };
    paragraph(parts.prose);
    for note in parts.notes {
        paragraph(note);
    }
    if !parts.guidance.is_empty() {
        let files: Vec<String> = parts
            .guidance
            .iter()
            .map(|path| format!("`{path}`"))
            .collect();
        paragraph(&format!("Follow the instructions in {}.", files.join(", ")));
    }
    if !parts.intake.constraints.is_empty() {
        let items: Vec<String> = parts
            .intake
            .constraints
            .iter()
            .map(|text| format!("- {text}"))
            .collect();
        paragraph(&format!("Limits:\n\n{}", items.join("\n")));
    }
    text.push_str("## Requirements\n");
    for requirement in &parts.intake.requirements {
        text.push_str(&format!("- {} {}\n", requirement.id, requirement.text));
    }
    text.push_str("\n## Tasks\n");
    for step in &steps {
        text.push_str(&format!("- [ ] **{}** {}\n", step.id, step.title));
        for line in &step.lines {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Adds the template's checks as a final step.
fn close(steps: &mut Vec<Step>, parts: &Parts<'_>) {
    if parts.checks.is_empty() {
        return;
    }
    let numbers = steps
        .iter()
        .filter_map(|step| step.id.strip_prefix('T')?.parse::<usize>().ok());
    let id = format!("T{}", numbers.max().unwrap_or(0) + 1);
    let mut lines: Vec<String> = Vec::new();
    if let Some(last) = steps.last() {
        lines.push(format!("  - depends: {}", last.id));
    }
    for check in parts.checks {
        let command = Value::String(check.clone())
            .to_string()
            .replace('`', "\\u0060");
        lines.push(format!(
            "  - call: `run_command {{\"command\": {command}}}`"
        ));
    }
    steps.push(Step {
        id,
        title: "Run the template's final checks".to_owned(),
        lines,
    });
}

/// A text as a YAML value: plain if YAML parses it unchanged, otherwise in double quotes.
pub(crate) fn scalar(text: &str) -> String {
    let plain_start = text.chars().next().is_some_and(char::is_alphabetic);
    let odd = text.contains(": ")
        || text.contains(" #")
        || text.ends_with(':')
        || text.chars().any(|c| c.is_control() || c == '\u{feff}');
    let word = matches!(
        text.to_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
    );
    if plain_start && !odd && !word {
        text.to_owned()
    } else {
        Value::String(text.to_owned()).to_string()
    }
}
