//! What the desktop window is told and asks with: the shapes behind `ui/src/api/bindings.ts`.
//!
//! Content is fetched on demand: an [`Outline`] holds no task, a [`RowPage`] holds what a row shows,
//! a [`TaskDetail`] holds one task. Every answer about a plan names the revision it is of. Plans and
//! workspaces are named by their absolute path. Times are milliseconds since 1970, durations are
//! milliseconds, scores are 0 to 100. Nothing here decides anything.

mod adequacy;
mod approval;
mod changes;
mod editing;
mod event;
mod history;
mod outline;
mod review;
mod run;
mod settings;
mod source;
mod start;
mod step;
mod talk;

pub use adequacy::*;
pub use approval::*;
pub use changes::*;
pub use editing::*;
pub use event::*;
pub use history::*;
pub use outline::*;
pub use review::*;
pub use run::*;
pub use settings::*;
pub use source::*;
pub use start::*;
pub use step::*;
pub use talk::*;
pub use workbench::wire::models::*;
pub use workbench::wire::route_views::*;
pub use workbench::wire::settings::*;
