//! The MCP server over streamable HTTP on the loopback address, for hosts that can't start a
//! program.
//!
//! **Architecture invariants.** Listens only on 127.0.0.1. Every request must carry the token; it
//! is compared in constant time before anything else in the request is processed. Requests from
//! web pages, which name an origin, and requests for another host are rejected. Connections,
//! sessions and request sizes are limited.

use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use subtle::ConstantTimeEq as _;
use tokio::sync::{Semaphore, mpsc, watch};
use tools::sandbox::CancelToken;
use workbench::{Code, Error, Result, Workbench, ids};

use super::server::Server;
use super::transport::MAX_MESSAGE_LEN;
use super::worker::Job;
use super::{OpenWindow, serve};

/// Length of a random token, in base-32 characters.
const TOKEN_LENGTH: usize = 32;

/// Minimum length of a token that the user chose, in characters.
const MIN_TOKEN_LENGTH: usize = 16;

/// Maximum number of concurrent connections; further ones wait.
const MAX_CONNECTIONS: usize = 64;

/// Maximum number of concurrent sessions. An idle session ends after five minutes.
const MAX_SESSIONS: usize = 128;

/// Timeout for receiving the headers of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How often to check for cancellation.
const CANCEL_INTERVAL: Duration = Duration::from_millis(100);

/// The path of the server's URL.
const PATH: &str = "/mcp";

type Body = http_body_util::combinators::BoxBody<hyper::body::Bytes, Infallible>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

/// A server that is bound to a port but doesn't serve requests yet.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    port: u16,
    token: String,
}

impl HttpServer {
    /// Binds a port on this machine; 0 selects a free one. Agents must send the token; `None`
    /// generates a random one.
    ///
    /// # Errors
    /// [`Code::Usage`] for a token that is too short or has invalid characters, [`Code::Failed`] if
    /// the port can't be used.
    pub fn bind(port: u16, token: Option<String>) -> Result<Self> {
        let token = token.map_or_else(|| ids::random(TOKEN_LENGTH), Ok)?;
        if token.len() < MIN_TOKEN_LENGTH || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::new(
                Code::Usage,
                format!(
                    "the token must have at least {MIN_TOKEN_LENGTH} characters: only ASCII letters, \
                     digits and punctuation"
                ),
            ));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let port = listener.local_addr()?.port();
            Ok((listener, port))
        });
        let (listener, port) = listener.map_err(|error| {
            Error::new(
                Code::Failed,
                format!("can't listen on port {port} ({error}); choose another with --http PORT"),
            )
        })?;
        Ok(Self {
            listener,
            port,
            token,
        })
    }

    /// The URL that agents connect to.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// The token that agents must send as `Authorization: Bearer TOKEN`.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Serves agents until cancelled.
    ///
    /// # Errors
    /// [`Code::Failed`] if the server can't be started. A folder that can't be a workspace is not
    /// an error here; each tool reports it.
    pub fn serve(
        self,
        bench: &Workbench,
        folder: PathBuf,
        open_window: OpenWindow,
        cancel: &CancelToken,
    ) -> Result<()> {
        let cancel = cancel.clone();
        serve(bench, folder, move |jobs| async move {
            let cancelled = async {
                while !cancel.is_cancelled() {
                    tokio::time::sleep(CANCEL_INTERVAL).await;
                }
            };
            tokio::select! {
                () = cancelled => {}
                () = self.accept(jobs, open_window) => {}
            }
        })
    }

    async fn accept(self, jobs: mpsc::Sender<Job>, open_window: OpenWindow) {
        let listener = match tokio::net::TcpListener::from_std(self.listener) {
            Ok(listener) => listener,
            Err(error) => return tracing::error!(%error, "can't serve agents over HTTP"),
        };
        // The sender is dropped when the server stops, which ends all waits for a decision.
        let (_stopping, stopped) = watch::channel(false);
        let config = StreamableHttpServerConfig::default()
            .enforce_origin_validation()
            .with_max_request_body_bytes(MAX_MESSAGE_LEN);
        let sessions = Arc::new(LocalSessionManager::default());
        let factory = move || {
            Ok(Server::new(
                jobs.clone(),
                Arc::clone(&open_window),
                stopped.clone(),
            ))
        };
        let service = StreamableHttpService::new(factory, Arc::clone(&sessions), config);
        let gate = Arc::new(Gate {
            authorization: format!("Bearer {}", self.token),
            sessions,
            service,
        });
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            let connection = match listener.accept().await {
                Ok((connection, _)) => connection,
                Err(error) => {
                    // The error may be temporary, such as too many open files, so retry.
                    tracing::warn!(%error, "can't accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let gate = Arc::clone(&gate);
            tokio::spawn(async move {
                let service = hyper::service::service_fn(move |request| {
                    let gate = Arc::clone(&gate);
                    async move { Ok::<_, Infallible>(gate.answer(request).await) }
                });
                let served = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIMEOUT)
                    .serve_connection(TokioIo::new(connection), service)
                    .await;
                if let Err(error) = served {
                    tracing::debug!(%error, "a connection of an agent ended");
                }
                drop(place);
            });
        }
    }
}

/// Rejects requests without the token, and passes on the others.
struct Gate {
    /// The `Authorization` header that a request must have.
    authorization: String,
    sessions: Arc<LocalSessionManager>,
    service: Service,
}

impl Gate {
    async fn answer(&self, request: Request<hyper::body::Incoming>) -> Response<Body> {
        let given = request.headers().get(AUTHORIZATION);
        let is_known = given.is_some_and(|given| {
            let same = given.as_bytes().ct_eq(self.authorization.as_bytes());
            bool::from(same)
        });
        if !is_known {
            let mut refusal = refusal(
                StatusCode::UNAUTHORIZED,
                "send the token that `planwright mcp --http` printed, as `Authorization: Bearer \
                 TOKEN`",
            );
            let scheme = HeaderValue::from_static("Bearer");
            refusal.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            return refusal;
        }
        if request.uri().path() != PATH {
            return refusal(StatusCode::NOT_FOUND, "the server is at /mcp");
        }
        let starts = !request.headers().contains_key("mcp-session-id");
        if starts && self.sessions.sessions.read().await.len() >= MAX_SESSIONS {
            return refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many agents are connected; end one, or try again in five minutes",
            );
        }
        self.service.handle(request).await
    }
}

fn refusal(status: StatusCode, message: &'static str) -> Response<Body> {
    let body = http_body_util::Full::new(hyper::body::Bytes::from_static(message.as_bytes()));
    let mut refusal = Response::new(Body::new(body));
    *refusal.status_mut() = status;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    refusal.headers_mut().insert(CONTENT_TYPE, text);
    refusal
}
