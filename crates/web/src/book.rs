//! The documentation as a book: Markdown in, pages out.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::host::Host;

/// A page of the book; the first one without a name. Without a frame it is a part for another page.
pub(crate) fn page<H: Host>(host: &H, name: &str, framed: bool) -> Response {
    let documents = host.documents();
    let name = name.trim_end_matches(".md").trim_end_matches(".html");
    let wanted =
        if name.is_empty() { documents.first() } else { documents.iter().find(|(own, _)| *own == name) };
    let Some((name, text)) = wanted else {
        return (StatusCode::NOT_FOUND, "There is no such page in the book.").into_response();
    };
    let body = render(text);
    let page = if framed { frame(&documents, name, &body) } else { body };
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

/// The title of a text: its first heading.
fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Multigame")
}

fn frame(documents: &[(&'static str, &'static str)], name: &str, body: &str) -> String {
    let mut contents = String::new();
    for (own, text) in documents {
        let here = if *own == name { " aria-current=\"page\"" } else { "" };
        contents.push_str(&format!("<li><a href=\"/docs/{own}\"{here}>{}</a></li>", escaped(title(text))));
    }
    let text = documents.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{} · Multigame</title><link rel=\"icon\" \
         href=\"/page/icon.svg\"><link rel=\"stylesheet\" href=\"/page/style.css\"><script type=\"module\" \
         src=\"/page/book.js\"></script></head><body class=\"book\"><header class=\"bar\"><a class=\"brand\" \
         href=\"/\">Multigame</a></header><div class=\"book-body\"><nav aria-label=\"Contents\"><ul>{contents}</ul></nav>\
         <main class=\"prose\">{body}</main></div></body></html>",
        escaped(title(text))
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Headings get names so that links lead to them, links between files become links between pages, and raw HTML is
/// shown as it is written.
fn render(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let mut out = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        out.push(match event.clone() {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = Some(anchor(&events[index..]).into());
                let level = if level == HeadingLevel::H1 { HeadingLevel::H1 } else { level };
                Event::Start(Tag::Heading { level, id, classes, attrs })
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = target(&dest_url).into();
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                let language = language.split([',', ' ']).next().unwrap_or("").to_owned();
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language.into())))
            }
            Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
            other => other,
        });
    }
    let mut page = String::with_capacity(text.len() * 2);
    html::push_html(&mut page, out.into_iter());
    page
}

fn anchor(events: &[Event<'_>]) -> String {
    let inside = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let text: String = inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.to_string()),
            _ => None,
        })
        .collect();
    let text = text.to_lowercase();
    let plain = text.chars().filter_map(|letter| match letter {
        ' ' | '-' => Some('-'),
        _ if letter.is_alphanumeric() || letter == '_' => Some(letter),
        _ => None,
    });
    plain.collect()
}

/// `language.md#pieces` leads to `/docs/language#pieces`; what lies elsewhere in the repository leads nowhere.
fn target(link: &str) -> String {
    let (path, place) =
        link.split_once('#').map_or((link, String::new()), |(path, place)| (path, format!("#{place}")));
    if path.is_empty() || path.contains("://") {
        return link.to_owned();
    }
    match path.trim_start_matches("docs/").strip_suffix(".md") {
        Some(name) if !name.contains('/') => format!("/docs/{name}{place}"),
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_lead_somewhere() {
        let page = render(
            "# The `rule` language\n\nSee [pieces](language.md#pieces).\n\n<script>alert(1)</script>\n",
        );
        assert!(page.contains("id=\"the-rule-language\""), "{page}");
        assert!(page.contains("href=\"/docs/language#pieces\""), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
}
