"""Compares the main content of pages as dejaview finds it with trafilatura and resiliparse.

Usage: main_content.py                    on the sample corpus, where the truth is known: precision, recall, F1 of words
       main_content.py FILE.warc.gz ...   on other pages: how far each two agree (F1), and how much of the page they keep
Needs: pip install warcio selectolax resiliparse trafilatura lxml_html_clean; cargo on the path. See README.md beside this
file.
"""

import csv
import glob
import gzip
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from words import decoded, records, tree_text

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sample-corpus")
HOLE = re.compile(r"\{\{(\w+)\}\}")


def pattern(template):
    """A regular expression for the pages made from a template; the group `body` is what the page says."""
    parts = []
    for i, piece in enumerate(HOLE.split(template)):
        if i % 2 == 0:
            parts.append(re.escape(piece))
        elif piece == "body":
            parts.append("(?P<body>.*)")
        elif piece == "title":
            parts.append("(?P=title)" if any("P<title>" in part for part in parts) else "(?P<title>[^\n]*?)")
        elif piece == "related":
            parts.append("(?:<li>.*?</li>\n)*")
        else:
            parts.append("[^\n]*?")
    return re.compile("".join(parts), re.S)


def templates():
    """Patterns of all templates by name, and that of the archive's banner."""
    found = {}
    for path in sorted(glob.glob(f"{SAMPLE}/templates/*.html")):
        with open(path) as file:
            found[os.path.basename(path).removesuffix(".html")] = file.read()
    banner = pattern("\n" + found.pop("archive"))
    return {name: pattern(text.strip()) for name, text in found.items()}, banner


def truth(html, patterns, banner):
    """The name of the page's template, and its heading and body as text; nothing for pages that no template made."""
    bare = banner.sub("", html).strip()
    for name, wanted in patterns.items():
        match = wanted.fullmatch(bare)
        if match:
            title = match.groupdict().get("title") or ""
            return name, tree_text(f"<title>{title}</title>{match.group('body')}")
    return None


def hosts(path):
    """The host of each page by its id."""
    found = {}
    for head in re.finditer(rb"(?m)^WARC/[\d.]+\r?\n((?:[\w-]+:.*\n)+)", gzip.open(path).read()):
        head = head.group(1).decode("latin-1")
        name = re.search(r"WARC-TREC-ID: (\S+)", head)
        host = re.search(r"WARC-Target-URI: \w+://([^/\s]+)", head)
        if name and host:
            found[name.group(1)] = host.group(1)
    return found


def others(html):
    """What the others find. Cells get a blank between them, which resiliparse does not add by itself."""
    spaced = re.sub(r"(?i)<t[dh]\b", r" \g<0>", html)
    return {
        "trafilatura": trafilatura.extract(html) or "",
        "trafilatura, recall": trafilatura.extract(html, favor_recall=True) or "",
        "resiliparse": extract_plain_text(spaced, main_content=True, alt_texts=False, links=False, list_bullets=False),
    }


def pages(files, known):
    patterns, banner = templates() if known else (None, None)
    for path in files:
        host = hosts(path)
        for name, header, body in records(path):
            charset = re.search(r"(?i)content-type:[^\n]*charset=[\"']?([\w-]+)", header)
            html = decoded(body, charset and charset.group(1))
            made = truth(html, patterns, banner) if known else ("", "")
            if made is None:
                print(f"no truth for {name}", file=sys.stderr)
                continue
            title = tree_text(html).split("\n", 1)[0]
            texts = {who: f"{title}\n{text}" for who, text in others(html).items()}
            if known:
                texts["truth"] = f"{title}\n{made[1]}"
            yield {"id": name, "host": host.get(name, ""), "template": made[0], "html": html, "texts": texts}


def mean(rows, key):
    return sum(float(row[key]) for row in rows) / len(rows)


def main():
    logging.disable(logging.CRITICAL)
    known = len(sys.argv) == 1
    files = sys.argv[1:] or sorted(glob.glob(f"{SAMPLE}/crawl-*/*.warc.gz"))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/pages.jsonl", "w") as out:
            for page in pages(files, known):
                out.write(json.dumps(page) + "\n")
        command = "cargo test --quiet --test outside".split()
        subprocess.run(command, check=True, env={**os.environ, "DEJAVIEW_MAIN": folder}, stdout=subprocess.DEVNULL)
        with open(f"{folder}/scores.tsv") as scores:
            rows = list(csv.DictReader(scores, delimiter="\t", quoting=csv.QUOTE_NONE))
    by = defaultdict(list)
    for row in rows:
        by[row["reference"], row["text"]].append(row)
        if row["template"] and row["text"] == "main":
            by["", row["template"]].append(row)
    print("reference\ttext\tpages\tprecision\trecall\tF1\tkept")
    for (reference, text), some in by.items():
        values = "\t".join(f"{mean(some, key):.4f}" for key in ("precision", "recall", "f1", "kept"))
        print(f"{reference}\t{text}\t{len(some)}\t{values}")


if __name__ == "__main__":
    main()
