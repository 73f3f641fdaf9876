//! Where pages stand. All hosts are under names reserved for examples.

use crate::{rng::Rng, work::Work};

/// The address of a work on its own site.
pub fn canonical(work: &Work) -> String {
    let slug = if work.slug().len() < 3 { work.id.clone() } else { work.slug() };
    let date = work.date();
    // A number that stays with the work, as content systems give.
    let number = Rng::named(0, &work.id).below(90_000) + 10_000;
    match work.get("site") {
        "pharos" => format!("http://pharos.example.org/wiki/{}", work.get("title").replace(' ', "_").replace(':', "")),
        "courier" => {
            format!("http://www.courier.example.com/news/{}/{:02}/{:02}/{slug}.html", date.year, date.month, date.day)
        }
        "council" => format!("http://www.saltmarsh.example.net/notices/{slug}.aspx"),
        "saucepan" => format!("http://www.bluesaucepan.example.com/recipes/{slug}.php"),
        "shop" => format!("http://shop.fellandfathom.example.com/item.asp?id={number}"),
        "workbench" => format!("http://boards.workbench.example.org/viewtopic.php?t={number}"),
        "home" => format!("http://hearthpages.example.com/~{}/{slug}.html", work.get("user")),
        "league" => {
            format!("http://lanterncoast.example.net/{}/{:02}{:02}-{slug}.html", date.year, date.month, date.day)
        }
        "index" => format!("http://ftp.example.edu/{}/", work.get("title").trim_start_matches("Index of /")),
        "links" => format!("http://opendoor.example.org/{}/", slug.trim_end_matches("-open-door-directory")),
        _ => format!("http://{}/{}.html", work.get("host"), work.id),
    }
}

/// The same page under another name: a mirror, a session number, a new content system.
pub fn other(url: &str, rng: &mut Rng) -> String {
    let bare = url.trim_start_matches("http://");
    let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
    match rng.below(5) {
        0 => mirror(url, rng),
        1 => session(url, rng),
        2 => format!("http://archive.{}/{path}", host.trim_start_matches("www.")),
        3 => format!("http://{host}/old/{path}"),
        _ => format!("http://{}.example/{path}", host.split('.').find(|p| *p != "www").unwrap_or("web")),
    }
}

/// A copy on a mirror host.
pub fn mirror(url: &str, rng: &mut Rng) -> String {
    const HOSTS: [&str; 4] =
        ["mirror.example.edu", "www.webcopies.example.net", "sunsite.example.edu", "mirrors.tern-island.example.org"];
    format!("http://{}/{}", rng.pick(&HOSTS), url.trim_start_matches("http://"))
}

/// The address with a session number, as shops and forums hand out.
pub fn session(url: &str, rng: &mut Rng) -> String {
    format!("{}sid={:016x}", with_query(url), rng.next())
}

/// The printer-friendly version.
pub fn print(url: &str) -> String {
    format!("{}print=1", with_query(url))
}

/// A copy kept by an archive.
pub fn archived(url: &str, rng: &mut Rng) -> String {
    let (year, month, day) = (rng.between(2004, 2008), rng.between(1, 12), rng.between(1, 28));
    let (hour, minute) = (rng.between(0, 23), rng.between(0, 59));
    format!("http://attic.example.org/web/{year}{month:02}{day:02}{hour:02}{minute:02}00/{url}")
}

/// A clipping on a blog.
pub fn digest(slug: &str, rng: &mut Rng) -> String {
    format!("http://clippings.example.com/{}/{:02}/{slug}", rng.between(2010, 2012), rng.between(1, 12))
}

fn with_query(url: &str) -> String {
    format!("{url}{}", if url.contains('?') { "&" } else { "?" })
}
