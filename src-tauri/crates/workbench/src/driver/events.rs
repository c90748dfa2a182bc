//! Turns a model's replies and the run's questions into events.

use agent::turn::Reply;
use gate::question::Question;

use super::Driver;
use crate::wire::RunEvent;

impl Driver<'_> {
    pub(super) fn report_reply(&mut self, task: &str, reply: &Reply) {
        let repairs = reply.calls.iter().flat_map(|call| call.repairs.clone());
        (self.sink)(RunEvent::Replied {
            task: task.to_owned(),
            text: reply.text.clone(),
            calls: reply.calls.iter().map(|call| call.name.clone()).collect(),
            repairs: repairs.collect(),
            faults: reply
                .faults
                .iter()
                .map(|fault| fault.kind.as_str().to_owned())
                .collect(),
            input: reply.usage.input,
            cached: reply.usage.cached,
            output: reply.usage.output,
            elapsed_ms: reply.elapsed_ms,
        });
    }

    pub(super) fn report_question(&mut self, question: Question) {
        if question.permission.is_some() {
            self.record_work_so_far(&question.task);
        }
        let (tool, matches) = match &question.permission {
            Some(request) => (Some(request.tool.clone()), Some(request.exact())),
            None => (None, None),
        };
        let danger = question
            .permission
            .as_ref()
            .and_then(|request| request.danger.as_ref());
        let subjects = danger.map(|danger| danger.subjects.clone());
        (self.sink)(RunEvent::Waiting {
            subjects: subjects.unwrap_or_default(),
            kind: question.question.as_str().to_owned(),
            id: question.task,
            options: question.options,
            message: question.message,
            tool,
            matches,
        });
    }
}
