#!/bin/sh
# Loads the history of the built-in world into the data directory of Prometheus, once, before its first start.
#
#   load-past.sh DATA
#
# promtool turns the files that `dcsim-mirror history` wrote to DATA/past into blocks in DATA/past/blocks. When all are
# complete, that directory is renamed to DATA/past-loading, and its blocks are moved to DATA, where Prometheus reads
# them. DATA/past-loaded then holds the start and the end of the history.
# DATA/past-world names the world that Prometheus started with. DCSIM_SESSIONS, DCSIM_SOURCE, DCSIM_SEED, DCSIM_SCALE
# and DCSIM_SCENARIO, set as for the mirror, name the world that it scrapes now.
# The script may be interrupted at any point: the next run continues from the last completed of these steps.
# If the history cannot be loaded, the script says so and succeeds: Prometheus starts with the present.
set -u
data=$1
past=$data/past
loading=$data/past-loading
loaded=$data/past-loaded
began=$data/past-world

case ${DCSIM_SESSIONS:-}${DCSIM_SOURCE:-simulation} in
  simulation)
    world="scale ${DCSIM_SCALE:-medium}, seed ${DCSIM_SEED:-1}"
    world=$world${DCSIM_SCENARIO:+, scenario $DCSIM_SCENARIO}
    ;;
  *) world=${DCSIM_SESSIONS:-$DCSIM_SOURCE} ;;
esac

warn_of_other_world() {
  read -r first 2>/dev/null <"$began" || return 0
  [ "$first" != "$world" ] || return 0
  echo "Prometheus holds data of another world ($first) than it scrapes now ($world): graphs and alerts mix both." >&2
  echo 'To start over with the present world: docker compose down --volumes, then docker compose up.' >&2
}

give_up() {
  echo "$1 Graphs start at the present." >&2
  rm -rf "$past"
  exit 0
}

# Two files at a time: more need too much memory, and one leaves processors idle.
make_blocks() {
  # Several sessions have a directory each.
  set -- $(find "$past" -name '*.om' 2>/dev/null | sort)
  [ $# -gt 0 ] || return 1
  from=$(for text in "$@"; do basename "$text" .om; done | sort -n | head -n 1)
  # Where promtool keeps temporary files.
  export TMPDIR="$past/unfinished"
  rm -rf "$past/blocks" "$past/failed" "$TMPDIR"
  mkdir -p "$past/blocks" "$TMPDIR"
  number=0
  for text in "$@"; do
    number=$((number + 1))
    echo "Loading part $number of $# of the history."
    promtool tsdb create-blocks-from openmetrics --quiet "$text" "$past/blocks/$number" || touch "$past/failed" &
    [ $((number % 2)) -ne 0 ] || wait
  done
  wait
  [ ! -e "$past/failed" ] || give_up "The history cannot be loaded."
  echo "$from $(date +%s)" >"$past/blocks/span"
  mv "$past/blocks" "$loading"
}

[ -e "$data/wal" ] || [ -e "$loaded" ] || [ -e "$loading" ] || echo "$world" >"$began"
warn_of_other_world
if [ ! -e "$loading" ]; then
  if [ -e "$data/wal" ] || [ -e "$loaded" ]; then
    echo 'Prometheus has data already: no history is loaded.'
    rm -rf "$past"
    exit 0
  fi
  make_blocks || {
    echo 'There is no history to load.'
    exit 0
  }
fi
for block in "$loading"/*/*; do
  [ ! -e "$block" ] || mv "$block" "$data/"
done
[ ! -e "$loading/span" ] || mv "$loading/span" "$loaded"
rm -rf "$loading" "$past"
echo 'The history is loaded.'
