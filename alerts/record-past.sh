#!/bin/sh
# Gives what rules record a past, once: by the past that load-past.sh has loaded, as a running Prometheus tells of it.
#
#   record-past.sh DATA URL RULES
#
# What becomes of the rules in the file RULES is made in DATA/past-recording, and then moved to where Prometheus looks
# for blocks, which it does every minute. Rules that are made of other recorded series find none, and stay without.
set -u
data=$1
url=$2
rules=$3
loaded=$data/past-loaded
recording=$data/past-recording

# When the past begins, and when it was loaded; empty once this is done.
read -r from to 2>/dev/null <"$loaded" || {
  echo 'There is no past to record.'
  exit 0
}
rm -rf "$recording"
export TMPDIR="$recording/unfinished"
mkdir -p "$recording/blocks" "$TMPDIR"
if promtool tsdb create-blocks-from rules --start "$from" --end "$to" --eval-interval 20s --url "$url" \
  --output-dir "$recording/blocks" "$rules" >"$recording/log" 2>&1; then
  # From here on it is not done again: some blocks too few are better than some twice.
  : >"$loaded"
  mv "$recording"/blocks/* "$data/"
  echo 'The past is recorded.'
else
  cat "$recording/log" >&2
  echo 'What rules record begins with the present.' >&2
fi
rm -rf "$recording"
