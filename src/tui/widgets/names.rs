//! Names of configurations where there is little room.

/// The part of a configuration's name that tells it from its siblings.
pub fn short(name: &str) -> &str {
    name.strip_prefix("simhash-").unwrap_or(name)
}

/// The short name in at most `room` characters. Its parts lose letters in turn, the longest first, so that something of
/// each is left: `sentences-words` in six is `sen-wo`.
pub fn squeezed(name: &str, room: usize) -> String {
    let mut parts: Vec<&str> = short(name).split('-').collect();
    let mut over = (parts.iter().map(|part| length(part)).sum::<usize>() + parts.len() - 1).saturating_sub(room);
    while over > 0
        && let Some(longest) = parts.iter_mut().max_by_key(|part| length(part)).filter(|part| length(part) > 1)
    {
        let end = longest.char_indices().next_back().map_or(0, |(at, _)| at);
        *longest = longest.split_at(end).0;
        over -= 1;
    }
    parts.join("-").chars().take(room).collect()
}

fn length(part: &str) -> usize {
    part.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_give_way_in_turn() {
        assert_eq!(squeezed("simhash-3+5", 4), "3+5");
        assert_eq!(squeezed("sentences-words", 6), "sen-wo");
        assert_eq!(squeezed("lex-rand", 6), "lex-ra");
        assert_eq!(squeezed("supershingles", 6), "supers");
        assert_eq!(squeezed("supershingles-16", 6), "sup-16");
        assert_eq!(squeezed("a-b-c-d", 3), "a-b");
        assert_eq!(squeezed("größer-als", 5), "gr-al");
    }

    proptest! {
        #[test]
        fn never_more_than_the_room(name in "[a-zé0-9+_.-]{0,20}", room in 0usize..24) {
            let squeezed = squeezed(&name, room);
            prop_assert!(squeezed.chars().count() <= room);
            prop_assert!(short(&name).chars().count() > room || squeezed == short(&name));
        }
    }
}
