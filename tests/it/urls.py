"""Recounts the URL overlap of a crawl from its list alone: urls.py URLS.tsv prints JSON.

The list is `id<TAB>url`; ids of the older crawl begin with clueweb09, those of the newer with clueweb12."""

import json
import sys
from collections import Counter
from urllib.parse import urlsplit


def normal(url):
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.").rstrip(".")
    if parts.port not in (None, 80 if parts.scheme == "http" else 443):
        host += f":{parts.port}"
    query = f"?{parts.query}" if parts.query else ""
    return (host + parts.path + query).rstrip("/")


sides = {"clueweb09": {}, "clueweb12": {}}
for line in open(sys.argv[1]):
    document, url = line.rstrip("\n").split("\t")
    sides[document.split("-")[0]][document] = normal(url)
old, new = sides["clueweb09"], sides["clueweb12"]
common = set(old.values()) & set(new.values())
top = lambda url: url.split("/")[0].split("?")[0].rsplit(".", 1)[-1]
print(json.dumps({
    "source": {"lines": len(old), "distinct": len(set(old.values()))},
    "target": {"lines": len(new), "distinct": len(set(new.values()))},
    "common": len(common),
    "documents_common": sorted(document for document, url in old.items() if url in common),
    "top_levels": dict(Counter(top(url) for url in old.values())),
    "common_top_levels": dict(Counter(top(url) for url in common)),
    "hosts": dict(Counter(url.split("/")[0] for url in old.values())),
}))
