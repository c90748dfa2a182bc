//! A server that offers HTTP/2, over TLS with a certificate that the system trusts.

use std::convert::Infallible;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::*;

const ANSWER: &str = "data: {\"choices\": [{\"delta\": {\"content\": \"two\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n";

/// Environment variable with the key, set when the test runs as its own child process.
const CHILD: &str = "PLANWRIGHT_TEST_HTTP2_KEY";

/// The certificates of the system are read from the environment, which a running test can't change,
/// so the test starts itself again with its own certificate as the only trusted one.
#[test]
fn a_server_that_offers_http_2_is_asked_by_it() {
    if let Ok(key) = std::env::var(CHILD) {
        return answers_over_http2(&key);
    }
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let trusted = folder.path().join("trusted.pem");
    std::fs::write(&trusted, made.cert.pem()).unwrap();
    let key = folder.path().join("key.pem");
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let name = "http2::a_server_that_offers_http_2_is_asked_by_it";
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("SSL_CERT_FILE", &trusted)
        .env_remove("SSL_CERT_DIR")
        .env(CHILD, &key)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success(), "{said}");
}

#[tokio::main(flavor = "current_thread")]
async fn answers_over_http2(key: &str) {
    let (listener, endpoint, versions) = serve(key).await;
    let client = Client::new(&endpoint, None, Options::for_endpoint(&endpoint)).unwrap();
    tokio::spawn(listener);
    let (reply, _) = ask(&client, &hello()).await;
    assert_eq!(reply.unwrap().text, "two");
    assert_eq!(versions.recv().unwrap(), Version::HTTP_2);
}

/// A server for one connection, and the HTTP version of each request to it.
async fn serve(
    key: &str,
) -> (
    impl Future<Output = ()> + Send + 'static,
    Endpoint,
    std::sync::mpsc::Receiver<Version>,
) {
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    let trusted = std::env::var("SSL_CERT_FILE").unwrap();
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_file(trusted).unwrap()],
            PrivateKeyDer::from_pem_file(key).unwrap(),
        )
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let tls = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint {
        base_url: format!(
            "https://localhost:{}/v1",
            listener.local_addr().unwrap().port()
        ),
        model: "m".to_owned(),
        key_variable: None,
    };
    let (told, versions) = channel();
    let serving = async move {
        let (stream, _) = listener.accept().await.unwrap();
        let stream = TokioIo::new(tls.accept(stream).await.unwrap());
        let answer = service_fn(move |request| respond(request, told.clone()));
        let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        // The client closes the connection when the test ends.
        let _ = http.serve_connection(stream, answer).await;
    };
    (serving, endpoint, versions)
}

async fn respond(
    request: Request<hyper::body::Incoming>,
    told: Sender<Version>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    told.send(request.version()).unwrap();
    let answer = Response::builder().header("content-type", "text/event-stream");
    Ok(answer
        .body(Full::new(Bytes::from_static(ANSWER.as_bytes())))
        .unwrap())
}
