//! Approving a revision in a session: through the same gate as a run, and on record before the session
//! learns of it.

use std::path::Path;

use adequacy::gate;
use plan::graph::Graph;
use store::NewApproval;

use crate::approval::{self, Admitted, Asked};
use crate::error::{Code, Error, Result};
use crate::opening::open_steps;
use crate::plan_file::Content;
use crate::{Workbench, checking, plan_file};

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
        let key = opened.file.key();
        plan_file::record_found(&self.store, &key, &opened.content, self.clock.now_ms())?;
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let asked = Asked {
            revision,
            upto: None,
            reason,
            is_to_run: true,
        };
        let Admitted {
            approval: given,
            is_overridden,
        } = self.admit(&opened, &asked, &report)?;
        let steps = open_steps(&opened.plan, None);
        let text = &opened.content.text;
        let graph = Graph::of(&opened.plan);
        let blocked: Vec<String> = steps
            .iter()
            .filter(|index| !gate::blocks(&opened.plan, &graph, **index, true).is_empty())
            .filter_map(|index| opened.plan.tasks.get(*index))
            .map(|task| task.id.as_str().to_owned())
            .collect();
        match reason {
            None if !blocked.is_empty() => {
                let message = format!(
                    "the quality gate blocks {}; fix it, or say with --reason why it may run",
                    blocked.join(", ")
                );
                return Err(Error::new(Code::Usage, message));
            }
            Some(reason) if is_overridden || !blocked.is_empty() => {
                let judged = is_overridden.then_some(&report);
                self.keep_override(&opened, &steps, judged, reason)?;
            }
            _ => {}
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
            if found.uncovered(&content.text, &plan, None).is_empty() {
                return Ok(Some(found.revision));
            }
        }
        Ok(None)
    }
}
