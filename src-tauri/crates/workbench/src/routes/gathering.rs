//! The KB plugins: what is known of the workspace, gathered no further than it takes.
//!
//! `kb-fast` is one walk over the files. Each further one adds to what is there; what was read, how much
//! of it, and whether it was enough, is told.

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

/// What was gathered so far.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The goal's terms that the last walk looked for; `None` before it.
    looked_for: Option<Vec<String>>,
    plugin: Option<String>,
    /// What each plugin read, in order.
    told: Vec<Value>,
}

impl Gathered {
    /// The plugin that gathered most.
    pub(crate) fn plugin(&self) -> &str {
        self.plugin.as_deref().unwrap_or("kb-fast")
    }

    /// Whether something was gathered, and nothing of it was enough.
    pub(crate) fn is_insufficient(&self) -> bool {
        let is_enough = |read: &Value| read["is_sufficient"] == true;
        !self.told.is_empty() && !self.told.iter().any(is_enough)
    }

    /// What was read, for the plan's report.
    pub(crate) fn told(&self) -> Vec<Value> {
        self.told.clone()
    }

    /// Walks over the workspace, unless it was done for the goal as it is read now.
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

    /// Has a plugin gather what it can; says whether that will do.
    /// Fails as [`Workbench::look`]; what an index or an earlier run cannot give is no error.
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
            // A search says better than names alone whether it found what is meant.
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

/// `kb-balanced`: ranked search over all files and the names that they define. Answers whether it found
/// what is meant, and why.
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

/// `kb-thinkingdb`: what earlier runs left, and which files hang together.
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
