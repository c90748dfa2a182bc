//! The state machines of a run and of a session.
//!
//! A run is a fold over its journal. [`run::Machine`] is rebuilt from [`journal::Entry`] values,
//! receives [`run::Event`] values, and returns [`run::Effect`] values, which are plain data. The
//! driver carries out the effects in order and feeds the results back. A [`session`], one
//! conversation about one plan, works the same way over its own journal.
//!
//! **Architecture invariants.** Does no IO and uses no clock, randomness or paths on disk. Every
//! state change is a journal entry. Storing the entry is an effect that comes *before* the side
//! effect that the entry announces, so a run can be interrupted between any two effects and rebuilt
//! from its journal. A step has at most one side effect in progress.

pub mod change_review;
pub mod context;
pub mod envelope;
pub mod file_locks;
pub mod host_answer;
pub mod journal;
pub mod micro_planning;
pub mod model_step;
pub mod model_tool;
pub mod pending_answers;
pub mod progress;
pub mod receipt;
pub mod run;
pub mod run_limits;
pub mod session;
pub mod turn;
pub mod verification;
