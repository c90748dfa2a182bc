//! Responds to an agent's requests: finds the tool and has the worker run it.

use std::sync::atomic::AtomicUsize;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use workbench::{Code, Error, Result};

use super::arguments;
use super::worker::{Job, Worker, ask};
use super::{OpenWindow, catalog, prompts, tools};

/// The name used for an agent that doesn't give one.
const UNNAMED: &str = "An agent";

/// The MIME type of a plan's text.
const MARKDOWN: &str = "text/markdown";

/// The server for one agent.
pub(super) struct Server {
    pub(super) jobs: mpsc::Sender<Job>,
    pub(super) open_window: OpenWindow,
    pub(super) hung_up: watch::Receiver<bool>,
    /// Number of requests that are waiting for a decision.
    pub(super) waiting: AtomicUsize,
}

impl Server {
    pub(super) fn new(
        jobs: mpsc::Sender<Job>,
        open_window: OpenWindow,
        hung_up: watch::Receiver<bool>,
    ) -> Self {
        let waiting = AtomicUsize::new(0);
        Self {
            jobs,
            open_window,
            hung_up,
            waiting,
        }
    }

    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Worker<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        ask(&self.jobs, work).await
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value> {
        let agent = agent(context);
        let given = request.arguments;
        match request.name.as_ref() {
            "list_plans" => {
                arguments::parse::<arguments::Nothing>(given)?;
                self.ask(|worker| worker.list_plans()).await
            }
            "get_plan" => {
                let given: arguments::OfPlan = arguments::parse(given)?;
                self.ask(move |worker| worker.get_plan(&given)).await
            }
            "get_task" => {
                let given: arguments::OfTask = arguments::parse(given)?;
                self.ask(move |worker| worker.get_task(&given)).await
            }
            "check_plan" => {
                let given: arguments::Check = arguments::parse(given)?;
                self.ask(move |worker| worker.check_plan(given)).await
            }
            "propose_plan" => {
                let given: arguments::Propose = arguments::parse(given)?;
                self.ask(move |worker| worker.propose_plan(&agent, &given))
                    .await
            }
            "propose_edit" => {
                let given: arguments::Edit = arguments::parse(given)?;
                self.ask(move |worker| worker.propose_edit(&agent, given))
                    .await
            }
            "report_progress" => {
                let given: arguments::Progress = arguments::parse(given)?;
                self.ask(move |worker| worker.report_progress(&agent, &given))
                    .await
            }
            "get_decision" => {
                let given: arguments::Decision = arguments::parse(given)?;
                self.decision(given, context).await
            }
            other => {
                let tools = catalog::tools();
                let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
                let (other, names) = (plan::visible_line(other), names.join(", "));
                Err(usage(format!(
                    "there is no tool {other}; the tools are {names}"
                )))
            }
        }
    }
}

pub(super) fn usage(message: String) -> Error {
    Error::new(Code::Usage, message)
}

/// The name that the agent gave when it connected.
pub(super) fn agent(context: &RequestContext<RoleServer>) -> String {
    let name = context.client_info().map(|client| client.name);
    let name = name.filter(|name| !plan::visible_line(name).trim().is_empty());
    name.unwrap_or_else(|| UNNAMED.to_owned())
}

/// A tool's response. Its text is the same JSON, with invisible and control characters escaped.
pub(super) fn answered(result: Result<Value>) -> CallToolResult {
    match result {
        Ok(value) => {
            let text = value.to_string();
            let text = plan::escaped_json(&text).into_owned();
            let mut answer = CallToolResult::success(vec![ContentBlock::text(text)]);
            answer.structured_content = Some(value);
            answer
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_wire().message)]),
    }
}

/// A protocol error, for requests that aren't tool calls.
fn refused(error: &Error) -> ErrorData {
    let message = error.to_wire().message;
    match error.code {
        Code::Usage | Code::UnusablePlan => ErrorData::invalid_params(message, None),
        _ => ErrorData::internal_error(message, None),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let server = Implementation::new("planwright", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(server.with_title("Planwright"))
            .with_instructions(catalog::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(catalog::tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        if request.name == "request_approval" {
            let asked = self.request_approval(request, &context).await;
            return Ok(asked.unwrap_or_else(|error| answered(Err(error)).into()));
        }
        Ok(answered(self.call(request, &context).await).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListResourcesResult, ErrorData> {
        let listed = self
            .ask(|worker| worker.resources())
            .await
            .map_err(|error| refused(&error))?;
        let resources = listed.into_iter().map(|plan| {
            let size = u64::try_from(plan.size).unwrap_or(u64::MAX);
            let resource = Resource::new(tools::uri(&plan.path), plan::visible_line(&plan.path));
            resource
                .with_title(plan.title)
                .with_mime_type(MARKDOWN)
                .with_size(size)
        });
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(format!("{}{{+path}}", tools::SCHEME), "plan")
            .with_description("A plan of the workspace, by its path")
            .with_mime_type(MARKDOWN);
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let text = self.ask(move |worker| worker.resource(&uri)).await;
        let text = text.map_err(|error| match error.code {
            Code::Usage => ErrorData::resource_not_found(error.to_wire().message, None),
            _ => refused(&error),
        })?;
        let contents = ResourceContents::text(text, request.uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(catalog::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<GetPromptResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        let argument = |name: &str| {
            let value = given.get(name).and_then(Value::as_str);
            let value = value
                .filter(|value| !value.trim().is_empty())
                .map(str::to_owned);
            value.ok_or_else(|| {
                ErrorData::invalid_params(format!("the argument `{name}` is missing"), None)
            })
        };
        let text = match request.name.as_str() {
            prompts::WRITE_PLAN => prompts::write_plan(&argument("goal")?),
            prompts::CARRY_OUT_PLAN => {
                let named = argument("plan")?;
                let text = self
                    .ask(move |worker| worker.carry_out_prompt(&named))
                    .await;
                text.map_err(|error| refused(&error))?
            }
            other => {
                let message = format!("there is no prompt {}", plan::visible_line(other));
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}
