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

use super::asking::chat_request;
use super::calls::ran_as;
use super::gone::gone;
use super::job_news::{News, Teller, Word};
use super::outcomes::failed;
use super::pulse::Pulse;
use super::{Driver, Pending};
use crate::clock::millis;
use crate::error::Result;

/// The longest that steering waits while jobs are running.
const TICK: Duration = Duration::from_millis(40);

/// The capacity of the message queue; jobs block when it is full.
const NEWS_WAITING: usize = 64;

/// The work of a job.
enum Work {
    Command {
        tool: ToolCall,
        line: String,
        shown: Option<usize>,
        /// The name of the snapshot before it.
        kept: String,
    },
    Request {
        request: Box<StepRequest>,
        number: u64,
        /// Received events that weren't passed on yet.
        heard: Vec<model::Event>,
    },
}

/// Ends a job early.
enum Ender {
    Command(CancelToken),
    Request(CancellationToken),
}

impl Ender {
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
    ender: Ender,
    thread: JoinHandle<()>,
    pulse: Pulse,
    began: Instant,
}

/// The running jobs, by step.
pub(crate) struct Jobs {
    is_on: bool,
    /// Whether the person sent steering that wasn't acted on yet.
    pub(super) is_told: bool,
    at_work: BTreeMap<String, Job>,
    sender: SyncSender<Word>,
    /// The number of jobs started.
    begun: u64,
    /// `None` only while all jobs are being ended.
    news: Option<Receiver<Word>>,
}

impl Jobs {
    /// The jobs of a run; `is_on` says whether steps may run in parallel.
    pub(crate) fn new(is_on: bool) -> Self {
        let (sender, news) = sync_channel(NEWS_WAITING);
        Self {
            is_on,
            is_told: false,
            at_work: BTreeMap::new(),
            begun: 0,
            sender,
            news: Some(news),
        }
    }

    /// Whether steps run one at a time.
    pub(super) fn is_off(&self) -> bool {
        !self.is_on
    }

    /// Ends the job of a step; `false` if it has none.
    pub(super) fn end_one(&self, task: &str) -> bool {
        let job = self.at_work.get(task);
        if let Some(job) = job {
            job.ender.end();
        }
        job.is_some()
    }

    fn end_all(&self) {
        for job in self.at_work.values() {
            job.ender.end();
        }
    }

    fn begin(
        &mut self,
        task: &str,
        work: Work,
        ender: Ender,
        run: impl FnOnce(Teller) + Send + 'static,
    ) {
        self.begun += 1;
        let teller = Teller {
            job: self.begun,
            task: task.to_owned(),
            sender: self.sender.clone(),
        };
        let thread = std::thread::spawn(move || run(teller));
        let now = Instant::now();
        let job = Job {
            number: self.begun,
            work,
            ender,
            thread,
            pulse: Pulse::new(now),
            began: now,
        };
        self.at_work.insert(task.to_owned(), job);
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.end_all();
        // Drop the receiver, so that no job blocks on sending.
        self.news = None;
        for job in std::mem::take(&mut self.at_work).into_values() {
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
        let (sandbox, ender) = (self.sandbox.clone(), Ender::Command(token.clone()));
        let work = Work::Command {
            tool,
            line,
            shown,
            kept,
        };
        self.start_job(task, work, ender, move |teller| {
            let ran = sandbox.run(&permit, &spec, &token, &mut |chunk| {
                teller.say(News::Output(chunk))
            });
            teller.say(News::Ran(ran));
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
        let ender = Ender::Request(cancel.clone());
        let work = Work::Request {
            request,
            number: self.requests,
            heard: Vec::new(),
        };
        self.start_job(task, work, ender, move |teller| {
            let mut on = |event: model::Event| teller.say(News::Heard(event));
            let answer = runtime.block_on(client.chat(&sent, &cancel, &mut on));
            teller.say(News::Answered(Box::new(answer)));
        });
        Ok(None)
    }

    fn start_job(
        &mut self,
        task: String,
        work: Work,
        ender: Ender,
        run: impl FnOnce(Teller) + Send + 'static,
    ) {
        self.jobs.begin(&task, work, ender, run);
        if self.interrupted.as_deref() == Some(task.as_str()) {
            self.interrupted = None;
            self.jobs.end_one(&task);
        }
    }

    /// Follows the jobs until one ends, or steering lets another step continue, and returns the
    /// next effects. `None` if no job is running.
    pub(super) fn follow_jobs(&mut self, machine: &mut Machine) -> Result<Option<Vec<Effect>>> {
        let mut listened = Instant::now();
        if let Some(effects) = self.decide_anew(machine) {
            return Ok(Some(effects));
        }
        while !self.jobs.at_work.is_empty() {
            let heard = self.jobs.news.as_ref().map(|news| news.recv_timeout(TICK));
            let word = match heard {
                Some(Ok(word)) => Some(word),
                Some(Err(RecvTimeoutError::Timeout)) => None,
                Some(Err(RecvTimeoutError::Disconnected)) | None => break,
            };
            if let Some(word) = word {
                let lane = Lane::Step(word.task.clone());
                if let Some(event) = self.take_word(machine, word)? {
                    return Ok(Some(machine.handle_of(&lane, event)));
                }
            }
            if listened.elapsed() < TICK {
                continue;
            }
            listened = Instant::now();
            self.tell_of_jobs(listened);
            if self.control.cancel_token().is_cancelled() {
                self.jobs.end_all();
            }
            self.steer(machine)?;
            if let Some(effects) = self.decide_anew(machine) {
                return Ok(Some(effects));
            }
        }
        Ok(None)
    }

    /// The effects of new steering, including steering sent just before a job started.
    fn decide_anew(&mut self, machine: &mut Machine) -> Option<Vec<Effect>> {
        let is_told = std::mem::take(&mut self.jobs.is_told);
        let effects = is_told.then(|| machine.handle(Event::Begin));
        effects.filter(|effects| !effects.is_empty())
    }

    /// Handles a job's message; returns an event if the job ended.
    fn take_word(&mut self, machine: &mut Machine, word: Word) -> Result<Option<Event>> {
        let now = Instant::now();
        let Word { job, task, news } = word;
        let task = task.as_str();
        let known = self.jobs.at_work.get_mut(task);
        let Some(job) = known.filter(|known| known.number == job) else {
            // A late message of a job that already ended.
            return Ok(None);
        };
        match news {
            News::Output(chunk) => {
                job.pulse.hear(now);
                self.take_output(task, &chunk, now);
                self.pour(task, now);
                Ok(None)
            }
            News::Heard(event) => {
                if let Work::Request { heard, .. } = &mut job.work {
                    heard.push(event);
                }
                Ok(None)
            }
            News::Ran(_) | News::Answered(_) | News::Gone => {
                self.tell_of_job(task, now);
                self.pour_rest(task);
                let Some(job) = self.jobs.at_work.remove(task) else {
                    return Ok(None);
                };
                if let News::Gone = news
                    && let Err(panic) = job.thread.join()
                {
                    std::panic::resume_unwind(panic);
                }
                self.end_job(machine, task, job.work, job.began, news)
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
        news: News,
    ) -> Result<Event> {
        match (work, news) {
            (
                Work::Command {
                    tool,
                    line,
                    shown,
                    kept,
                },
                News::Ran(ran),
            ) => {
                let mut outcome = ran_as(&line, ran, shown);
                let before = self.kept_snapshot(&kept, Phase::Before)?;
                outcome.lost = self.lost_since(machine, task, before)?;
                if outcome.elapsed_ms == 0 {
                    outcome.elapsed_ms = millis(began.elapsed());
                }
                self.tell_model(&mut outcome, &tool, shown.is_some());
                Ok(Event::Performed { outcome })
            }
            // This blocks the other jobs too; they use the same server, or can wait.
            (Work::Request { request, .. }, News::Answered(answer))
                if gone(&answer).is_some() && !self.server_wait.is_zero() =>
            {
                self.ask_model(machine, task, &request)
            }
            (Work::Request { request, .. }, News::Answered(answer)) => {
                self.answered(&request, *answer, began)
            }
            (Work::Command { line, .. }, _) => Ok(Event::Performed {
                outcome: failed(format!("`{line}` ended without a word")),
            }),
            (Work::Request { .. }, _) => Err(err!(Internal:
                "internal error: a request ended without an answer")),
        }
    }

    /// Reports new output and progress of the jobs.
    fn tell_of_jobs(&mut self, now: Instant) {
        let tasks: Vec<String> = self.jobs.at_work.keys().cloned().collect();
        for task in tasks {
            self.tell_of_job(&task, now);
            self.pour(&task, now);
        }
    }

    fn tell_of_job(&mut self, task: &str, now: Instant) {
        let Some(mut job) = self.jobs.at_work.remove(task) else {
            return;
        };
        if let Work::Request { number, heard, .. } = &mut job.work {
            let events = std::mem::take(heard);
            self.pass_on(task, *number, events, &mut job.pulse);
        }
        if self.control.is_live() {
            self.beat(task, &mut job.pulse, now);
        }
        self.jobs.at_work.insert(task.to_owned(), job);
    }
}
