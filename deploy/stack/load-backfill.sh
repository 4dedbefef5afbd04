#!/bin/sh
# Loads the history of the built-in world into the data directory of Prometheus, once, before its first start.
#
#   load-backfill.sh DATA RULES
#
# promtool turns the files that `dcsim-mirror backfill` wrote to DATA/past into blocks, over which a Prometheus of this
# script's own evaluates the recording rules in the file RULES. (Rules over series of other recording rules get no
# history.) When all blocks are complete, DATA/past/blocks is renamed to DATA/past-loading, and its blocks are moved to
# DATA, where Prometheus reads them. DATA/past-span then holds the start and the end of the history.
# DATA/past-world lists the sessions that Prometheus has data of, with the world of each. DCSIM_SESSIONS, DCSIM_SESSION,
# DCSIM_SOURCE, DCSIM_SEED, DCSIM_SCALE, DCSIM_SCENARIO and DCSIM_BLIND, set as for the mirror, name those that it scrapes now.
# If a session has another world than before, the script fails: Prometheus would mix both.
# The script may be interrupted at any point: the next run continues from the last completed of these steps.
# If the history cannot be loaded, the script says so and succeeds: Prometheus starts with the present.
set -u
data=$1
rules=$2
past=$data/past
loading=$data/past-loading
span=$data/past-span
began=$data/past-world

tab=$(printf '\t')

# A setting of an item of DCSIM_SESSIONS, or its default.
setting() {
  value=$(printf %s "$1" | sed -n "s/.*[?&]$2=\([^&]*\).*/\1/p")
  printf %s "${value:-$3}"
}

# The world of a source with its settings.
world_of() {
  case $1 in
    simulation*)
      scenario=$(setting "$1" scenario "${DCSIM_SCENARIO:-}")
      blind=$(setting "$1" blind "${DCSIM_BLIND:-no}" | sed -n 's/^yes$/, blind/p')
      printf 'scale %s, seed %s%s%s' "$(setting "$1" scale "${DCSIM_SCALE:-medium}")" \
        "$(setting "$1" seed "${DCSIM_SEED:-13}")" "${scenario:+, scenario $scenario}" "$blind"
      ;;
    *) printf %s "$1" ;;
  esac
}

# The sessions that are scraped now, a line each: name, tab, world. Names that are not set are made of the world, but of a
# blind one without its scenario.
sessions() {
  if [ -z "${DCSIM_SESSIONS:-}" ]; then
    world=$(world_of "${DCSIM_SOURCE:-simulation}")
    printf '%s\t%s\n' "${DCSIM_SESSION:-$(printf %s "$world" | sed 's/, scenario .*, blind$/, blind/')}" "$world"
    return
  fi
  # A comma that is followed by a name and an equals sign separates two sessions.
  printf '%s\n' "$DCSIM_SESSIONS" | awk '{ gsub(/,[^=,?&]*=/, "\n&"); print }' | sed 's/^[, ]*//' |
    while IFS= read -r item; do
      printf '%s\t%s\n' "${item%%=*}" "$(world_of "${item#*=}")"
    done
}

# Lists sessions that are new in DATA/past-world. Fails if one has another world than before, unless both are upstreams:
# a game may move to another address.
check_worlds() {
  sessions | while IFS=$tab read -r name world; do
    before=$(awk -F '\t' -v name="$name" '$1 == name { world = $2 } END { print world }' "$began" 2>/dev/null)
    case $before in
      "$world") continue ;;
      '') printf '%s\t%s\n' "$name" "$world" >>"$began" && continue ;;
      http*) case $world in http*) continue ;; esac ;;
    esac
    echo "Prometheus has data of the session $name with another world ($before) than it has now ($world), and would mix both." >&2
    echo 'Name the new session otherwise (DCSIM_SESSION or DCSIM_SESSIONS), or remove all data:' >&2
    echo '  docker compose --profile longterm down --volumes' >&2
    exit 1
  done
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
  # The last line is the end mark, and a sample ends with its time.
  to=$(for text in "$@"; do tail -n 2 "$text" | sed -n '1s/.* //p'; done | sort -n | tail -n 1)
  # Where promtool keeps temporary files.
  export TMPDIR="$past/unfinished"
  rm -rf "$past/blocks" "$past/made" "$past/failed" "$TMPDIR"
  mkdir -p "$past/blocks" "$past/made" "$TMPDIR"
  number=0
  for text in "$@"; do
    number=$((number + 1))
    echo "Loading part $number of $# of the history."
    promtool tsdb create-blocks-from openmetrics --quiet "$text" "$past/made/$number" || touch "$past/failed" &
    [ $((number % 2)) -ne 0 ] || wait
  done
  wait
  [ ! -e "$past/failed" ] || give_up "The history cannot be loaded."
  mv "$past"/made/*/* "$past/blocks/"
  record || {
    cat "$past/log" >&2
    echo 'Series of recording rules start at the present.' >&2
  }
  echo "$from $to" >"$past/blocks/span"
  mv "$past/blocks" "$loading"
}

# Adds blocks with what the recording rules would have recorded, computed by a Prometheus that scrapes nothing.
record() {
  mkdir -p "$past/prometheus" "$past/recorded"
  cp -r "$past"/blocks/* "$past/prometheus/"
  : >"$past/log"
  prometheus --config.file=/dev/null --storage.tsdb.path="$past/prometheus" --storage.tsdb.retention.time=100y \
    --query.lookback-delta=1m --web.listen-address=127.0.0.1:0 >>"$past/log" 2>&1 &
  computing=$!
  url=
  for _ in $(seq 300); do
    kill -0 $computing 2>/dev/null || return 1
    # A free port of its own: the log says which one.
    url=$(sed -n 's|.*[Ll]istening on.* address="*\([0-9.:]*\).*|http://\1|p' "$past/log")
    [ -n "$url" ] && promtool query instant "$url" 1 >/dev/null 2>&1 && break
    sleep 0.1
  done
  promtool tsdb create-blocks-from rules --start "$from" --end "$to" --eval-interval 20s --url "$url" \
    --output-dir "$past/recorded" "$rules" >>"$past/log" 2>&1
  recorded=$?
  kill $computing && wait $computing
  [ $recorded -eq 0 ] && mv "$past"/recorded/* "$past/blocks/"
}

check_worlds || exit 1
if [ ! -e "$loading" ]; then
  if [ -e "$data/wal" ] || [ -e "$span" ]; then
    echo 'Prometheus has data already: no history is loaded.'
    rm -rf "$past"
    exit 0
  fi
  make_blocks || {
    echo 'There is no history to load.'
    exit 0
  }
fi
for block in "$loading"/*/; do
  [ ! -e "$block" ] || mv "$block" "$data/"
done
[ ! -e "$loading/span" ] || mv "$loading/span" "$span"
rm -rf "$loading" "$past"
echo 'The history is loaded.'
