#!/bin/sh
# Loads the past of the built-in world into Prometheus' data, once, before Prometheus runs there for the first time.
#
#   load-past.sh DATA
#
# The texts that `dcsim-mirror history` wrote to DATA/past become blocks in DATA/past/blocks, a folder for each text.
# That is called DATA/past-loading once it is complete, and its blocks are then moved to where Prometheus looks for
# them. DATA/past-loaded tells that it is done, and from when to when.
# Whenever this is ended, the next run goes on from the last of these states, or begins anew where there was none.
# What cannot be loaded is told and left out: Prometheus begins with the present then.
set -u
data=$1
past=$data/past
loading=$data/past-loading
loaded=$data/past-loaded

give_up() {
  echo "$1 The graphs begin with the present." >&2
  rm -rf "$past"
  exit 0
}

# Two texts at a time: more would want much memory, and one leaves processors idle.
make_blocks() {
  set -- "$past"/*.om
  [ -e "$1" ] || return 1
  from=$(basename "$1" .om)
  # Where promtool keeps what is not yet in a block.
  export TMPDIR="$past/unfinished"
  rm -rf "$past/blocks" "$past/failed" "$TMPDIR"
  mkdir -p "$past/blocks" "$TMPDIR"
  number=0
  for text in "$@"; do
    number=$((number + 1))
    echo "Loading part $number of $# of the past."
    promtool tsdb create-blocks-from openmetrics --quiet "$text" "$past/blocks/$number" || touch "$past/failed" &
    [ $((number % 2)) -ne 0 ] || wait
  done
  wait
  [ ! -e "$past/failed" ] || give_up "The past cannot be loaded."
  echo "$from $(date +%s)" >"$past/blocks/span"
  mv "$past/blocks" "$loading"
}

if [ ! -e "$loading" ]; then
  if [ -e "$data/wal" ] || [ -e "$loaded" ]; then
    echo 'Prometheus has a past of its own: nothing is loaded.'
    rm -rf "$past"
    exit 0
  fi
  make_blocks || {
    echo 'There is no past to load.'
    exit 0
  }
fi
for block in "$loading"/*/*; do
  [ ! -e "$block" ] || mv "$block" "$data/"
done
[ ! -e "$loading/span" ] || mv "$loading/span" "$loaded"
rm -rf "$loading" "$past"
echo 'The past is loaded.'
