//! The server itself: where it listens, what lies at which address, how it ends.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, RawQuery, Request, State, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use collection::{Collection, CollectionError};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::connection::{self, Shared};
use crate::folder::Folder;
use crate::guard::{Guard, Refused, protect};
use crate::hall::{Bounds, Hall, new_name};
use crate::host::Host;
use crate::library::Library;
use crate::message::MESSAGE_BYTES_MAX;
use crate::store::Store;
use crate::{book, page};

/// Questions that are answered at once.
const DESKS: usize = 8;
/// How long tables may take to end.
const ENDING: Duration = Duration::from_millis(1_500);

/// Where and for whom to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; beyond this machine only with a token.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Where games are kept; nowhere if absent.
    pub games: Option<PathBuf>,
    /// The folder of rules.
    pub rules: PathBuf,
    /// How much there may be at once.
    pub bounds: Bounds,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            games: None,
            rules: PathBuf::from("."),
            bounds: Bounds::default(),
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program listens there, or it is not ours.
    #[error("cannot listen on {0}: {1}; --port says another port")]
    Listen(SocketAddr, std::io::Error),
    /// There is no database of games, not even in memory.
    #[error("{0}")]
    Collection(#[from] CollectionError),
    /// Something broke.
    #[error("the server stopped: {0}")]
    Stopped(#[from] std::io::Error),
}

/// Serves until `stop` is done. `started` is told the address to open.
///
/// # Errors
/// When it cannot listen.
pub fn serve<H: Host>(
    host: H,
    config: &Config,
    started: impl FnOnce(&str),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run(host, config, started, stop))?;
    // Searches that are still being stopped must not hold up the end.
    runtime.shutdown_timeout(ENDING);
    Ok(())
}

async fn run<H: Host>(
    host: H,
    config: &Config,
    started: impl FnOnce(&str),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let wanted = SocketAddr::new(config.address, config.port);
    let listener = TcpListener::bind(wanted).await.map_err(|error| ServeError::Listen(wanted, error))?;
    let address = listener.local_addr()?;
    let token = (!config.address.is_loopback()).then(new_name);
    let guard = Arc::new(Guard { port: address.port(), token: token.clone() });
    let store = Store::new(config.games.clone());
    let file = config.games.as_ref().map(|folder| folder.join("games.sqlite"));
    // A file that is broken must not keep people from playing.
    let opened = file.and_then(|file| Collection::open(&file).ok());
    let collection = Arc::new(opened.map_or_else(Collection::in_memory, Ok)?);
    let hall = Hall::new(Arc::new(host), config.bounds, store, collection);
    let shared = Arc::new(Shared {
        hall: Arc::clone(&hall),
        library: Library::default(),
        folder: Folder::new(&config.rules),
        desks: Arc::new(Semaphore::new(DESKS)),
        connections: Arc::new(Semaphore::new(config.bounds.connections)),
    });
    let name = if config.address.is_loopback() { "localhost".to_owned() } else { shown(config.address) };
    let query = token.map_or(String::new(), |token| format!("?token={token}"));
    started(&format!("http://{name}:{}/{query}", address.port()));
    let (ended, mut is_ended) = tokio::sync::watch::channel(false);
    let closing = Arc::clone(&hall);
    tokio::spawn(async move {
        stop.await;
        closing.close();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let _ = ended.send(true);
    });
    tokio::select! {
        result = async { axum::serve(listener, router(shared, guard)).await } => result?,
        _ = is_ended.changed() => {}
    }
    let began = std::time::Instant::now();
    while hall.tables() > 0 && began.elapsed() < ENDING {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

fn shown(address: IpAddr) -> String {
    match address {
        _ if address.is_unspecified() => "ADDRESS-OF-THIS-MACHINE".to_owned(),
        IpAddr::V6(address) => format!("[{address}]"),
        IpAddr::V4(address) => address.to_string(),
    }
}

fn router<H: Host>(shared: Arc<Shared<H>>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(|| async { page::file("index.html") }))
        .route("/page/{name}", get(|Path(name): Path<String>| async move { page::file(&name) }))
        .route("/docs", get(|| async { Redirect::temporary("/docs/") }))
        .route("/docs/", get(document::<H>))
        .route("/docs/{name}", get(document::<H>))
        .route("/docs/pictures/{name}", get(picture::<H>))
        .route("/socket", get(socket::<H>))
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is nothing here.") })
        .with_state(shared)
        .layer(middleware::from_fn_with_state(guard, watch_the_door))
}

/// Judges every request and protects every answer.
async fn watch_the_door(
    State(guard): State<Arc<Guard>>,
    RawQuery(query): RawQuery,
    request: Request,
    next: Next,
) -> Response {
    let given =
        query.as_deref().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("token=")));
    let mut response = match guard.judge(request.headers(), given) {
        // The token goes into a cookie and out of the address.
        Ok(()) if given.is_some() && guard.token.is_some() => {
            let mut response = Redirect::to("/").into_response();
            if let Some(cookie) = guard.cookie() {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Ok(()) => next.run(request).await,
        Err(refused) => {
            let status =
                if refused == Refused::Token { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
            (status, refused.words()).into_response()
        }
    };
    protect(response.headers_mut());
    response
}

async fn document<H: Host>(
    State(shared): State<Arc<Shared<H>>>,
    name: Option<Path<String>>,
    RawQuery(query): RawQuery,
) -> Response {
    let name = name.map_or(String::new(), |Path(name)| name);
    book::page(&*shared.hall.host, &name, query.as_deref() != Some("bare"))
}

async fn picture<H: Host>(State(shared): State<Arc<Shared<H>>>, Path(name): Path<String>) -> Response {
    match shared.hall.host.picture(&name) {
        Some(bytes) => ([(header::CONTENT_TYPE, kind_of_picture(&name))], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such picture.").into_response(),
    }
}

fn kind_of_picture(name: &str) -> &'static str {
    if name.ends_with(".svg") { "image/svg+xml" } else { "image/png" }
}

async fn socket<H: Host>(State(shared): State<Arc<Shared<H>>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .on_upgrade(move |socket| connection::serve(socket, shared))
}
