//! Turns a model's replies, the run's questions and the progress of steps into events.

use std::time::Instant;

use agent::progress::Progress;
use agent::turn::Reply;
use gate::question::Question;

use super::{Driver, StepReports, report_timing};
use crate::clock::millis;
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

    pub(super) fn progress(&mut self, progress: Progress) {
        let now = Instant::now();
        if self.jobs.is_off() && !self.step_reports.contains_key(&progress.task) {
            // Steps run one at a time: the previous step's progress is obsolete.
            self.step_reports.clear();
        }
        let step_reports = self
            .step_reports
            .entry(progress.task.clone())
            .or_insert_with(|| StepReports {
                began: now,
                output: report_timing::OutputBuffer::default(),
                progress: progress.clone(),
            });
        step_reports.progress = progress.clone();
        let began = step_reports.began;
        let elapsed_ms = millis(now - began);
        let seq = self.next_event();
        let (step, steps) = progress.step;
        (self.sink)(RunEvent::Progress {
            seq,
            task: progress.task,
            step,
            steps,
            is_open_ended: progress.is_open_ended,
            phase: progress.phase,
            tools_used: progress.tools_used,
            discoveries: progress.discoveries,
            current_action: progress.current_action,
            elapsed_ms,
        });
    }

    pub(super) fn next_event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }
}
