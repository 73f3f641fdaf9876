#!/usr/bin/env bash
# Two people label the hundred pairs of the sample study's sample, a third settles what they decided differently, and the
# figures for a paper come out: all of it by keys, in real terminals (tmux). Prints what comes out.
#
#     tests/walkthrough.sh [FOLDER]        # the study is left in FOLDER; DEJAVIEW names the program
#
# What each annotator answers is looked up in truth.tsv by the ids on the screen, so the script knows neither the order of
# the sample nor which pairs come again. "ben" has habits of his own: some forms of one template are the same to him, and
# with some new templates he is unsure. Habits depend on the page, so he is steady in them.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
dejaview=${DEJAVIEW:-$here/target/debug/dejaview}
folder=${1:-$(mktemp -d)}
study=$folder/study
socket=dejaview-walk-$$
near="exact-copy moved date-changed boilerplate-changed light-edit"

tm() { tmux -L "$socket" -f /dev/null "$@"; }
screen() { tm capture-pane -p -t walk; }
trap 'tm kill-server 2>/dev/null || true' EXIT

# Waits until the screen holds some words.
await() {
    for _ in $(seq 1200); do
        if screen | grep -qF -- "$1"; then return; fi
        sleep 0.05
    done
    echo "waited for “$1” in vain:" >&2; screen >&2; exit 1
}

# Opens the program in a terminal.
open() { tm new-session -d -s walk -x "${COLUMNS_WANTED:-100}" -y 30 "$@"; }

# The relation of the two documents on the screen.
relation() {
    screen | awk -v truth="$study/truth.tsv" '
        /^[AB] sample09-/ { source = $2 } /^[AB] sample12-/ { target = $2 }
        END { while ((getline line < truth) > 0) { split(line, f, "\t"); if (f[1] == source && f[2] == target) { print f[3]; exit } }
              print "unrelated" }'
}

# The key that an annotator presses for a relation, on a page whose id ends in a digit.
answer() {
    local digit; digit=$(screen | grep -o '^[AB] sample12-[^ ]*' | tail -c 2)
    case "$1:$2:$digit" in
        ben:same-template:[37]) echo a ;;
        ben:boilerplate-changed:[05]|ben:date-changed:2) echo i ;;
        *) if [[ " $near " == *" $2 "* ]]; then echo a; else echo x; fi ;;
    esac
}

place() { screen | head -1 | grep -o 'pair [0-9]* · [0-9]*/' || true; }

# Labels until the end card.
label() {
    open "$dejaview" label "$study" --annotator "$1"
    await "word by word"
    while ! screen | grep -q "^ *All [0-9]* pairs"; do
        local at; at=$(place)
        sleep 0.2
        tm send-keys -t walk "$(answer "$1" "$(relation)")"
        for _ in $(seq 100); do
            sleep 0.03
            if [[ "$(place)" != "$at" ]] && screen | grep -qE "word by word|lines only"; then break; fi
            if screen | grep -q "^ *All [0-9]* pairs"; then break; fi
        done
    done
    await " 0 pending"
    screen
    tm send-keys -t walk Q
    while tm has-session -t walk 2>/dev/null; do sleep 0.05; done
}

# Settles every case, by the truth.
settle() {
    open "$dejaview" "$study" --annotator "$1"
    await "pairs of a configuration"
    tm send-keys -t walk 6
    await "not settled"
    screen
    tm send-keys -t walk Enter
    await "stays hidden"
    await "word by word"
    screen | head -8
    while screen | grep -q "stays hidden"; do
        local at; at=$(screen | grep '^[AB] ' || true)
        sleep 0.25
        tm send-keys -t walk "$(answer "$1" "$(relation)")"
        await "settled as"
        sleep 0.1
        tm send-keys -t walk g
        for _ in $(seq 100); do
            sleep 0.03
            if [[ "$(screen | grep '^[AB] ' || true)" != "$at" ]]; then break; fi
        done
    done
    await " 0 pending"
    screen
    tm send-keys -t walk Q
    while tm has-session -t walk 2>/dev/null; do sleep 0.05; done
}

say() { printf '\n$ %s\n' "$*"; }
run() { say "dejaview $*"; (cd "$folder" && "$dejaview" "$@"); }

mkdir -p "$folder"
cp -r "$here/sample-corpus" "$study"
(cd "$folder" && "$dejaview" run study > /dev/null 2>&1)
say "dejaview label study --annotator ada"
label ada
say "dejaview label study --annotator ben"
label ben
run labels agreement study
say "dejaview study --annotator eve      # 6: Review"
settle eve
run evaluate study --truth labels | sed -n -e '1,5p' -e '/^Sample default/,/^simhash-2: label/p'
run labels paragraph study
run labels export study | head -8
