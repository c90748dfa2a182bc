//! The helper's main role: supervises one command from its start to a durable outcome.
//!
//! It never starts a thread, never writes into the workspace except for stand-ins, and never
//! outlives its app: when its standard input ends, so does the command.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open, set_child_subreaper, setsid};

use super::capture::Capture;
use super::guard::Guard;
use super::limits::{self, Watch};
use super::pump::Pump;
use super::redact::Secrets;
use super::wire::{self, CANCEL, FAILURE, Failure, Job, RESULT};
use super::{CommandOutcome, Exit, OutcomeRecord, Tier, helper, hints, record, spawn, tree};

/// Maximum number of attempts to set up a sandbox. Another program may replace a protected file by
/// rename in the meantime, such as an editor that saves the plan.
const MAX_STARTS: u32 = 8;

/// Supervises one command. The app ignores the exit code and reads frames.
pub(super) fn supervise() -> ExitCode {
    let (Ok(lifeline), Ok(app)) = (own(io::stdin()), own(io::stdout())) else {
        return ExitCode::from(64);
    };
    let (mut lifeline, mut app) = (File::from(lifeline), File::from(app));
    let Ok(job) = wire::receive::<Job>(&mut lifeline) else {
        return ExitCode::from(64);
    };
    let mut starts = 0;
    let answer = loop {
        starts += 1;
        let answer = match Running::start(&job) {
            Ok(running) => running.hold(&job, &lifeline, &app),
            Err(failure) => Some(Err(failure)),
        };
        match answer {
            Some(Err(Failure::NotBegun(_))) if starts < MAX_STARTS => {}
            answer => break answer,
        }
    };
    let sent = match answer {
        // The app is gone, so no one would receive the result.
        None => return ExitCode::FAILURE,
        Some(Ok(outcome)) => serde_json::to_vec(&outcome)
            .map_err(io::Error::from)
            .and_then(|bytes| wire::send_frame(&mut app, RESULT, &bytes)),
        Some(Err(failure)) => serde_json::to_vec(&failure)
            .map_err(io::Error::from)
            .and_then(|bytes| wire::send_frame(&mut app, FAILURE, &bytes)),
    };
    if sent.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// A standard stream without buffering, closed in children.
fn own(stream: impl AsFd) -> io::Result<OwnedFd> {
    stream.as_fd().try_clone_to_owned()
}

/// Why a command is being ended.
enum End {
    Itself,
    Ours(Exit),
    AppGone,
}

struct Running {
    begun: Instant,
    child: Child,
    /// Becomes readable when the child ends.
    handle: OwnedFd,
    /// Reports from bubblewrap or the confinement step on whether the command started.
    status: File,
    guard: Guard,
}

impl Running {
    fn start(job: &Job) -> Result<Self, Failure> {
        helper::close_on_exec()?;
        // Leaves the terminal's process group: on Ctrl+C, the app decides and cancels. This fails
        // for a process that already leads a session, which is fine.
        let _ = setsid();
        set_child_subreaper(Some(getpid()))?;
        let (ours, theirs) = rustix::pipe::pipe()?;
        fcntl_setfd(&ours, FdFlags::CLOEXEC)?;
        fcntl_setfl(&ours, fcntl_getfl(&ours)? | OFlags::NONBLOCK)?;
        limits::bound();
        let mut guard = Guard::survey(job)?;
        let begun = Instant::now();
        let spawned = match (job.tier, &job.bwrap) {
            (Tier::Bubblewrap, Some(bwrap)) => spawn::bubblewrap(job, bwrap, &theirs, &mut guard),
            (Tier::Bubblewrap, None) => Err(Failure::Setup(
                "the path to bubblewrap is missing".to_owned(),
            )),
            (Tier::Landlock | Tier::None, _) => spawn::confined(job, &theirs, &mut guard),
        };
        drop(theirs);
        let opened = spawned.and_then(|child| {
            let pid = pid_of(&child)?;
            Ok((pidfd_open(pid, PidfdFlags::empty())?, child))
        });
        match opened {
            Ok((handle, child)) => Ok(Self {
                begun,
                child,
                handle,
                status: ours.into(),
                guard,
            }),
            Err(failure) => {
                tree::end_descendants();
                guard.clear();
                Err(failure)
            }
        }
    }

    /// Waits until the command ends or is ended. `None` if the app is gone.
    fn hold(
        mut self,
        job: &Job,
        lifeline: &File,
        app: &File,
    ) -> Option<Result<CommandOutcome, Failure>> {
        let mut pump = Pump::of(&mut self.child, app, job.output_limit);
        pump.holds_back = job.tier == Tier::Bubblewrap;
        let deadline = self.begun + Duration::from_millis(job.timeout_ms);
        let mut watch = Watch::new(self.guard.temporary.as_deref());
        let end = wait_for_end(&mut pump, &self.handle, lifeline, deadline, &mut watch);
        let mut ended = match &end {
            End::Itself => self.child.wait().ok(),
            End::Ours(_) | End::AppGone => None,
        };
        let elapsed = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_empty = tree::end_descendants();
        pump.drain();
        let mut status = String::new();
        // Doesn't block: all writers have exited, so everything has been written.
        let _ = self.status.read_to_string(&mut status);
        let exit = match end {
            End::AppGone => None,
            End::Ours(exit) => Some(Ok(exit)),
            End::Itself => Some(exit(job.tier, ended.take(), &status, &pump.capture)),
        };
        if let Some(Err(Failure::NotBegun(words))) = exit {
            self.guard.clear();
            return Some(Err(Failure::NotBegun(words)));
        }
        pump.pass_on_held();
        let alarms = self.guard.settle(job);
        pump.tell(&alarms);
        if let Some(Ok(exit)) = &exit {
            let kept = pump
                .capture
                .outcome(*exit, job.tier, 0, &Secrets::default());
            let hides_settings = !self.guard.hidden_logins(job).is_empty();
            let control_paths = &self.guard.control_paths;
            pump.tell(&hints::of(
                job,
                *exit,
                &kept.text(),
                hides_settings,
                control_paths,
            ));
        }
        let secrets = self.guard.secrets();
        let answer = exit.map(|exit| {
            let outcome = CommandOutcome {
                alarms,
                ..pump.capture.outcome(exit?, job.tier, elapsed, &secrets)
            };
            if !is_empty {
                return Err(Failure::Setup(
                    "couldn't stop all of the command's processes; restart your computer"
                        .to_owned(),
                ));
            }
            if let Some(path) = &job.record {
                let marker = job.marker.clone();
                record::write(
                    path,
                    &OutcomeRecord {
                        marker,
                        outcome: outcome.clone(),
                    },
                )?;
            }
            Ok(outcome)
        });
        self.guard.clear();
        answer
    }
}

fn wait_for_end(
    pump: &mut Pump<'_>,
    child: &OwnedFd,
    lifeline: &File,
    deadline: Instant,
    watch: &mut Watch,
) -> End {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return End::Ours(Exit::TimedOut);
        }
        if let Some(excess) = watch.excess() {
            pump.tell(&[excess]);
            return End::Ours(Exit::Signaled(libc::SIGKILL));
        }
        let left = left.min(watch.left());
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        let mut fds = vec![
            PollFd::new(child, PollFlags::IN),
            PollFd::new(lifeline, PollFlags::IN),
        ];
        let streams: Vec<usize> = pump.open().collect();
        fds.extend(streams.iter().filter_map(|at| pump.poll_fd(*at)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return End::AppGone,
        }
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        // If the command exited just as a request arrived, its own exit takes precedence.
        if ready[0] {
            return End::Itself;
        }
        if ready[1] {
            let mut word = [0; 1];
            return match (&mut &*lifeline).read(&mut word) {
                Ok(1) if word[0] == CANCEL => End::Ours(Exit::Cancelled),
                _ => End::AppGone,
            };
        }
        for (at, is_ready) in streams.into_iter().zip(&ready[2..]) {
            if *is_ready {
                pump.take(at);
            }
        }
        if pump.app_is_gone {
            return End::AppGone;
        }
    }
}

/// How a command exited on its own; an error if it never started.
fn exit(
    tier: Tier,
    ended: Option<ExitStatus>,
    status: &str,
    output: &Capture,
) -> Result<Exit, Failure> {
    let ended = ended.ok_or_else(|| Failure::Setup("couldn't wait for the command".into()))?;
    if tier == Tier::Bubblewrap {
        // Bubblewrap writes `exit-code` only if the sandbox was set up and the command started in
        // it.
        if ended.code().is_some() && !status.contains("\"exit-code\"") {
            let kept = output.outcome(Exit::Exited(1), tier, 0, &Secrets::default());
            let words = kept.text();
            return Err(Failure::NotBegun(words.trim().to_owned()));
        }
    } else if !status.is_empty() {
        return Err(Failure::Setup(status.to_owned()));
    }
    Ok(match (ended.code(), ended.signal()) {
        (Some(code @ 129..=192), _) if tier == Tier::Bubblewrap => Exit::Signaled(code - 128),
        (Some(code), _) => Exit::Exited(code),
        (None, signal) => Exit::Signaled(signal.unwrap_or_default()),
    })
}

fn pid_of(child: &Child) -> Result<Pid, Failure> {
    let raw = i32::try_from(child.id()).ok();
    raw.and_then(Pid::from_raw)
        .ok_or_else(|| Failure::Setup("no process ID".to_owned()))
}
