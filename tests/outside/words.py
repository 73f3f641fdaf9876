"""Compares the words that dejaview finds in pages with those of lexbor's tree, resiliparse and html2text.

Usage: words.py [--soup SEED] [FILE.warc.gz ...]
       (default: recrawl/*.warc.gz and bench/pages.warc.gz under $DEJAVIEW_DATA; --soup adds 20,000 pages of random markup)
Needs: pip install warcio selectolax resiliparse; cargo on the path. See README.md beside this file.
"""

import csv
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

BLOCKS = set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup "
    "option p plaintext pre search section summary table tbody td textarea tfoot th thead title tr ul xmp "
    "img input button select object video audio canvas embed iframe".split()
)
HIDDEN = {"script", "style", "template", "iframe", "noembed", "noframes", "title"}


PIECES = (
    "<p>|</p>|<div>|</div>|<b>|</b>|<i>|<span class='a b'>|</span>|<br>|<br/>|<a href=x>|<a href='x>y'>|<a title=it's>|</a>|"
    "<!-- c -->|<!-- c > d|-->|--!>|<!-->|<!--->|<!doctype html>|<?php x ?>|<script>|</script>|<!--<script>|<style>|</style>|"
    "<title>|</title>|<textarea>|</textarea>|<pre>|</pre>|<ul><li>|</ul>|<template>|</template>|<noscript>|</noscript>|<iframe>|"
    "</iframe>|<img alt=zz>|<input value=zz>|&amp;|&lt|&eacute;|&notit;|&#150;|&#x41;|&|<|>|\"|'|=|/|< |</|</ x>|</>|<3|<x-y>|"
    "</x-y>|<P CLASS=X>|</P >|<p/>|<a b=c/d>|<a \"x>|<a x=y=\"z>|<![CDATA[ cd ]]>|]]>|\0|\u00a0|&nbsp;|<h1>|</h1>|"
    "<table><tr><td>|</td><td>|</table>|<select><option>|</select>|<button>|</button>|<xmp>|</xmp>|<noembed>|</noembed>|<wbr>|"
    "&shy;|<object>|</object>".split("|")
)


def soup(seed):
    """Pages of random markup with words between."""
    choose = random.Random(seed)
    for i in range(20_000):
        pieces = [choose.choice(PIECES) + choose.choice(["", "", " alpha ", " ünter ", " 漢字 ", " x1 "]) for _ in range(choose.randint(2, 9))]
        yield f"soup-{seed}-{i}", "", "".join(pieces).encode()


def warc018(path):
    """Records of the WARC 0.18 dialect, which warcio does not read: (id, HTTP header, body)."""
    data = gzip.open(path).read()
    at = 0
    while at < len(data):
        end = data.index(b"\n\n", at)
        head = data[at:end].decode("latin-1")
        length = int(re.search(r"Content-Length: (\d+)", head).group(1))
        block = data[end + 2 : end + 2 + length]
        name = re.search(r"WARC-TREC-ID: (\S+)", head)
        if name:
            header, _, body = block.partition(b"\r\n\r\n") if b"\r\n\r\n" in block[:4096] else block.partition(b"\n\n")
            yield name.group(1), header.decode("latin-1"), body.rstrip(b"\n")
        at = data.find(b"WARC/0.18", end + 2 + length - 2)
        if at < 0:
            return


def records(path):
    if path.startswith("soup "):
        yield from soup(int(path[5:]))
        return
    if gzip.open(path).read(9) == b"WARC/0.18":
        yield from warc018(path)
        return
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                name = record.rec_headers.get_header("WARC-TREC-ID") or record.rec_headers.get_header("WARC-Target-URI")
                header = "\n".join(f"{k}: {v}" for k, v in record.http_headers.headers) if record.http_headers else ""
                yield name, header, record.content_stream().read()


def decoded(body, charset):
    """As a plain reader would do it: UTF-8, else what is declared, else windows-1252."""
    declared = re.search(rb"charset=[\"']?([\w-]+)", body[:4096])
    for label in ("utf-8-sig", charset, declared and declared.group(1).decode(), "windows-1252"):
        try:
            if label:
                return body.decode(label)
        except (UnicodeDecodeError, LookupError):
            pass
    return body.decode("windows-1252", "replace")


def tree_text(html):
    """Title first, then every text node that is shown, with a line break at each block."""
    tree = LexborHTMLParser(html)
    title = next((n for n in tree.css("title") if n.parent is None or n.parent.tag != "svg"), None)
    parts = [title.text() if title else "", "\n"]
    stack = [(tree.root, False)]
    while stack:
        node, leave = stack.pop()
        tag = node.tag
        if leave:
            parts.append("\n")
            continue
        if tag == "-text":
            parts.append(node.text_content or "")
            continue
        if tag in HIDDEN:
            continue
        if tag in BLOCKS:
            parts.append("\n")
            stack.append((node, True))
        child = node.last_child
        while child is not None:
            stack.append((child, False))
            child = child.prev
    return " ".join(parts[0].split()) + "\n" + "".join(parts[1:])


def main():
    data = os.environ.get("DEJAVIEW_DATA")
    files = sys.argv[1:]
    if files[:1] == ["--soup"]:
        files[:2] = ["soup " + files[1]]
    if not files and not data:
        sys.exit("skipped: DEJAVIEW_DATA is not set and no file is named")
    files = files or sorted(glob.glob(f"{data}/recrawl/*.warc.gz")) + [f"{data}/bench/pages.warc.gz"]
    worst = []
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/pages.jsonl", "w") as out:
                for name, header, body in records(path):
                    charset = re.search(r"(?i)content-type:[^\n]*charset=[\"']?([\w-]+)", header)
                    charset = charset and charset.group(1)
                    html = decoded(body, charset)
                    plain = extract_plain_text(html, main_content=False, alt_texts=False, links=False, list_bullets=False,
                                               form_fields=True, noscript=True)
                    page = {"id": name, "body": body.decode("latin-1"), "http": charset, "lexbor": tree_text(html),
                            "resiliparse": plain}
                    out.write(json.dumps(page) + "\n")
            command = "cargo test --release --quiet --test outside".split()
            subprocess.run(command, check=True, env={**os.environ, "DEJAVIEW_WORDS": folder}, stdout=subprocess.DEVNULL)
            with open(f"{folder}/scores.tsv") as scores:
                rows = list(csv.DictReader(scores, delimiter="\t", quoting=csv.QUOTE_NONE))
        means = {k: sum(float(r[k]) for r in rows) / len(rows) for k in ("dejaview", "resiliparse", "html2text")}
        exact = sum(r["dejaview"] == "1.00000" for r in rows)
        print(f"{os.path.basename(path)}: {len(rows)} pages, mean F1 against lexbor: "
              + ", ".join(f"{k} {v:.4f}" for k, v in means.items()) + f"; {exact} pages identical for dejaview", flush=True)
        worst += rows
        if means["dejaview"] < 0.99:
            print("TOO LOW")
    worst.sort(key=lambda r: float(r["dejaview"]))
    for row in [r for r in worst if r["dejaview"] != "1.00000"][:20]:
        print(f"{row['dejaview']}\t{row['id']}\t{row['words']} words\tmissing: {row['missing']}\textra: {row['extra']}")


if __name__ == "__main__":
    main()
