#!/bin/sh
# Backfills recording rules, once, over the history that load-past.sh has loaded into a running Prometheus.
#
#   record-past.sh DATA URL RULES
#
# promtool evaluates the rules in the file RULES into blocks in DATA/past-recording. They are then moved to DATA, where
# Prometheus looks for new blocks every minute. Rules over series of other recording rules get no history.
set -u
data=$1
url=$2
rules=$3
loaded=$data/past-loaded
recording=$data/past-recording

# Start and end of the history; empty once the rules are backfilled.
read -r from to 2>/dev/null <"$loaded" || {
  echo 'There is no history to backfill rules over.'
  exit 0
}
rm -rf "$recording"
export TMPDIR="$recording/unfinished"
mkdir -p "$recording/blocks" "$TMPDIR"
if promtool tsdb create-blocks-from rules --start "$from" --end "$to" --eval-interval 20s --url "$url" \
  --output-dir "$recording/blocks" "$rules" >"$recording/log" 2>&1; then
  # Marked as done before the blocks are moved: losing some is better than having some twice.
  : >"$loaded"
  mv "$recording"/blocks/* "$data/"
  echo 'The recording rules are backfilled.'
else
  cat "$recording/log" >&2
  echo 'Series of recording rules start at the present.' >&2
fi
rm -rf "$recording"
