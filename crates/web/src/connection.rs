//! One front end at its WebSocket: messages in, answers and news out. Nothing that takes time happens here.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use crate::folder::Folder;
use crate::hall::Hall;
use crate::host::Host;
use crate::library::Library;
use crate::message::{self, Envelope, Question, RULES_BYTES_MAX, Refusal};
use crate::outbox::Outbox;
use crate::workshop;

/// A front end that takes longer to read one message is let go.
const READS_WITHIN: Duration = Duration::from_secs(15);
/// A front end that says nothing is asked whether it is still there, and let go if it does not answer.
const ASK_AFTER: Duration = Duration::from_secs(20);
const SILENT_MAX: Duration = Duration::from_secs(60);

/// What all connections share.
pub(crate) struct Shared<H> {
    pub(crate) hall: Arc<Hall<H>>,
    pub(crate) library: Library,
    pub(crate) folder: Folder,
    /// Room for questions that take a moment: checks, layouts.
    pub(crate) desks: Arc<Semaphore>,
    pub(crate) connections: Arc<Semaphore>,
}

/// Speaks with a front end until one of both has enough.
pub(crate) async fn serve<H: Host>(mut socket: WebSocket, shared: Arc<Shared<H>>) {
    let Ok(_place) = Arc::clone(&shared.connections).try_acquire_owned() else {
        let full = message::answer(0, Err(Refusal::wait("too many pages are open: close some")));
        let _ = timeout(READS_WITHIN, socket.send(Message::text(full))).await;
        return;
    };
    let (outbox, mut waiting, too_slow) = Outbox::new();
    let mut heard = Instant::now();
    let mut pulse = tokio::time::interval(ASK_AFTER);
    loop {
        let message = tokio::select! {
            received = socket.recv() => {
                heard = Instant::now();
                match received {
                    Some(Ok(Message::Text(text))) => {
                        receive(&shared, &outbox, text.as_str());
                        continue;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => message_text(Refusal::no("messages are text")),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                }
            }
            Some(text) = waiting.recv() => Message::text(text),
            _ = pulse.tick() => {
                if heard.elapsed() > SILENT_MAX {
                    break;
                }
                Message::Ping(Vec::new().into())
            }
            () = too_slow.notified() => break,
        };
        let sent = tokio::select! {
            sent = timeout(READS_WITHIN, socket.send(message)) => matches!(sent, Ok(Ok(()))),
            () = too_slow.notified() => false,
        };
        if !sent {
            break;
        }
    }
    shared.hall.leave(None, outbox.id);
}

fn message_text(refusal: Refusal) -> Message {
    Message::text(message::answer(0, Err(refusal)))
}

/// Understands a message and passes it on to the task that answers it.
fn receive<H: Host>(shared: &Arc<Shared<H>>, outbox: &Outbox, text: &str) {
    let (id, result) = match serde_json::from_str::<Envelope>(text) {
        Ok(envelope) => (envelope.id, dispatch(shared, outbox, envelope)),
        Err(error) => {
            let id =
                serde_json::from_str::<Value>(text).ok().and_then(|value| value["id"].as_u64()).unwrap_or(0);
            let words: String = error.to_string().chars().take(300).collect();
            (id, Err(Refusal::no(format!("this message is not understood: {words}"))))
        }
    };
    if let Err(refusal) = result {
        outbox.tell(message::answer(id, Err(refusal)));
    }
}

fn dispatch<H: Host>(shared: &Arc<Shared<H>>, outbox: &Outbox, envelope: Envelope) -> Result<(), Refusal> {
    let Envelope { id, ask, game, order } = envelope;
    match (ask, game, order) {
        (Some(question), None, None) => ask_server(shared, outbox, id, question),
        (None, Some(game), Some(order)) => shared.hall.order(&game, order, outbox.clone(), id),
        _ => Err(Refusal::no("a message has either `ask`, or `game` and `do`")),
    }
}

fn ask_server<H: Host>(
    shared: &Arc<Shared<H>>,
    outbox: &Outbox,
    id: u64,
    question: Question,
) -> Result<(), Refusal> {
    match question {
        Question::Open(opening) => return shared.hall.open(*opening, outbox.clone(), id),
        Question::Join { game } => return shared.hall.join(&game, outbox.clone(), id),
        Question::Leave { game } => {
            shared.hall.leave(Some(&game), outbox.id);
            outbox.tell(message::answer(id, Ok(Value::Null)));
            return Ok(());
        }
        _ => {}
    }
    let desk = Arc::clone(&shared.desks).try_acquire_owned();
    let desk = desk.map_err(|_| Refusal::wait("too much is asked at once: try again in a moment"))?;
    let (shared, outbox) = (Arc::clone(shared), outbox.clone());
    tokio::task::spawn_blocking(move || {
        let _desk = desk;
        let answered = std::panic::AssertUnwindSafe(|| answer(&shared, question));
        let broken = || Err(Refusal::no("this question broke something: a mistake of ours"));
        let result = std::panic::catch_unwind(answered).unwrap_or_else(|_| broken());
        outbox.tell(message::answer(id, result));
    });
    Ok(())
}

fn answer<H: Host>(shared: &Shared<H>, question: Question) -> Result<Value, Refusal> {
    let hall = &shared.hall;
    let too_long = |rules: &str| match rules.len() > RULES_BYTES_MAX {
        true => Err(Refusal::no(format!("rules have at most {} kB", RULES_BYTES_MAX / 1024))),
        false => Ok(()),
    };
    match question {
        Question::Library => Ok(shared.library.told(&*hall.host)),
        Question::Source { name } => {
            let source = hall.host.source(&name);
            let missing =
                || Refusal::no(format!("there is no game `{}`", name.chars().take(60).collect::<String>()));
            Ok(json!({ "rules": source.ok_or_else(missing)? }))
        }
        Question::Kept => {
            let one = |(name, kept): (String, crate::store::Kept)| {
                json!({
                    "game": name,
                    "name": kept.name,
                    "title": kept.title,
                    "moves": kept.moves.len(),
                    "changed": kept.changed,
                })
            };
            Ok(hall.kept().into_iter().take(100).map(one).collect())
        }
        Question::Forget { game } => {
            hall.forget(&game);
            Ok(Value::Null)
        }
        Question::Check { rules } => {
            too_long(&rules)?;
            Ok(workshop::check(&*hall.host, &rules))
        }
        Question::Format { rules } => {
            too_long(&rules)?;
            Ok(json!({ "rules": lang::format(&lang::Source::new("rules", rules)) }))
        }
        Question::Complete { rules, at } => {
            too_long(&rules)?;
            Ok(workshop::complete(&rules, at))
        }
        Question::Files => Ok(json!(shared.folder.names())),
        Question::ReadFile { name } => Ok(json!({ "text": shared.folder.read(&name)? })),
        Question::WriteFile { name, text } => {
            too_long(&text)?;
            Ok(json!({ "path": shared.folder.write(&name, &text)? }))
        }
        Question::Open(_) | Question::Join { .. } | Question::Leave { .. } => Ok(Value::Null),
    }
}
