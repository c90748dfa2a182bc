//! `planwright mcp`: starts the MCP server; over HTTP, also prints the address and the token.

use std::sync::Arc;

use bridges::mcp::{HttpServer, OpenWindow, serve_stdio};
use workbench::{Result, Workbench};

use crate::args::McpArgs;
use crate::print::Out;
use crate::window;

/// Environment variable with the user's own token.
const TOKEN: &str = "PLANWRIGHT_MCP_TOKEN";

pub(crate) fn serve(args: McpArgs, bench: &Workbench, out: &mut Out) -> Result<()> {
    let environment = &bench.environment;
    let here = &environment.cwd;
    let folder = args
        .workspace
        .map_or_else(|| here.clone(), |dir| here.join(dir));
    let open: OpenWindow = Arc::new(|plan| window::open(Some(plan)));
    let Some(port) = args.http else {
        return serve_stdio(bench, folder, open);
    };
    let own_token = environment.text(TOKEN);
    let has_own = own_token.is_some();
    let server = HttpServer::bind(port, own_token)?;
    let cancel = workbench::cancel_on_signals()?;
    let url = server.url();
    let (shown, sent) = match has_own {
        true => (format!("the one in {TOKEN}"), format!("${TOKEN}")),
        false => (server.token().to_owned(), server.token().to_owned()),
    };
    out.line(format!("Serving plans at {url} until Ctrl-C"));
    out.line(format!("Token: {shown}"));
    out.line("To add it to Claude Code:");
    out.line(format!(
        "  claude mcp add --transport http planwright {url} --header \"Authorization: Bearer {sent}\""
    ));
    server.serve(bench, folder, open, &cancel)
}
