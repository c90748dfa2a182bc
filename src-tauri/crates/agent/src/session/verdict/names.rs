//! Answers calls to tools that don't exist by suggesting the tool that was meant or an alternative.
//!
//! The suggested tool is never called automatically.

use super::PLAN_MODE_REFUSAL;
use plan::ToolName;

use crate::context::keywords::parts;
use crate::model_tool::ModelTool;
use crate::session::tools;
use plan::word_list::WordList;

const MAX_NAME_LEN: usize = 100;

const MODE_IS_THE_PERSONS: &str = "Only the person changes the mode; no tool does. In plan mode, call \
                                   propose_plan when the plan is ready, and wait.";

/// Words that occur in the names of other programs' tools that change files.
const CHANGES: WordList = WordList(
    "edit replace patch diff str sed insert write create save touch new delete remove rm mv move rename mkdir",
);

/// Words that occur in the names of other programs' tools, each with the tool of ours that it
/// corresponds to.
const ELSEWHERE: [(ModelTool, WordList); 7] = [
    (
        tools::COMMAND,
        WordList("bash sh shell exec execute terminal command cmd git python test"),
    ),
    (
        ModelTool::Workspace(ToolName::SearchFiles),
        WordList("grep rg ripgrep search find glob codebase"),
    ),
    (
        ModelTool::Workspace(ToolName::ReadFile),
        WordList("cat view open read head tail"),
    ),
    (
        ModelTool::Workspace(ToolName::ListFiles),
        WordList("ls list dir tree"),
    ),
    (ModelTool::EditPlan, WordList("todo todos plan tasks task")),
    (
        ModelTool::AskUser,
        WordList("ask question clarify followup user human"),
    ),
    (
        ModelTool::ProposePlan,
        WordList("propose submit finish present attempt done"),
    ),
];

pub(super) fn unknown_tool(name: &str) -> String {
    let words = parts(&name[..name.floor_char_boundary(MAX_NAME_LEN)]);
    let words: Vec<String> = words.into_iter().map(str::to_lowercase).collect();
    if changes_the_mode(&words) {
        return MODE_IS_THE_PERSONS.to_owned();
    }
    let name: String = name
        .chars()
        .filter(|c| !c.is_control() && *c != '`')
        .take(60)
        .collect();
    let changes_files = words.iter().any(|word| CHANGES.contains(word));
    if changes_files && about_the_plan(&words).is_none() {
        return PLAN_MODE_REFUSAL.to_owned();
    }
    let Some(nearest) = nearest(&name, &words) else {
        let all = tools::TOOLS.map(ModelTool::as_str).join(", ");
        return format!("There is no tool `{name}`. The tools are: {all}.");
    };
    format!(
        "There is no tool `{name}`; the nearest is {}. Call that one if it is what you mean.",
        nearest.as_str()
    )
}

fn changes_the_mode(words: &[String]) -> bool {
    let has = |list: WordList| words.iter().any(|word| list.contains(word));
    let joined = words.concat();
    let leaves = has(WordList(
        "exit leave quit end stop switch enter start begin approve accept implement finish \
        escalate change set",
    ));
    let place = has(WordList(
        "plan planning exec execution act agent code build auto implementation",
    ));
    has(WordList("mode escalate approve"))
        || joined.contains("planmode")
        || joined.contains("actmode")
        || (leaves && place)
}

fn nearest(name: &str, words: &[String]) -> Option<ModelTool> {
    const ALIKE: f64 = 0.93;
    let lower = name.to_lowercase();
    let alike = tools::TOOLS
        .into_iter()
        .map(|tool| (strsim::jaro_winkler(&lower, tool.as_str()), tool))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, tool)| tool);
    alike.or_else(|| about_the_plan(words)).or_else(|| {
        // The first word of a name is its verb.
        words.iter().find_map(|word| {
            ELSEWHERE
                .iter()
                .find(|(_, names)| names.contains(word))
                .map(|(tool, _)| *tool)
        })
    })
}

/// The plan tool that the words of a name suggest; `None` if they aren't about the plan or contain
/// no known verb.
fn about_the_plan(words: &[String]) -> Option<ModelTool> {
    let has = |list: WordList| words.iter().any(|word| list.contains(word));
    if !has(WordList("plan plans task tasks todo todos")) {
        return None;
    }
    if has(WordList("propose submit present offer done complete")) {
        return Some(ModelTool::ProposePlan);
    }
    if has(WordList("read get view show open list cat")) {
        return Some(ModelTool::ReadPlan);
    }
    let verbs =
        WordList("add append change create edit make new patch replace save set update write");
    has(verbs).then_some(ModelTool::EditPlan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_left_by_no_name() {
        for name in [
            "exit_plan_mode",
            "ExitPlanMode",
            "plan_exit",
            "switch_to_act_mode",
            "switch_mode",
            "set_mode",
            "exitPlanMode",
            "leave-plan",
            "start_execution",
            "approve_plan",
            "enter_exec",
            "begin_implementation",
            "planmode_exit",
        ] {
            assert_eq!(unknown_tool(name), MODE_IS_THE_PERSONS, "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_the_nearest() {
        for (name, tool) in [
            ("bash", "run_command"),
            ("Read", "read_file"),
            ("readfile", "read_file"),
            ("grep", "search_files"),
            ("str_replace_editor", "edit_plan"),
            ("create_file", "edit_plan"),
            ("todo_write", "edit_plan"),
            ("update_plan", "edit_plan"),
            ("save_plan", "edit_plan"),
            ("create_plan", "edit_plan"),
            ("replaceTasks", "edit_plan"),
            ("get_plan", "read_plan"),
            ("viewPlan", "read_plan"),
            ("submit_plan", "propose_plan"),
            ("present_plan", "propose_plan"),
            ("ask_followup_question", "ask_user"),
            ("delete_file", "edit_plan"),
            ("git_status", "run_command"),
        ] {
            let told = unknown_tool(name);
            assert!(told.contains(tool), "{name}: {told}");
        }
        assert!(unknown_tool("zzz").contains("propose_plan"));
    }
}
