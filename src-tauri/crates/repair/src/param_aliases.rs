//! Recognizes keys that models write instead of a tool's parameters, and parameters with special
//! content.

use plan::word_list::WordList;

/// Keys that small models write for a parameter. A key is only renamed if the parameter is absent
/// and no other one could be meant.
const ALIASES: &str = "
    path: file_path filepath file filename file_name target_file relative_path target \
        file_to_read pathname source_file relative_workspace_path uri
    pattern: query regex search search_query search_term search_pattern q term keyword
    command: cmd shell_command command_line bash shell script cmdline
    content: contents file_content file_contents new_content file_text text body data code
    old_text: old_string old_str old old_code old_content search find original before search_text \
        original_text search_block
    new_text: new_string new_str new new_code new_content replace replacement replace_with after \
        replace_text updated_text replace_block
    question: prompt query message text
    options: choices answers suggestions
    summary: message result report description text
    learned: learnings facts discoveries findings
    decided: decisions
    done: completed finished is_done complete
    next_hint: next next_step hint
    timeout_s: timeout timeout_seconds timeout_secs
    start_line: start from_line line_start first_line begin_line
    end_line: end to_line line_end last_line stop_line
";

/// Keys that models use to explain a call. The tool doesn't use them.
const REMARKS: WordList = WordList(
    "reason reasoning explanation thought thoughts why comment note intent rationale purpose \
    description task_progress analysis",
);

/// Words that occur in the names of parameters with literal file content.
const VERBATIM: WordList = WordList("text content contents code body old new");

fn alias_rows() -> impl Iterator<Item = (&'static str, WordList)> {
    let rows = ALIASES
        .lines()
        .filter_map(|row| row.trim().split_once(": "));
    rows.map(|(param, others)| (param, WordList(others)))
}

/// Whether `key` is an alias of the parameter `param`.
pub(super) fn is_alias(key: &str, param: &str) -> bool {
    alias_rows().any(|(name, others)| name == param && others.contains(key))
}

/// The aliases of all parameters.
pub(super) fn aliases() -> impl Iterator<Item = &'static str> {
    alias_rows().flat_map(|(_, others)| others.iter())
}

/// Whether a key only explains the call.
pub(super) fn is_remark(key: &str) -> bool {
    REMARKS.contains(key)
}

/// Whether a parameter contains file content, in which whitespace and backslashes matter.
pub(super) fn is_verbatim(param: &str) -> bool {
    param.split(['_', '-']).any(|word| VERBATIM.contains(word))
}

/// Whether a value is a placeholder that the model should have replaced.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let is_framed = |open, close| {
        let word = value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        let is_part = |c: char| c.is_alphanumeric() || " _-".contains(c);
        word.is_some_and(|word: &str| (1..40).contains(&word.len()) && word.chars().all(is_part))
    };
    matches!(value, "..." | "…")
        || value.contains("path/to/")
        || value.starts_with("your_")
        || value.starts_with("YOUR_")
        || is_framed('<', '>')
        || is_framed('{', '}')
}
