#!/usr/bin/env python3
"""Makes the inputs that the fuzzer begins with: corpus/LAW/… beside this file.

    DEJAVIEW_DATA=FOLDER DEJAVIEW=path/to/dejaview python3 seeds.py

They are the first bytes of real files, of the sample study, and of what the program itself writes of a small study; and what
earlier runs have learned.
"""

import bz2
import gzip
import hashlib
import json
import lzma
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORPUS = HERE / "corpus"
DATA = pathlib.Path(os.environ.get("DEJAVIEW_DATA", "/nonexistent"))
PROGRAM = os.environ.get("DEJAVIEW", str(ROOT / "target/debug/dejaview"))
# Longer inputs are slow, and say little more.
MOST = 4096


def keep(law, data, most=MOST):
    if isinstance(data, str):
        data = data.encode()
    data = data[:most]
    if data:
        folder = CORPUS / law
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def inflated(path):
    data = path.read_bytes()
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.open(path) as file:
            return file.read(1 << 20)
    except (EOFError, OSError):
        return b""


def archives():
    paths = list(DATA.glob("archives/**/*.warc*")) + list(DATA.glob("formats/*"))
    paths += [DATA / "recrawl" / name for name in ("old.warc.gz", "new-00.warc.gz")]
    paths += list(ROOT.glob("sample-corpus/crawl-*/*.warc.gz"))
    for path in filter(pathlib.Path.is_file, paths):
        data = inflated(path)
        keep("warc", data)
        keep("recognised", path.read_bytes())
        for record in data.split(b"\nWARC/")[1:12]:
            keep("warc", b"WARC/" + record, 1500)
            head, _, body = record.partition(b"\r\n\r\n")
            page = body.partition(b"\r\n\r\n")[2]
            keep("extraction", page, 2000)
            keep("page", page, 1000)
    small = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 38\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>a page of words"
    twice = small + b"\r\n\r\n" + small + b"\r\n\r\n"
    keep("warc", twice)
    for packed in (gzip.compress(small) * 3, gzip.compress(twice), bz2.compress(twice), lzma.compress(twice)):
        keep("recognised", packed)
    keep("recognised", twice)
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    body = gzip.compress(b"<html><title>t</title><p>words")
    block = chunked + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
    keep("warc", b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n" % len(block) + block)


def older_archives():
    for path in filter(pathlib.Path.is_file, DATA.glob("formats/*.arc*")):
        data = inflated(path)
        keep("arc", data)
        for record in data.split(b"\n\nhttp")[1:8]:
            keep("arc", b"filedesc://x.arc 0.0.0.0 19960923142103 text/plain 9\n1 0 IA\n\nhttp" + record, 1500)
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a page of words\n"
    first = b"filedesc://x.arc 0.0.0.0 19960923142103 text/plain 76\n1 0 InternetArchive\n" \
            b"URL IP-address Archive-date Content-type Archive-length\n\n"
    record = b"http://a.org/ 1.2.3.4 19961104142103 text/html %d\n" % len(page) + page
    keep("arc", first + record + b"\n" + record)
    second = b"filedesc://x.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 x.arc 135\n2 0 IA\nURL IP-address Archive-date " \
             b"Content-type Result-code Checksum Location Offset Filename Archive-length\n\n"
    keep("arc", second + b"http://b.org/ 1.2.3.4 19961104142103 text/html 200 fac - 209 x.arc %d\n" % len(page) + page)
    for packed in (gzip.compress(first) + gzip.compress(record) * 2, gzip.compress(first + record)):
        keep("recognised", packed)
    mail = ("From a@b Sat Jan  3 01:05:34 1996\nMessage-ID: <1@b>\nSubject: =?iso-8859-1?Q?caf=E9?=\nContent-Type: "
            "multipart/alternative; boundary=\"x\"\n\n--x\nContent-Type: text/plain\nContent-Transfer-Encoding: "
            "quoted-printable\n\na=20b=\nc\n--x\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: base64"
            "\n\nPHA+YWJj\n--x--\n\nFrom c@d Sun Jan  4 01:05:34 1996\nSubject: two\n\n>From here on\n")
    for cut in (len(mail), len(mail) // 2):
        keep("mbox", mail[:cut])
    for text in ('[{"id":"a","text":"one two"},{"id":"b","html":"<p>three","url":"http://x/"}]', '[ {"id":"a"} , 7, "x",',
                 '[]', '[{"a":{"b":[1,{"c":"]"}]},"id":"q","text":"\\"}"}]'):
        keep("json", text)


def documents():
    for name, law in (("old-few.trecweb", "trec"), ("old-few.trec", "trec"), ("old-few.jsonl", "jsonl")):
        for path in DATA.glob(f"recrawl/{name}*"):
            data = inflated(path)
            keep(law, data)
            for line in data.split(b"\n")[:5]:
                keep("jsonl", line, 1200) if law == "jsonl" else None
    keep("trec", "<DOC>\n<DOCNO> WTX1 </DOCNO>\n<DOCHDR>\nhttp://x/a 1.2.3.4 19970101 text/html 9\nHTTP/1.0 200 OK\n"
         "Content-type: text/html; charset=koi8-r\n\n</DOCHDR>\n<html>one</html>\n</DOC>\n<doc><docno>FT9</docno>"
         "<TEXT>Two</TEXT></doc>\nstray\n<DOC>\n<DOCNO>A</DOCNO>\nunclosed")
    keep("jsonl", '{"id": "a", "url": "http://a/", "html": "<p>1"}\nbad\n\n{"id": 7, "text": "2", "date": "2009"}')
    wiki = ('<mediawiki xmlns="x"><siteinfo><namespaces><namespace key="0"/><namespace key="10">Template</namespace>'
            '</namespaces></siteinfo><page><title>A &amp; B</title><ns>0</ns><id>1</id><revision><id>2</id>'
            '<timestamp>2009-01-01T00:00:00Z</timestamp><text xml:space="preserve">\'\'\'A\'\'\' is [[b|c]] {{t|1}} '
            '== H ==\n* item\n{| class="x"\n|-\n| cell || cell\n|}\n&lt;ref&gt;r&lt;/ref&gt;</text></revision>'
            '<revision><id>3</id><text>newer</text></revision></page><page><title>R</title><ns>0</ns><redirect '
            'title="A"/><revision><id>4</id><text>#REDIRECT [[A]]</text></revision></page></mediawiki>')
    for cut in (len(wiki), len(wiki) // 2):
        keep("mediawiki", wiki[:cut])
        keep("wikitext", wiki[wiki.index("'''"):cut])
    for path in list(ROOT.glob("sample-corpus/templates/*.html"))[:12]:
        keep("extraction", path.read_bytes(), 3000)
        keep("page", path.read_bytes(), 800)
    for path in list(ROOT.glob("sample-corpus/base/*-??.txt")) + list(ROOT.glob("sample-corpus/base/b*.txt")):
        data = path.read_bytes()
        keep("tokens", data, 700)
        keep("terminal", data, 400)
        keep("diff", data[:300] + b"\xff" + data[20:200] + data[:120])
    keep("extraction", "<meta charset=shift_jis><p>".encode() + "日本語の文章".encode("shift_jis"))
    keep("extraction", "\ufeff<p>utf".encode("utf-16"))
    keep("tokens", "e\u0301a\u00adb 東京タワー ﬁ ß İ 🇩🇪 ⅷ x_y don't")
    keep("terminal", "a\x1b[31mb\u202ec\u200d\x07 http://example.org/a/b?c=d#e 東京 | x | y |\n|---|---|\n**b** `c`\n- d")
    keep("diff", "one two three\nfour\nfive six\xff".encode("latin-1") + b"one 2 three\nfive six\nseven\n")


def lists():
    for path in list(DATA.glob("qrels/*")) + list(DATA.glob("formats/*.qrels")) + [DATA / "recrawl/judged.qrels"]:
        if path.is_file():
            keep("qrels", b"\n".join(inflated(path).split(b"\n")[:25]), 1200)
    keep("qrels", (ROOT / "sample-corpus/judgments/sample.qrels").read_bytes(), 800)
    keep("qrels", "51 0 a\\u{20}b 1\n51 0 b -2\n# note\n52 1 c 0.-1\n52 c 1 x 0.5\n")
    keep("runs", "51 Q0 a 1 9.5 tag\n51 Q0 b 2 -0 tag\n52 Q0 a 1 1e3 tag\nbad\n51 Q0 a\\u{20}c 3 0 tag\n")
    keep("topics", (ROOT / "sample-corpus/topics/sample.xml").read_bytes(), 1200)
    keep("topics", "<top>\n<num> Number: 51\n<title> Airbus\n<desc> Description:\nx\n<narr> Narrative:\ny\n</top>")
    keep("topics", "1:obama family tree\n2: french &amp; indian\n")
    keep("urls", inflated(DATA / "recrawl/urls.tsv") if (DATA / "recrawl/urls.tsv").is_file() else b"", 900)
    for text in ("id,url\na,http://u:p@www.Example.org:80/a/../b?c#d\nb,n/a\n", "<id1> <http://a.org/x>\n",
                 "http://b/\n# x\nftp://c/d\n", '"a","http://x/?a,b"\n"c","https://y/"\n',
                 '<base href="http://z/"><a href="../q?r#s">l</a><a href=//h/p>m</a>'):
        keep("urls", text)
    for text in ("source\ttarget\tjaccard\na\tb\t0.5\n", "a,b,3\nc,d,0\n", '"x,y",1,"q""z"\n', "a b 0.25\n",
                 '{"source":"a","target":"b","score":0.5}\n{"firstId":"c","secondId":"d","hemmingDistance":2}\n'
                 '{"sourceDocument":"e","targetDocs":[{"targetId":"f","s3Score":0.9}]}\n{"group":["i","j"]}\n'):
        keep("pair-lists", text)


def recipes():
    for path in list(ROOT.glob("tests/fixtures/study/*/*.toml")) + [ROOT / "sample-corpus/study.toml"]:
        keep("study-toml", path.read_bytes())
    keep("settings", (ROOT / "tests/fixtures/study-0.1.0/config/dejaview/config.toml").read_bytes())
    keep("settings", 'annotator = "ann"\ntheme = "dark"\nmouse = true\nsync = "on"\n[input]\nguard = false\n[keys]\n'
         'profile = "vim"\nnext = ["j", "down"]\n[colours]\nequal = "#102030"\n')
    for text in ("jaccard > 0.9 and not label and simhash-2 & !simhash-3+5", "top(simhash-2) | by:top<=3", "url:wiki",
                 'topic=51 & grade>=1 or (source=="a b" segment=00)', "candidates(simhash-2)>9 same-url", "x \"open",
                 "label=near | label!=unsure & length>=0.5", "conflict track:web & words<10 !(a|b)"):
        keep("filter", text)
    for text in ("fox", "\"quick brown\"", "the -dog +fox", "url:example AND (a OR b)", "fo*", "title:fox^2 ~3", "[a TO b]"):
        keep("query", text)
    for text in (b"\x1b[A\x1bOP\x1b[1;5C", b"\x1b\xff\x0a[6~\xff\x50a", b"\x1b[200~ab\r\nc\x1b[201~q",
                 b"\x1b]11;rgb:1a1a/1a1a/1a1a\x1b\\", "é漢🇩🇪".encode(), b"\x1b[M !!\x1b[<64;85;23M", b"\x1bP1+r53=41\x1b\\",
                 b"\x1b\xff\x10]\xff\x0311;rgb:\xff\x20x\x07"):
        keep("keys", text)


def results():
    """What the program writes of a small study."""
    with tempfile.TemporaryDirectory() as folder:
        study = pathlib.Path(folder) / "study"
        study.mkdir()
        text = "the quick brown fox jumps over the lazy dog and runs away from it"
        line = lambda name, words: json.dumps({"id": name, "url": f"http://x/{name}", "text": words}) + "\n"
        (study / "old.jsonl").write_text(line("a", text) + line("b", text) + line("both", text + " again") + "{}\n")
        (study / "new.jsonl").write_text(line("c", text) + line("both", text + " again") + line("d", "six other words"))
        (study / "pairs.tsv").write_text("source\ttarget\tscore\na\tc\t0.5\nb\tc\t1\n")
        (study / "study.toml").write_text(
            'keep = "all"\n[source]\ndocuments = ["old.jsonl"]\n[[target]]\nsegment = "00"\ndocuments = ["new.jsonl"]\n'
            '[[configuration]]\nmethod = "simhash"\n[[configuration]]\nmethod = "imatch"\n[[configuration]]\n'
            'name = "theirs"\nmethod = "import"\npairs = "pairs.tsv"\n')
        run = lambda *words: subprocess.run([PROGRAM, *words], check=False, capture_output=True, cwd=folder)
        run("run", "study")
        run("sample", "study", "--configuration", "simhash-3+5", "--configuration", "simhash", "--size", "5")
        for configuration in study.glob(".dejaview/pairs/*"):
            run("sample", "study", "--configuration", configuration.name, "--size", "3", "--name", "s-" + configuration.name)
            run("labels", "pack", "study", "--sample", "s-" + configuration.name, "-o", f"{configuration.name}.pack")
        (study / "labels.tsv").write_text("source\ttarget\tlabel\tnote\na\tc\tnear-duplicate\tsame\nb\tc\tnot\t\n")
        run("labels", "import", "study", "study/labels.tsv", "--annotator", "ann")
        run("pairs", "study", "--format", "parquet", "-o", "out.parquet")
        for path in study.glob(".dejaview/pairs/*/*.pairs"):
            keep("pairs", path.read_bytes())
        for path in study.glob(".dejaview/index/**/*.texts"):
            keep("texts", path.read_bytes())
        for name in ("statistics", "lines"):
            path = study / ".dejaview" / name
            keep("fitted", path.read_bytes() if path.is_file() else b"")
        for path in study.glob("labels/*.jsonl"):
            keep("journal", path.read_bytes())
        for path in study.glob("samples/*.jsonl"):
            keep("sample", path.read_bytes())
        for path in pathlib.Path(folder).glob("*.pack"):
            keep("pack", path.read_bytes())
        keep("parquet", (pathlib.Path(folder) / "out.parquet").read_bytes())
        files = ["source.json", "segments/00.json", "manifest.json", "both/00.json", "source.skipped",
                 "skipped/00.skipped", "run.json", "statistics", "outputs.json"]
        for number, name in enumerate(files):
            path = study / ".dejaview" / name
            keep("workspace", bytes([number]) + (path.read_bytes() if path.is_file() else b"[]"))
    for path in ROOT.glob("tests/fixtures/study-0.1.0/labels/*.jsonl"):
        keep("journal", path.read_bytes(), 2000)
    for path in ROOT.glob("tests/fixtures/study-0.1.0/samples/*.jsonl"):
        keep("sample", path.read_bytes())
    keep("label-table", "source\ttarget\tlabel\tnote\ttime\na\tc\tnear-duplicate\tsame\t2012-03-04T05:06:07Z\nb\tc\tnot\n")
    keep("label-table", '{"source":"a","target":"b","label":"unsure"}\n{"firstId":"c","secondId":"d","label":1}\n')
    keep("label-table", "a 0 b 1\na 0 c 0\n")
    keep("label-table", 'unique_id_l,unique_id_r,clerical_match_score\n"a,b",c,1.0\n')
    keep("pack", '{"pack":1,"study":"s","sample":"x","seed":1,"guidelines":"g","classes":["c"],"reasons":["r"]}\n'
         '{"side":"source","id":"a","url":"","text":"t"}\n{"side":"target","id":"b","url":"u","text":"t"}\n'
         '{"source":"a","target":"b","assigned":["ann"]}\n')


def kept():
    """What earlier runs learned, as keep.py packed it."""
    for path in (HERE.parent / "fixtures/fuzz").glob("*.gz"):
        data = gzip.decompress(path.read_bytes())
        while data:
            end = 4 + int.from_bytes(data[:4], "little")
            keep(path.stem, data[4:end])
            data = data[end:]


for make in (archives, older_archives, documents, lists, recipes, results, kept):
    make()
for folder in sorted(CORPUS.iterdir()):
    print(f"{folder.name}\t{sum(1 for _ in folder.iterdir())}")
