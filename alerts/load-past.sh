#!/bin/sh
# Loads the past of the built-in world into Prometheus' data, once, before Prometheus runs there for the first time.
#
#   load-past.sh DATA
#
# The texts that `dcsim-mirror history` wrote to DATA/past become blocks in DATA/past/blocks, a folder for each text.
# That is called DATA/past-loading once it is complete, and its blocks are then moved to where Prometheus looks for
# them. DATA/past-loaded tells that it is done, and from when to when.
# DATA/past-world tells which world Prometheus began with. DCSIM_SOURCE, DCSIM_SEED, DCSIM_SCALE and DCSIM_SCENARIO, as
# the mirror has them, tell which one it scrapes now.
# Whenever this is ended, the next run goes on from the last of these states, or begins anew where there was none.
# What cannot be loaded is told and left out: Prometheus begins with the present then.
set -u
data=$1
past=$data/past
loading=$data/past-loading
loaded=$data/past-loaded
began=$data/past-world

case ${DCSIM_SOURCE:-simulation} in
  simulation)
    world="scale ${DCSIM_SCALE:-medium}, seed ${DCSIM_SEED:-1}"
    world=$world${DCSIM_SCENARIO:+, scenario $DCSIM_SCENARIO}
    ;;
  *) world=$DCSIM_SOURCE ;;
esac

tell_of_other_world() {
  read -r first 2>/dev/null <"$began" || return 0
  [ "$first" != "$world" ] || return 0
  echo "Prometheus began with another world ($first) than it scrapes now ($world). Its graphs and alerts mix both." >&2
  echo 'To begin anew with this one: docker compose down --volumes, then docker compose up.' >&2
}

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

[ -e "$data/wal" ] || [ -e "$loaded" ] || [ -e "$loading" ] || echo "$world" >"$began"
tell_of_other_world
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
