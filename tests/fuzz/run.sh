#!/bin/sh
# Fuzzes: ./run.sh SECONDS [LAW…], all laws when none is named. What it finds stands in artifacts/, what it learned in corpus/,
# and how far it came in runs/. LONGEST says how many bytes an input has at most: short ones are tried faster.
set -eu
# What the fuzzer prints may be any bytes.
export LC_ALL=C
cd "$(dirname "$0")"
seconds=${1:?"how many seconds for each law"}
shift
host=$(rustc -vV | sed -n 's/^host: //p')
# What cargo-fuzz builds with, without a sanitizer: there is next to no unsafe code to look into.
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares" cargo build --release --target "$host"
laws=${*:-$(sed -n 's/^    law("\([a-z-]*\)".*/\1/p' laws/mod.rs)}
mkdir -p runs artifacts
# Scratch files in memory where there is such a place.
if [ -z "${TMPDIR:-}" ] && [ -d /dev/shm ]; then
    TMPDIR=/dev/shm
    export TMPDIR
fi
results=runs/$(date +%F).tsv
[ -e "$results" ] || printf 'law\texecutions\tseconds\tedges\tfeatures\tinputs\toutcome\n' >"$results"
for law in $laws; do
    mkdir -p "corpus/$law"
    log=$(mktemp)
    outcome="nothing found"
    DEJAVIEW_LAW=$law nice -n 10 "target/$host/release/laws" "corpus/$law" -max_total_time="$seconds" -max_len="${LONGEST:-4096}" \
        -dict=words.dict -timeout=10 -rss_limit_mb=3000 -malloc_limit_mb=2000 -print_final_stats=1 -reload=0 \
        -artifact_prefix="artifacts/$law-" 2>"$log" || outcome="a law is broken"
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    last=$(grep -E '^#[0-9]+.*cov: ' "$log" | tail -n 1)
    edges=$(echo "$last" | sed -n 's/.* cov: \([0-9]*\).*/\1/p')
    features=$(echo "$last" | sed -n 's/.* ft: \([0-9]*\).*/\1/p')
    inputs=$(find "corpus/$law" -type f | wc -l)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$law" "${executions:-0}" "$seconds" "${edges:-0}" "${features:-0}" "$inputs" \
        "$outcome" | tee -a "$results"
    [ "$outcome" = "nothing found" ] || tail -n 40 "$log" >"artifacts/$law.log"
    rm -f "$log"
done
