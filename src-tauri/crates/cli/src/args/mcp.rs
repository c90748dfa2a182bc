//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Folder whose plans are served [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Serve over HTTP on this port of this machine instead [default: a free one]
    ///
    /// Prints the address and the token that agents must send: the one in PLANWRIGHT_MCP_TOKEN,
    /// otherwise a random one. Ctrl-C ends it.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub(crate) http: Option<u16>,
}
