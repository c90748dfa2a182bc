//! The tools of a step: those that it names, and the two that every step has.

use plan::word_list::WordList;
use plan::{Task, ToolName};

use crate::model_tool::ModelTool;

/// The tools of a step that names none. To delete files, the step must name the tool or mention
/// deletion in its text.
const DEFAULT_TOOLS: [ToolName; 6] = [
    ToolName::ReadFile,
    ToolName::SearchFiles,
    ToolName::ListFiles,
    ToolName::EditFile,
    ToolName::WriteFile,
    ToolName::RunCommand,
];

const DELETION_WORDS: [&str; 6] = ["delete", "remove", "clean up", "lösch", "entfern", "删除"];

/// The tools of a step, in a fixed order.
pub fn for_step(task: &Task) -> Vec<ModelTool> {
    let named: Vec<ToolName> = task
        .tools
        .iter()
        .filter_map(|name| ToolName::from_name(name.trim().trim_matches('`')))
        .collect();
    let deletes = is_deletion(task);
    let has = |tool: &ToolName| {
        if named.is_empty() {
            DEFAULT_TOOLS.contains(tool) || (*tool == ToolName::DeleteFile && deletes)
        } else {
            // Editing requires reading, and rewriting the file if the edit fails.
            let edits = named.contains(&ToolName::EditFile) || named.contains(&ToolName::WriteFile);
            named.contains(tool)
                || *tool == ToolName::ReadFile
                || (edits && matches!(tool, ToolName::EditFile | ToolName::WriteFile))
        }
    };
    let own = ToolName::ALL.into_iter().filter(has);
    own.map(ModelTool::Workspace)
        .chain([ModelTool::AskUser, ModelTool::ReportProgress])
        .collect()
}

/// Whether a step's text is about deleting something.
pub fn is_deletion(task: &Task) -> bool {
    let words = format!("{} {}", task.title, task.body).to_lowercase();
    DELETION_WORDS.iter().any(|word| words.contains(word))
}

/// First words of a step that adds something to existing content.
const ADDS: WordList = WordList(
    "add append insert füge ergänze hänge ajoute ajouter insère insérer añade agrega inserta adiciona acrescenta \
    insere aggiungi inserisci добавь добавить вставь вставить",
);
/// First words of such a step in languages without spaces between words.
const ADDS_WITHOUT_BLANKS: WordList = WordList("添加 插入 追加 新增");

/// Whether a step adds something to existing content, judged by its first word.
pub fn only_adds(title: &str) -> bool {
    let title = title.trim().to_lowercase();
    let first = title.split_whitespace().next().unwrap_or_default();
    ADDS.contains(first)
        || ADDS_WITHOUT_BLANKS
            .iter()
            .any(|word| first.starts_with(word))
}

/// First words of a read-only step.
const LOOKS: WordList = WordList(
    "find look read list check search see note learn locate inspect review verify confirm count \
    report tell explain understand run test answer suche lies",
);

/// Whether a step runs a command, judged by its first word.
pub fn is_command(title: &str) -> bool {
    const RUNS: WordList = WordList(
        "run execute führe starte lance lancez exécute ejecuta corre execute esegui запусти",
    );
    let first = title
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    RUNS.contains(first.as_str()) || first.starts_with("运行") || first.starts_with("実行")
}

/// Whether a step should change something, judged by its tools or its text.
pub fn is_edit(task: &Task) -> bool {
    const CHANGES: [&str; 3] = ["edit_file", "write_file", "delete_file"];
    let changes = |tool: &String| CHANGES.contains(&tool.trim().trim_matches('`'));
    match task.tools.is_empty() {
        false => task.tools.iter().any(changes),
        true => !task.files.is_empty() && !starts_read_only(task),
    }
}

/// Whether a step should only read, judged by its tools or its text. For a step that names neither
/// tools nor files, both this and [`is_edit`] may be false.
pub fn is_read_only(task: &Task) -> bool {
    let reads = |tool: &String| {
        let tool = ToolName::from_name(tool.trim().trim_matches('`'));
        tool.is_some_and(ToolName::is_read_only)
    };
    let is_to_read = !task.tools.is_empty() && task.tools.iter().all(reads);
    is_to_read || (!is_edit(task) && starts_read_only(task))
}

fn starts_read_only(task: &Task) -> bool {
    let first = task.title.split_whitespace().next().unwrap_or_default();
    let first = first
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    LOOKS.contains(first.as_str())
}
