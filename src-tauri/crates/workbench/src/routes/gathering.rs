//! The KB plugins: what is known of the workspace, gathered no further than it takes.
//!
//! `kb-fast` is one walk over the files. Each further one adds to what is there; what was read, how much
//! of it, and whether it was enough, is told.

use routing::decision::Ending;
use serde_json::{Value, json};
use tools::survey::Survey;

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
    ///
    /// # Errors
    /// As [`Workbench::look`].
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
    ///
    /// # Errors
    /// As [`Workbench::look`]; what an index or an earlier run cannot give is no error.
    pub(crate) fn gather(
        &mut self,
        plugin: &str,
        bench: &Workbench,
        ground: &mut Ground,
        survey: &Survey,
    ) -> Result<Ending> {
        self.look(bench, ground, survey)?;
        self.plugin = Some(plugin.to_owned());
        let enough = routing::is_enough(&ground.intake, &ground.context);
        self.told.push(json!({
            "plugin": plugin,
            "files": ground.context.paths.len(),
            "texts": ground.context.texts.len(),
            "bytes": ground.context.texts.values().map(String::len).sum::<usize>(),
            "cut": ground.context.limits,
            "is_sufficient": enough.is_ok(),
            "why": enough.as_ref().map_or_else(Clone::clone, Clone::clone),
        }));
        Ok(match enough {
            Ok(why) => Ending::Good(why),
            Err(why) => Ending::Weak(why),
        })
    }
}
