//! The KB plugins: what is known of the workspace, gathered no further than it takes.
//!
//! `kb-fast` is one walk over the files. Each further one adds to what is there; what was read, how much
//! of it, and whether it was enough, is told.

use std::time::Instant;

use routing::decision::Ending;
use serde_json::{Value, json};
use tools::survey::Survey;

use super::PlanningUnderWay;
use crate::Workbench;
use crate::error::Result;
use crate::planning::ground::Ground;

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
        let mut read = Read {
            files: ground.context.paths.len() as u64,
            bytes: ground
                .context
                .texts
                .values()
                .map(|text| text.len() as u64)
                .sum(),
            cut: ground.context.limits.clone(),
            ..Read::default()
        };
        if plugin != "kb-fast" {
            search(bench, ground, &under_way.indexing, &mut read);
        }
        if plugin == "kb-thinkingdb" {
            recall(bench, ground, &mut read);
        }
        let enough = match (plugin, read.searched.take()) {
            // A search says better than names alone whether it found what is meant.
            ("kb-balanced", Some(found)) => found,
            _ => routing::is_enough(&ground.intake, &ground.context),
        };
        let context = &ground.context;
        let offered = context.offered.iter();
        let offered: Vec<Value> = offered
            .map(|file| json!({"path": file.path, "reason": file.reason}))
            .collect();
        let known = context.known.iter();
        let known: Vec<Value> = known
            .map(|thing| json!({"text": thing.text, "provenance": thing.provenance}))
            .collect();
        self.told.push(json!({
            "plugin": plugin,
            "files": read.files,
            "bytes": read.bytes,
            "ms": u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            "cut": read.cut,
            "is_sufficient": enough.is_ok(),
            "why": enough.as_ref().map_or_else(Clone::clone, Clone::clone),
            "offered": offered,
            "known": known,
        }));
        Ok(match enough {
            Ok(why) => Ending::Good(why),
            Err(why) => Ending::Weak(why),
        })
    }
}

/// What one plugin read.
#[derive(Debug, Default)]
struct Read {
    files: u64,
    bytes: u64,
    /// What was left out, one sentence each.
    cut: Vec<String>,
    /// Whether the search found what is meant, and why.
    searched: Option<std::result::Result<String, String>>,
}

/// `kb-balanced`: ranked search over all files and the names that they define.
fn search(bench: &Workbench, ground: &mut Ground, survey: &Survey, read: &mut Read) {
    let (workspace, folder) = (&ground.workspace, &ground.settings.plan_folder);
    let report = bench.offer(
        workspace,
        folder,
        &ground.intake,
        &mut ground.context,
        survey,
    );
    read.files = read.files.max(report.files_known);
    read.bytes = read.bytes.saturating_add(report.bytes_read);
    read.cut.extend(report.cut);
    read.searched = Some(match report.is_sufficient {
        true => Ok(report.why),
        false => Err(report.why),
    });
}

/// `kb-thinkingdb`: what earlier runs left, and which files hang together.
fn recall(bench: &Workbench, ground: &mut Ground, read: &mut Read) {
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
