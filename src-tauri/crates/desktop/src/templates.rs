//! Listing templates: the built-in ones and the workspace's.

use std::path::Path;

use planning::template::{self, Template};

use crate::Desktop;
use crate::wire::{TemplateText, TemplateView};
use workbench::Workbench;
use workbench::error::Result;

impl Desktop {
    /// The templates available for goals in this workspace, its own first; unusable ones are listed
    /// with the reason.
    ///
    /// # Errors
    /// [`workbench::Code::Workspace`] if the folder can't be opened.
    pub fn templates(&self, workspace: Option<&str>) -> Result<Vec<TemplateView>> {
        let own = own(&self.shared.workbench(), workspace)?;
        let loaded = template::load(&own);
        let mut views: Vec<TemplateView> = loaded.all.iter().map(view).collect();
        views.extend(loaded.problems.into_iter().map(|problem| TemplateView {
            name: problem.path.clone(),
            description: String::new(),
            source: problem.path,
            example: String::new(),
            parameters: Vec::new(),
            steps: 0,
            problem: Some(problem.error.to_string()),
        }));
        Ok(views)
    }

    /// The text of one template.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if there is no such template; otherwise same as
    /// [`Desktop::templates`].
    pub fn template(&self, workspace: Option<&str>, name: &str) -> Result<TemplateText> {
        let own = own(&self.shared.workbench(), workspace)?;
        let loaded = template::load(&own);
        let path = loaded.all.iter().find(|found| found.id == name);
        let path = path.map_or(Some(name), |found| found.path.as_deref());
        let text = match path {
            Some(path) => own
                .into_iter()
                .find(|(found, _)| found == path)
                .map(|(_, text)| text),
            None => template::built_in(name).map(str::to_owned),
        };
        text.map(|markdown| TemplateText {
            name: name.to_owned(),
            markdown,
        })
        .ok_or_else(|| err!(Usage: "no template “{name}”"))
    }
}

/// The workspace's own templates, as path and text.
pub(super) fn own(workbench: &Workbench, workspace: Option<&str>) -> Result<Vec<(String, String)>> {
    let Some(path) = workspace else {
        return Ok(Vec::new());
    };
    let workspace = workbench.open_workspace(Path::new(path))?;
    let (settings, _) = workbench.settings_for(Some(&workspace));
    // Unreadable files are reported when a plan is created; the list just omits them.
    let mut notices = Vec::new();
    Ok(workbench.user_templates(&workspace, &settings, &mut notices))
}

fn view(template: &Template) -> TemplateView {
    let kind = template.kind.map(|kind| kind.as_str().replace('-', " "));
    let phrases: Vec<&str> = template.phrases().collect();
    let mut answers = Vec::new();
    if let Some(kind) = &kind {
        answers.push(format!("goals of type “{kind}”"));
    }
    if !phrases.is_empty() {
        let quoted: Vec<String> = phrases.iter().map(|phrase| format!("“{phrase}”")).collect();
        answers.push(format!("goals that begin with {}", quoted.join(" or ")));
    }
    let count = u32::try_from(template.step_count()).unwrap_or(u32::MAX);
    TemplateView {
        name: template.id.clone(),
        description: format!("For {}", answers.join(", and ")),
        source: template
            .path
            .clone()
            .unwrap_or_else(|| "built in".to_owned()),
        example: example(template.kind, &phrases),
        parameters: parameters(&phrases),
        steps: count,
        problem: None,
    }
}

/// The parameters in a template's phrases.
fn parameters(phrases: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in phrases.iter().flat_map(|phrase| phrase.split("{{").skip(1)) {
        if let Some((name, _)) = part.split_once("}}")
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// An example goal to start from, with `…` as placeholders.
fn example(kind: Option<planning::TaskType>, phrases: &[&str]) -> String {
    use planning::TaskType;
    if let Some(phrase) = phrases.first() {
        return phrase.replace("{{", "… ").replace("}}", " …");
    }
    let goal = match kind {
        Some(TaskType::Rename) => "Rename the function … to … everywhere and test it",
        Some(TaskType::BugFix) => "Fix … when …",
        Some(TaskType::Feature) => "Add … to …",
        Some(TaskType::Modify) => "Change … so that …",
        Some(TaskType::Find) => "Find where …",
        Some(TaskType::Dependency) => "Update … to version …",
        Some(TaskType::Documentation) => "Document …",
        Some(TaskType::Removal) => "Remove the file …",
        Some(TaskType::Move) => "Move the file … to …",
        Some(TaskType::General) | None => "",
    };
    goal.to_owned()
}
