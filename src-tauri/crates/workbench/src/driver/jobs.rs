//! Jobs on other threads, for runs with parallel steps: commands and model requests. Each job
//! belongs to one step. All other effects run one after the other on the run's thread.
//!
//! The run's thread receives the jobs' messages, accepts steering, and can end a job early. Jobs
//! never outlive the driver.
//!
//! Long because: starting, following and ending a job belong together.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use agent::model_step::StepRequest;
use agent::run::{Effect, Event, Lane, Machine};
use gate::Permit;
use model::CancellationToken;
use plan::{ToolCall, ToolName};
use store::Phase;
use tools::sandbox::CancelToken;

use super::calls::command_outcome;
use super::job_messages::{JobEvent, JobMessage, JobSender};
use super::model_requests::chat_request;
use super::outcomes::failed;
use super::report_timing::ReportTimer;
use super::server_wait::unreachable_reason;
use super::{Driver, Pending};
use crate::clock::millis;
use crate::error::Result;

/// The maximum time that steering waits while jobs are running.
const TICK: Duration = Duration::from_millis(40);

/// The capacity of the message queue; jobs block when it is full.
const MESSAGE_QUEUE: usize = 64;

enum Work {
    Command {
        tool: ToolCall,
        line: String,
        shown: Option<usize>,
        /// The name of the snapshot taken before the command.
        kept: String,
    },
    Request {
        request: Box<StepRequest>,
        number: u64,
        /// Received events that haven't been passed on yet.
        heard: Vec<model::Event>,
    },
}

enum Canceller {
    Command(CancelToken),
    Request(CancellationToken),
}

impl Canceller {
    fn end(&self) {
        match self {
            Self::Command(token) => token.cancel(),
            Self::Request(token) => token.cancel(),
        }
    }
}

struct Job {
    number: u64,
    work: Work,
    canceller: Canceller,
    thread: JoinHandle<()>,
    timer: ReportTimer,
    began: Instant,
}

pub(crate) struct Jobs {
    is_on: bool,
    /// Whether the person sent steering that hasn't been acted on yet.
    pub(super) has_steering: bool,
    running: BTreeMap<String, Job>,
    sender: SyncSender<JobMessage>,
    started: u64,
    /// `None` only while all jobs are being ended.
    messages: Option<Receiver<JobMessage>>,
}

impl Jobs {
    /// The jobs of a run; `is_on` says whether steps may run in parallel.
    pub(crate) fn new(is_on: bool) -> Self {
        let (sender, messages) = sync_channel(MESSAGE_QUEUE);
        Self {
            is_on,
            has_steering: false,
            running: BTreeMap::new(),
            started: 0,
            sender,
            messages: Some(messages),
        }
    }

    /// Whether steps run one at a time.
    pub(super) fn is_off(&self) -> bool {
        !self.is_on
    }

    /// Ends the job of a step; `false` if it has none.
    pub(super) fn cancel_one(&self, task: &str) -> bool {
        let job = self.running.get(task);
        if let Some(job) = job {
            job.canceller.end();
        }
        job.is_some()
    }

    fn cancel_all(&self) {
        for job in self.running.values() {
            job.canceller.end();
        }
    }

    fn begin(
        &mut self,
        task: &str,
        work: Work,
        canceller: Canceller,
        run: impl FnOnce(JobSender) + Send + 'static,
    ) {
        self.started += 1;
        let sender = JobSender {
            job: self.started,
            task: task.to_owned(),
            sender: self.sender.clone(),
        };
        let thread = std::thread::spawn(move || run(sender));
        let now = Instant::now();
        let job = Job {
            number: self.started,
            work,
            canceller,
            thread,
            timer: ReportTimer::new(now),
            began: now,
        };
        self.running.insert(task.to_owned(), job);
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancel_all();
        // Drop the receiver, so that no job blocks on sending.
        self.messages = None;
        for job in std::mem::take(&mut self.running).into_values() {
            // A job that panicked has ended too.
            let _ = job.thread.join();
        }
    }
}

impl Driver<'_> {
    /// Starts a command or a request on another thread; returns any other effect.
    pub(super) fn begin_job(
        &mut self,
        machine: &Machine,
        effect: Effect,
    ) -> Result<Option<Effect>> {
        if self.jobs.is_off() {
            return Ok(Some(effect));
        }
        match effect {
            Effect::Perform {
                task,
                call,
                tool,
                permit,
            } if tool.tool == ToolName::RunCommand => {
                self.begin_command(machine, (task, call), tool, permit)
            }
            Effect::AskModel { task, request } => self.begin_request(task, request),
            effect => Ok(Some(effect)),
        }
    }

    fn begin_command(
        &mut self,
        machine: &Machine,
        (task, call): (String, usize),
        tool: ToolCall,
        permit: Permit,
    ) -> Result<Option<Effect>> {
        let line = tool.string("command").unwrap_or_default().to_owned();
        let spec = match self.prepared.get(&task) {
            Some(Pending::Command(record)) => self.command_spec(
                machine,
                &task,
                &line,
                Some(record),
                tool.integer("timeout_s"),
            ),
            _ => None,
        };
        let (Some(spec), Ok(token)) = (spec, CancelToken::new()) else {
            return Ok(Some(Effect::Perform {
                task,
                call,
                tool,
                permit,
            }));
        };
        let Some(Pending::Command(record)) = self.prepared.remove(&task) else {
            return Ok(None);
        };
        let kept = record.snapshot;
        let shown = self.bytes_for_model(machine, &task, call);
        let (sandbox, canceller) = (self.sandbox.clone(), Canceller::Command(token.clone()));
        let work = Work::Command {
            tool,
            line,
            shown,
            kept,
        };
        self.start_job(task, work, canceller, move |sender| {
            let ran = sandbox.run(&permit, &spec, &token, &mut |chunk| {
                sender.send(JobEvent::Output(chunk))
            });
            sender.send(JobEvent::Ran(ran));
        });
        Ok(None)
    }

    fn begin_request(&mut self, task: String, request: Box<StepRequest>) -> Result<Option<Effect>> {
        let Some(access) = &self.access else {
            return Ok(Some(Effect::AskModel { task, request }));
        };
        let (client, sent) = (access.client.clone(), chat_request(access, &request));
        let runtime = self.runtime()?;
        self.requests += 1;
        let cancel = CancellationToken::new();
        let canceller = Canceller::Request(cancel.clone());
        let work = Work::Request {
            request,
            number: self.requests,
            heard: Vec::new(),
        };
        self.start_job(task, work, canceller, move |sender| {
            let mut on = |event: model::Event| sender.send(JobEvent::Heard(event));
            let answer = runtime.block_on(client.chat(&sent, &cancel, &mut on));
            sender.send(JobEvent::Answered(Box::new(answer)));
        });
        Ok(None)
    }

    fn start_job(
        &mut self,
        task: String,
        work: Work,
        canceller: Canceller,
        run: impl FnOnce(JobSender) + Send + 'static,
    ) {
        self.jobs.begin(&task, work, canceller, run);
        if self.interrupted.as_deref() == Some(task.as_str()) {
            self.interrupted = None;
            self.jobs.cancel_one(&task);
        }
    }

    /// Follows the jobs until one ends, or steering lets another step continue, and returns the
    /// next effects. `None` if no job is running.
    pub(super) fn follow_jobs(&mut self, machine: &mut Machine) -> Result<Option<Vec<Effect>>> {
        let mut listened = Instant::now();
        if let Some(effects) = self.decide_again(machine) {
            return Ok(Some(effects));
        }
        while !self.jobs.running.is_empty() {
            let heard = self
                .jobs
                .messages
                .as_ref()
                .map(|messages| messages.recv_timeout(TICK));
            let message = match heard {
                Some(Ok(message)) => Some(message),
                Some(Err(RecvTimeoutError::Timeout)) => None,
                Some(Err(RecvTimeoutError::Disconnected)) | None => break,
            };
            if let Some(message) = message {
                let lane = Lane::Step(message.task.clone());
                if let Some(event) = self.handle_message(machine, message)? {
                    return Ok(Some(machine.handle_of(&lane, event)));
                }
            }
            if listened.elapsed() < TICK {
                continue;
            }
            listened = Instant::now();
            self.report_jobs(listened);
            if self.control.cancel_token().is_cancelled() {
                self.jobs.cancel_all();
            }
            self.steer(machine)?;
            if let Some(effects) = self.decide_again(machine) {
                return Ok(Some(effects));
            }
        }
        Ok(None)
    }

    /// The effects of new steering, including steering sent just before a job started; `None` if
    /// there are none.
    fn decide_again(&mut self, machine: &mut Machine) -> Option<Vec<Effect>> {
        let is_told = std::mem::take(&mut self.jobs.has_steering);
        let effects = is_told.then(|| machine.handle(Event::Begin));
        effects.filter(|effects| !effects.is_empty())
    }

    /// Handles a job's message; returns an event if the job ended.
    fn handle_message(
        &mut self,
        machine: &mut Machine,
        message: JobMessage,
    ) -> Result<Option<Event>> {
        let now = Instant::now();
        let JobMessage { job, task, event } = message;
        let task = task.as_str();
        let known = self.jobs.running.get_mut(task);
        let Some(job) = known.filter(|known| known.number == job) else {
            // A late message of a job that already ended.
            return Ok(None);
        };
        match event {
            JobEvent::Output(chunk) => {
                job.timer.hear(now);
                self.take_output(task, &chunk, now);
                self.pass_output(task, now);
                Ok(None)
            }
            JobEvent::Heard(event) => {
                if let Work::Request { heard, .. } = &mut job.work {
                    heard.push(event);
                }
                Ok(None)
            }
            JobEvent::Ran(_) | JobEvent::Answered(_) | JobEvent::Gone => {
                self.report_job(task, now);
                self.flush_output(task);
                let Some(job) = self.jobs.running.remove(task) else {
                    return Ok(None);
                };
                if let JobEvent::Gone = event
                    && let Err(panic) = job.thread.join()
                {
                    std::panic::resume_unwind(panic);
                }
                self.end_job(machine, task, job.work, job.began, event)
                    .map(Some)
            }
        }
    }

    fn end_job(
        &mut self,
        machine: &mut Machine,
        task: &str,
        work: Work,
        began: Instant,
        event: JobEvent,
    ) -> Result<Event> {
        match (work, event) {
            (
                Work::Command {
                    tool,
                    line,
                    shown,
                    kept,
                },
                JobEvent::Ran(ran),
            ) => {
                let mut outcome = command_outcome(&line, ran, shown);
                let before = self.kept_snapshot(&kept, Phase::Before)?;
                outcome.lost = self.lost_since(machine, task, before)?;
                if outcome.elapsed_ms == 0 {
                    outcome.elapsed_ms = millis(began.elapsed());
                }
                self.tell_model(&mut outcome, &tool, shown.is_some());
                Ok(Event::Performed { outcome })
            }
            // Waiting here also blocks the other jobs; they use the same server, or can wait.
            (Work::Request { request, .. }, JobEvent::Answered(answer))
                if unreachable_reason(&answer).is_some() && !self.server_wait.is_zero() =>
            {
                self.ask_model(machine, task, &request)
            }
            (Work::Request { request, .. }, JobEvent::Answered(answer)) => {
                self.answered(&request, *answer, began)
            }
            (Work::Command { line, .. }, _) => Ok(Event::Performed {
                outcome: failed(format!("`{line}` ended without reporting a result")),
            }),
            (Work::Request { .. }, _) => Err(err!(Internal:
                "internal error: a model request ended without a result")),
        }
    }

    /// Reports new output and progress of the jobs.
    fn report_jobs(&mut self, now: Instant) {
        let tasks: Vec<String> = self.jobs.running.keys().cloned().collect();
        for task in tasks {
            self.report_job(&task, now);
            self.pass_output(&task, now);
        }
    }

    fn report_job(&mut self, task: &str, now: Instant) {
        let Some(mut job) = self.jobs.running.remove(task) else {
            return;
        };
        if let Work::Request { number, heard, .. } = &mut job.work {
            let events = std::mem::take(heard);
            self.pass_on(task, *number, events, &mut job.timer);
        }
        if self.control.is_live() {
            self.beat(task, &mut job.timer, now);
        }
        self.jobs.running.insert(task.to_owned(), job);
    }
}
