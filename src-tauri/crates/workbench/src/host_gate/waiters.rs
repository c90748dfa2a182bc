//! The processes that wait for answers to an agent's requests, as recorded in the journal.

use agent::host_answer::HostAnswer;
use agent::journal::Entry;
use plan::ToolCall;
use serde_json::{Value, json};
use store::Holder;

use super::GateRequest;
use crate::error::Result;
use crate::running::FIRST_ENTRY;
use crate::{Workbench, journal_rows};

impl Workbench {
    /// Records requests made by this process; returns their numbers. Call only while holding the
    /// lease.
    pub(super) fn record_requests(
        &self,
        run: &str,
        request: Option<&GateRequest>,
    ) -> Result<Vec<usize>> {
        let next_seq = self.store.journal().next_seq(run)?;
        let Some(state) = self.state_of(run)? else {
            return Err(err!(NotRunnable:
                "run {run} was never started; discard it with `planwright discard {run}`"));
        };
        let first = state.host.next_number();
        let waiter = note(&Holder::current(run)?);
        let asked: Vec<(Option<String>, bool)> = match request {
            None => Vec::new(),
            Some(GateRequest::EndTurn { is_last }) => vec![(None, *is_last)],
            Some(GateRequest::Calls(calls)) => {
                let lines = calls.iter().map(ToolCall::to_line);
                lines.map(|line| (Some(line), false)).collect()
            }
        };
        let last = first + asked.len();
        let entries: Vec<Entry> = asked
            .into_iter()
            .zip(first..)
            .map(|((line, is_last), number)| Entry::HostAsked {
                number,
                line,
                is_last,
                waiter: waiter.clone(),
            })
            .collect();
        if !entries.is_empty() {
            let now = self.clock.now_ms();
            journal_rows::append(&self.store, run, next_seq, &entries, now)?;
        }
        Ok((first..last).collect())
    }

    /// Withdraws requests made by processes that have ended; returns the next sequence number. Call
    /// only while holding the lease.
    pub(crate) fn withdraw_gone(&self, run: &str, next_seq: i64) -> Result<i64> {
        if next_seq == FIRST_ENTRY {
            return Ok(next_seq);
        }
        let Some(state) = self.state_of(run)? else {
            return Ok(next_seq);
        };
        let gone = state.host.open().filter(|(_, request)| {
            let waiter = holder(run, &request.waiter);
            waiter.is_none_or(|waiter| !waiter.is_alive())
        });
        let entries: Vec<Entry> = gone
            .map(|(number, _)| Entry::HostAnswered {
                number,
                answer: HostAnswer::Withdrawn {
                    reason: "the agent stopped waiting".to_owned(),
                },
            })
            .collect();
        match entries.is_empty() {
            true => Ok(next_seq),
            false => {
                let now = self.clock.now_ms();
                journal_rows::append(&self.store, run, next_seq, &entries, now)
            }
        }
    }
}

fn note(holder: &Holder) -> Value {
    json!({
        "pid": holder.pid,
        "process_start": holder.process_start,
        "boot_id": holder.boot_id,
        "host": holder.host,
    })
}

fn holder(run: &str, note: &Value) -> Option<Holder> {
    let word = |key: &str| note.get(key)?.as_str().map(str::to_owned);
    Some(Holder {
        run: run.to_owned(),
        pid: u32::try_from(note.get("pid")?.as_u64()?).ok()?,
        process_start: note.get("process_start")?.as_u64()?,
        boot_id: word("boot_id")?,
        host: word("host")?,
    })
}
