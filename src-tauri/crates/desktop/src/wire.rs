//! The types behind `ui/src/api/bindings.ts`: what the window sends and receives.
//!
//! Content is fetched on demand: an [`Outline`] contains no tasks, a [`RowPage`] only what rows
//! show, a [`TaskDetail`] a single task. Every answer about a plan names the revision it describes.
//! Plans and workspaces are identified by absolute path. Times are milliseconds since 1970,
//! durations are milliseconds, scores are 0 to 100. Contains no logic.

mod adequacy;
mod agents;
mod approval;
mod changes;
mod edits;
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
pub use agents::*;
pub use approval::*;
pub use changes::*;
pub use edits::*;
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
