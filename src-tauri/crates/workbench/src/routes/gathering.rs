//! The KB plugins: gather as much knowledge of the workspace as planning needs.
//!
//! `kb-fast` is a single walk over the files; the others add to its result. Each reports what it
//! read, how much, and whether that was enough.

use std::time::Instant;

use planning::decision::Ending;
use serde_json::{Value, json};
use tools::survey::Survey;

use super::PlanningUnderWay;
use crate::Workbench;
use crate::clock::millis;
use crate::error::Result;
use crate::new_plan::ground::Ground;
use crate::text::number;
use crate::wire::route_views::RouteKnowledge;

/// The state of gathering.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The goal's terms that the last walk looked for; `None` before the first.
    looked_for: Option<Vec<String>>,
    plugin: Option<String>,
    /// The reports of the plugins, in order.
    told: Vec<Value>,
}

impl Gathered {
    /// The most thorough plugin that was used.
    pub(crate) fn plugin(&self) -> &str {
        self.plugin.as_deref().unwrap_or("kb-fast")
    }

    /// Whether something was gathered, but not enough.
    pub(crate) fn is_insufficient(&self) -> bool {
        let is_enough = |read: &Value| read["is_sufficient"] == true;
        !self.told.is_empty() && !self.told.iter().any(is_enough)
    }

    /// The reports of the plugins, for the plan's route.
    pub(crate) fn told(&self) -> Vec<Value> {
        self.told.clone()
    }

    /// Surveys the workspace, unless that was done for the goal's current terms.
    pub(crate) fn look(
        &mut self,
        bench: &Workbench,
        ground: &mut Ground,
        survey: &Survey,
    ) -> Result<()> {
        let terms = ground.intake.terms();
        if self.looked_for.as_ref() == Some(&terms) {
            return Ok(());
        }
        let (offered, known) = (
            std::mem::take(&mut ground.context.offered),
            std::mem::take(&mut ground.context.known),
        );
        bench.look(ground, survey)?;
        ground.context.offered = offered;
        ground.context.known = known;
        self.looked_for = Some(terms);
        Ok(())
    }

    /// Runs a KB plugin and returns whether its result is sufficient. Fails as [`Workbench::look`]
    /// does; a missing index or unavailable knowledge from earlier runs is not an error.
    pub(crate) fn gather(
        &mut self,
        plugin: &str,
        bench: &Workbench,
        ground: &mut Ground,
        under_way: &PlanningUnderWay,
    ) -> Result<Ending> {
        let began = Instant::now();
        self.look(bench, ground, &under_way.survey)?;
        self.plugin = Some(plugin.to_owned());
        let texts = ground.context.texts.values();
        let mut read = RouteKnowledge {
            plugin: plugin.to_owned(),
            files: number(ground.context.paths.len()),
            bytes: texts.map(|text| text.len() as u64).sum(),
            cut: ground.context.limits.clone(),
            ..RouteKnowledge::default()
        };
        let searched = match plugin {
            "kb-fast" => None,
            _ => Some(search(bench, ground, &under_way.indexing, &mut read)),
        };
        if plugin == "kb-thinkingdb" {
            recall(bench, ground, &mut read);
        }
        let enough = match (plugin, searched) {
            // A search knows better than matching names whether it found the right files.
            ("kb-balanced", Some(found)) => found,
            _ => planning::is_enough(&ground.intake, &ground.context),
        };
        self.told.push(json!(RouteKnowledge {
            ms: millis(began.elapsed()),
            is_sufficient: enough.is_ok(),
            why: enough.as_ref().map_or_else(Clone::clone, Clone::clone),
            offered: ground.context.offered.clone(),
            known: ground.context.known.clone(),
            ..read
        }));
        Ok(match enough {
            Ok(why) => Ending::Good(why),
            Err(why) => Ending::Weak(why),
        })
    }
}

/// `kb-balanced`: ranked search over all files and the symbols they define. Returns why the result
/// is sufficient, or why it isn't.
fn search(
    bench: &Workbench,
    ground: &mut Ground,
    survey: &Survey,
    read: &mut RouteKnowledge,
) -> std::result::Result<String, String> {
    let (workspace, folder) = (&ground.workspace, &ground.settings.plan_folder);
    let report = bench.offer(
        workspace,
        folder,
        &ground.intake,
        &mut ground.context,
        survey,
    );
    read.files = read.files.max(number(report.files_known));
    read.bytes = read.bytes.saturating_add(report.bytes_read);
    read.cut.extend(report.cut);
    match report.is_sufficient {
        true => Ok(report.why),
        false => Err(report.why),
    }
}

/// `kb-thinkingdb`: knowledge from earlier runs, and links between files.
fn recall(bench: &Workbench, ground: &mut Ground, read: &mut RouteKnowledge) {
    let (workspace, intake) = (&ground.workspace, &ground.intake);
    let links = |path: &str| {
        let linked = bench.links_of(workspace.path(), path);
        linked.unwrap_or_else(|error| {
            tracing::info!(%error, path, "the links of a file are not known");
            Vec::new()
        })
    };
    match bench.know(workspace, intake, &mut ground.context, &links) {
        Ok(report) => {
            if report.is_cut {
                let (runs, facts) = (report.runs, report.facts);
                read.cut.push(format!(
                    "Of earlier runs the newest {runs} and {facts} facts were looked at."
                ));
            }
        }
        Err(error) => read
            .cut
            .push(format!("What earlier runs left was not looked at: {error}")),
    }
}
