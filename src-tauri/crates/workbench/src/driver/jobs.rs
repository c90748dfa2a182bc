//! What is at work beside the run's own thread, where several steps may be under way: commands, and
//! requests to a model. Each job is of one step; everything else is carried out one after the other.
//!
//! The run's thread takes what the jobs say, listens to the person meanwhile, and ends a job when it is
//! told to. Jobs do not outlive the one who follows them, however it goes.
//!
//! Long because: how a job begins, is followed and ends is read side by side.

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

/// How long at most something said waits while jobs are at work.
const TICK: Duration = Duration::from_millis(40);

/// News that may wait; then the jobs wait too.
const NEWS_WAITING: usize = 64;

/// What is being done.
enum Work {
    Command {
        tool: ToolCall,
        line: String,
        shown: Option<usize>,
        /// What was kept before it.
        kept: String,
    },
    Request {
        request: Box<StepRequest>,
        number: u64,
        /// What came and was not passed on yet.
        heard: Vec<model::Event>,
    },
}

/// How a job is ended before its time.
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

/// The jobs at work, by step.
pub(crate) struct Jobs {
    is_on: bool,
    /// Whether the person said something on which nothing was decided since.
    pub(super) is_told: bool,
    at_work: BTreeMap<String, Job>,
    sender: SyncSender<Word>,
    /// Jobs begun so far.
    begun: u64,
    /// Absent only while all are being ended.
    news: Option<Receiver<Word>>,
}

impl Jobs {
    /// Jobs of a run; `is_on` says whether it may have several steps under way.
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

    /// Whether the run carries out one step after the other.
    pub(super) fn is_off(&self) -> bool {
        !self.is_on
    }

    /// Ends the job of one step; `false` where it has none.
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
        // Nobody takes what they say any more, so that none waits to be heard.
        self.news = None;
        for job in std::mem::take(&mut self.at_work).into_values() {
            // One that panicked has ended as well.
            let _ = job.thread.join();
        }
    }
}

impl Driver<'_> {
    /// Begins a command or a request beside this thread; gives every other effect back.
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

    /// Follows the jobs until one of them has ended, or what was said lets another step go on: the
    /// effects that come next. `None` when no job is at work.
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

    /// What comes of what the person said, also just before a job began.
    fn decide_anew(&mut self, machine: &mut Machine) -> Option<Vec<Effect>> {
        let is_told = std::mem::take(&mut self.jobs.is_told);
        let effects = is_told.then(|| machine.handle(Event::Begin));
        effects.filter(|effects| !effects.is_empty())
    }

    /// Takes what a job says; the event when that was its last word.
    fn take_word(&mut self, machine: &mut Machine, word: Word) -> Result<Option<Event>> {
        let now = Instant::now();
        let Word { job, task, news } = word;
        let task = task.as_str();
        let known = self.jobs.at_work.get_mut(task);
        let Some(job) = known.filter(|known| known.number == job) else {
            // The last word of one that has ended before.
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
            // The others wait as well: they have the same server, or need nobody meanwhile.
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

    /// Tells those who watch what came of the jobs, and that they are at work.
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
