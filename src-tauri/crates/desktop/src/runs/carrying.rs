//! The thread of a run. It carries out the run's parts and, however they end, releases everything
//! that the run holds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

use agent::journal::EndState;

use super::telling::Teller;
use super::{Carried, Part};
use crate::wire::DesktopEvent;
use crate::{Shared, lock};
use workbench::error::{Code, Error, Result};
use workbench::sessions::SessionInput;
use workbench::wire::RunEvent;
use workbench::{RunControl, Steer, Workbench};

impl Shared {
    pub(super) fn spawn(
        self: &Arc<Self>,
        bench: Workbench,
        carried: Carried,
        part: Part,
        control: RunControl,
        begun: Option<SyncSender<Result<()>>>,
    ) -> Result<()> {
        let shared = Arc::clone(self);
        let run = carried.run.clone();
        let thread = std::thread::Builder::new().name(format!("run {run}"));
        let spawned = thread.spawn(move || {
            let carry = AssertUnwindSafe(|| shared.carry(bench, &carried, part, &control, begun));
            if catch_unwind(carry).is_err() {
                shared.after_panic(&carried);
            }
            // Announced last, so that windows that query now get the run's final state.
            shared.run_ended(&carried);
        });
        if let Err(error) = spawned {
            lock(&self.live.runs).remove(&run);
            return Err(Error::from_cause(Code::Failed, error));
        }
        Ok(())
    }

    /// Carries out a run part by part, as long as there is input for another part.
    fn carry(
        self: &Arc<Self>,
        mut bench: Workbench,
        carried: &Carried,
        mut part: Part,
        control: &RunControl,
        mut begun: Option<SyncSender<Result<()>>>,
    ) {
        let mut teller = Teller::new(Arc::clone(self), carried.clone());
        loop {
            let ended = {
                let mut sink = |event: RunEvent| {
                    let has_begun = matches!(event, RunEvent::Started { .. });
                    // Announce the event first, because the caller may query the run as soon as it
                    // is notified.
                    teller.tell(event);
                    if has_begun && let Some(begun) = begun.take() {
                        // Fails if the caller no longer waits.
                        let _ = begun.send(Ok(()));
                    }
                };
                match part {
                    Part::Written(written) => bench.run_written(*written, control, &mut sink),
                    Part::Resumed => {
                        bench.resume_controlled(&carried.run, Vec::new(), control, &mut sink)
                    }
                }
            };
            teller.flush();
            let unused = control.take_unused();
            let goes_on = matches!(
                ended,
                Ok(EndState::Waiting
                    | EndState::Failed
                    | EndState::Paused
                    | EndState::Unverified
                    | EndState::Incomplete)
            );
            self.note_end(&bench, carried, &ended);
            if matches!(
                ended,
                Ok(EndState::Done | EndState::Stopped | EndState::Cancelled)
            ) {
                self.tell_talk(&carried.plan, SessionInput::RunEnded);
            }
            let mut runs = lock(&self.live.runs);
            let kept = runs.get_mut(&carried.run);
            let kept = kept.map_or_else(Vec::new, |live| std::mem::take(&mut live.kept));
            let said: Vec<Steer> = unused.into_iter().chain(kept).collect();
            let is_over = control.cancel_token().is_cancelled()
                || self.live.is_closing.load(Ordering::SeqCst);
            if goes_on && !said.is_empty() && !is_over {
                control.put_back(said);
                part = Part::Resumed;
                continue;
            }
            runs.remove(&carried.run);
            drop(runs);
            self.live.ended.notify_all();
            if let Err(error) = ended {
                match begun.take() {
                    Some(begun) => {
                        // Fails if the caller no longer waits.
                        let _ = begun.send(Err(error));
                    }
                    None => self.events.send(DesktopEvent::Notice {
                        about: None,
                        message: format!("“{}” stopped: {error}", carried.title),
                    }),
                }
            }
            return;
        }
    }

    /// Records a run cancelled by the shutdown as paused, since nobody asked to cancel it.
    fn note_end(&self, bench: &Workbench, carried: &Carried, ended: &Result<EndState>) {
        let is_closing = self.live.is_closing.load(Ordering::SeqCst);
        if is_closing && matches!(ended, Ok(EndState::Cancelled)) {
            let paused = EndState::Paused.as_str();
            let runs = bench.store.runs();
            if let Err(error) = runs.set_state(&carried.run, paused, bench.clock.now_ms()) {
                tracing::warn!(%error, "couldn't mark a cancelled run as paused");
            }
        }
    }

    /// Removes the run and releases its lease after its thread has panicked.
    fn after_panic(&self, carried: &Carried) {
        lock(&self.live.runs).remove(&carried.run);
        self.live.ended.notify_all();
        let abandoned = self.workbench().abandon_lease(&carried.plan, &carried.run);
        if let Err(error) = abandoned {
            tracing::error!(%error, "couldn't release the lease of a crashed run");
        }
        self.events.send(DesktopEvent::Notice {
            about: None,
            message: format!(
                "“{}” stopped because of an internal error. Its journal is complete, so you can resume it. Please report this",
                carried.title
            ),
        });
    }
}
