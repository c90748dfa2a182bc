//! The KB plugins: gather as much knowledge of the workspace as planning needs.
//!
//! `kb-fast` is a single walk over the files; the others add to its result. Each reports what it
//! read, how much, and whether that was enough.

use std::time::Instant;

use planning::decision::AttemptResult;
use serde_json::{Value, json};
use tools::survey::Survey;

use super::PlanningHandle;
use crate::Workbench;
use crate::clock::millis;
use crate::error::Result;
use crate::new_plan::basis::PlanningBasis;
use crate::text::{counted, number};
use crate::wire::route_views::RouteKnowledge;

/// The workspace knowledge gathered so far.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceKnowledge {
    /// The goal's terms that the last walk looked for; `None` before the first.
    looked_for: Option<Vec<String>>,
    plugin: Option<String>,
    /// The reports of the plugins, in order.
    reports: Vec<Value>,
}

impl WorkspaceKnowledge {
    /// The most thorough plugin that was used.
    pub(crate) fn plugin(&self) -> &str {
        self.plugin.as_deref().unwrap_or("kb-fast")
    }

    /// Whether something was gathered, but not enough.
    pub(crate) fn is_insufficient(&self) -> bool {
        let is_enough = |read: &Value| read["is_sufficient"] == true;
        !self.reports.is_empty() && !self.reports.iter().any(is_enough)
    }

    /// The reports of the plugins, for the plan's route.
    pub(crate) fn reports(&self) -> Vec<Value> {
        self.reports.clone()
    }

    /// Surveys the workspace, unless that was done for the goal's current terms.
    pub(crate) fn look(
        &mut self,
        bench: &Workbench,
        basis: &mut PlanningBasis,
        survey: &Survey,
    ) -> Result<()> {
        let terms = basis.intake.terms();
        if self.looked_for.as_ref() == Some(&terms) {
            return Ok(());
        }
        let (offered, known) = (
            std::mem::take(&mut basis.context.offered),
            std::mem::take(&mut basis.context.known),
        );
        bench.look(basis, survey)?;
        basis.context.offered = offered;
        basis.context.known = known;
        self.looked_for = Some(terms);
        Ok(())
    }

    /// Runs a KB plugin and returns whether its result is sufficient. Fails as [`Workbench::look`]
    /// does; a missing index or unavailable knowledge from earlier runs is not an error.
    pub(crate) fn gather(
        &mut self,
        plugin: &str,
        bench: &Workbench,
        basis: &mut PlanningBasis,
        handle: &PlanningHandle,
    ) -> Result<AttemptResult> {
        let began = Instant::now();
        self.look(bench, basis, &handle.survey)?;
        self.plugin = Some(plugin.to_owned());
        let texts = basis.context.texts.values();
        let mut read = RouteKnowledge {
            plugin: plugin.to_owned(),
            files: number(basis.context.paths.len()),
            bytes: texts.map(|text| text.len() as u64).sum(),
            cut: basis.context.limits.clone(),
            ..RouteKnowledge::default()
        };
        let searched = match plugin {
            "kb-fast" => None,
            _ => Some(search(bench, basis, &handle.indexing, &mut read)),
        };
        if plugin == "kb-thinkingdb" {
            recall(bench, basis, &mut read);
        }
        let enough = match (plugin, searched) {
            // A search can tell better than name matching whether it found the right files.
            ("kb-balanced", Some(found)) => found,
            _ => planning::sufficiency(&basis.intake, &basis.context),
        };
        self.reports.push(json!(RouteKnowledge {
            ms: millis(began.elapsed()),
            is_sufficient: enough.is_ok(),
            why: enough.as_ref().map_or_else(Clone::clone, Clone::clone),
            offered: basis.context.offered.clone(),
            known: basis.context.known.clone(),
            ..read
        }));
        Ok(match enough {
            Ok(why) => AttemptResult::Good(why),
            Err(why) => AttemptResult::Weak(why),
        })
    }
}

/// `kb-balanced`: ranked search over all files and the symbols they define. Returns why the result
/// is sufficient, or why it isn't.
fn search(
    bench: &Workbench,
    basis: &mut PlanningBasis,
    survey: &Survey,
    read: &mut RouteKnowledge,
) -> std::result::Result<String, String> {
    let (workspace, folder) = (&basis.workspace, &basis.settings.plan_folder);
    let report = bench.offer(workspace, folder, &basis.intake, &mut basis.context, survey);
    read.files = read.files.max(number(report.files_known));
    read.bytes = read.bytes.saturating_add(report.bytes_read);
    read.cut.extend(report.cut);
    match report.is_sufficient {
        true => Ok(report.why),
        false => Err(report.why),
    }
}

/// `kb-thinkingdb`: knowledge from earlier runs, and links between files.
fn recall(bench: &Workbench, basis: &mut PlanningBasis, read: &mut RouteKnowledge) {
    let (workspace, intake) = (&basis.workspace, &basis.intake);
    let links = |path: &str| {
        let linked = bench.links_of(workspace.path(), path);
        linked.unwrap_or_else(|error| {
            tracing::info!(%error, path, "couldn't read a file's links");
            Vec::new()
        })
    };
    match bench.know(workspace, intake, &mut basis.context, &links) {
        Ok(report) => {
            if report.is_cut {
                read.cut.push(format!(
                    "Used only the newest {} and {}.",
                    counted(report.runs, "run"),
                    counted(report.facts, "fact")
                ));
            }
        }
        Err(error) => read
            .cut
            .push(format!("Couldn't read what earlier runs learned: {error}")),
    }
}
