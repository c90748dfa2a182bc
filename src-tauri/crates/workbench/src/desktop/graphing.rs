//! A plan as a graph, laid out.

use crate::desktop::Desktop;
use crate::error::{Code, Error, Result};
use crate::wire::window::GraphView;

impl Desktop {
    /// The tasks of a revision and what they wait for, laid out.
    pub fn graph(&self, _plan: &str, _revision: &str) -> Result<GraphView> {
        Err(Error::new(Code::Failed, "not built"))
    }
}
