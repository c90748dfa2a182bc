//! Approving a revision in a session: through the same gate as a run, and on record before the session
//! learns of it.

use std::path::Path;

use adequacy::gate;
use plan::graph::Graph;
use store::NewApproval;

use crate::error::{Code, Error, Result};
use crate::opening::open_steps;
use crate::plan_file::Content;
use crate::{Workbench, approval, checking, foreign, plan_file};

/// The policy under which an approval for a session is kept: what the plan does not show is asked.
const IN_SESSION: &str = "session";

impl Workbench {
    /// Approves a revision of a session's plan, and answers with its whole hash. The session is not
    /// told; see [`crate::SessionInput::Approved`].
    ///
    /// # Errors
    /// [`Code::NotCovered`] when an open step is not what that revision holds; [`Code::Usage`] when
    /// the quality gate or enforcement wants a written reason.
    pub fn approve_in_session(
        &mut self,
        session: &str,
        revision: &str,
        reason: Option<&str>,
    ) -> Result<String> {
        let row = self.find_session(session)?;
        let opened = self.open_plan(Path::new(&row.plan), Some(Path::new(&row.workspace)))?;
        foreign::refuse(self, &opened.file.path)?;
        let key = opened.file.key();
        plan_file::record_found(&self.store, &key, &opened.content, self.clock.now_ms())?;
        let given = approval::resolve(&self.store, &key, revision, &opened.content)?;
        let steps = open_steps(&opened.plan, None);
        let text = &opened.content.text;
        let uncovered = approval::uncovered(&given.covered, text, &opened.plan, &steps);
        if !uncovered.is_empty() {
            let ids: Vec<&str> = uncovered.iter().map(|step| step.task.as_str()).collect();
            let message = format!(
                "revision {} does not cover {}; nothing was approved. Read the plan again and approve revision {}",
                &given.revision[..12],
                ids.join(", "),
                opened.content.revision.short()
            );
            return Err(Error::new(Code::NotCovered, message));
        }
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let objection = checking::objection(&opened.settings, &opened.file.relative, &report);
        let graph = Graph::of(&opened.plan);
        let blocked: Vec<String> = steps
            .iter()
            .filter(|index| !gate::blocks(&opened.plan, &graph, **index, true).is_empty())
            .filter_map(|index| opened.plan.tasks.get(*index))
            .map(|task| task.id.as_str().to_owned())
            .collect();
        let against = match (&objection, blocked.is_empty()) {
            (Some(objection), _) => Some(objection.clone()),
            (None, false) => Some(format!("the quality gate blocks {}", blocked.join(", "))),
            (None, true) => None,
        };
        match (&against, reason) {
            (Some(against), None) => {
                let message = format!("{against}; mend it, or say with --reason why it may go on");
                return Err(Error::new(Code::Usage, message));
            }
            (Some(_), Some(reason)) => {
                let judged = objection.is_some().then_some(&report);
                self.keep_override(&opened, &steps, judged, reason)?;
            }
            (None, _) => {}
        }
        self.store.approvals().add(&NewApproval {
            plan: &key,
            revision: &given.revision,
            run: None,
            actor: "person",
            policy: IN_SESSION,
            upto: None,
            reason,
            at_ms: self.clock.now_ms(),
        })?;
        self.learn_approved(&key, text);
        Ok(given.revision)
    }

    /// The newest approval on record that covers every open step of a session's plan as it is now,
    /// without a bound on its steps. What nobody approved stays so.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn approved_revision(&self, session: &str) -> Result<Option<String>> {
        let row = self.find_session(session)?;
        let Ok(bytes) = std::fs::read(&row.plan) else {
            return Ok(None);
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let content = Content::of(text);
        let (plan, _) = plan::parse(&content.text);
        let steps = open_steps(&plan, None);
        // Accepting a thin plan is not approving it.
        let given = self.store.approvals().of_plan(&row.plan)?;
        let given = given
            .iter()
            .rev()
            .filter(|given| given.upto.is_none() && given.policy != "thin_accepted");
        for given in given {
            let Ok(found) = approval::resolve(&self.store, &row.plan, &given.revision, &content)
            else {
                continue;
            };
            if approval::uncovered(&found.covered, &content.text, &plan, &steps).is_empty() {
                return Ok(Some(found.revision));
            }
        }
        Ok(None)
    }
}
