#!/bin/sh
# configuration.sh DIRECTORY: writes what the stack's Prometheus and Grafana read when they start:
#   prometheus.yml  /prometheus.yml, with remote_write to the long-term store if that runs
#   rules/          /rules, with links to the ports of the stack's Grafana and mirror
#   longterm-url    where Grafana reads long-term data: the long-term store, or Prometheus itself
# LONGTERM_WRITE_URL and LONGTERM_QUERY_URL name a store outside of the stack.
# Prometheus reloads its file when it changes; Grafana reads it only when it starts.
set -eu

# awk reads the port from the environment: no variable becomes part of a program.
case ${GRAFANA_PORT:-} in
  '' | *[!0-9]*)
    echo "GRAFANA_PORT: expected a port number" >&2
    exit 2
    ;;
esac
export GRAFANA_PORT
case ${DCSIM_PORT:=9740} in
  *[!0-9]*)
    echo "DCSIM_PORT: expected a port number" >&2
    exit 2
    ;;
esac
export DCSIM_PORT

case ${LONGTERM_WRITE_URL:-}${LONGTERM_QUERY_URL:-} in
  *[!A-Za-z0-9:/._~?\&=%@+,-]*)
    echo "LONGTERM_WRITE_URL, LONGTERM_QUERY_URL: expected addresses such as http://vminsert:8480/insert/0/prometheus/api/v1/write" >&2
    exit 2
    ;;
esac

folder=$1
store=http://victoria-metrics:8428

# Renaming is atomic: no reader sees a partial file.
put() {
  cat >"$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

# A directory that this user cannot write to is the empty mount point of an earlier version.
[ ! -d "$folder/rules" ] || [ -w "$folder/rules" ] || rmdir "$folder/rules"
mkdir -p "$folder/rules"
for rules in /rules/*.rules.yaml; do
  awk '{
    gsub("http://127[.]0[.]0[.]1:3000/", "http://127.0.0.1:" ENVIRON["GRAFANA_PORT"] "/")
    gsub("http://127[.]0[.]0[.]1:9740/runbooks/", "http://127.0.0.1:" ENVIRON["DCSIM_PORT"] "/runbooks/")
    print
  }' "$rules" |
    put "rules/${rules##*/}"
done
for rules in "$folder"/rules/*.rules.yaml; do
  [ -e "/rules/${rules##*/}" ] || rm "$rules"
done

write=${LONGTERM_WRITE_URL:-}
query=${LONGTERM_QUERY_URL:-http://prometheus:9090}
if [ -z "$write" ]; then
  # The name of a store that runs resolves, even before it responds.
  result=$(wget -q -O /dev/null "$store/health" 2>&1) || true
  case $result in
    *'bad address'*) ;;
    *)
      write=$store/api/v1/write
      query=$store
      ;;
  esac
fi

if [ -n "$write" ]; then
  { cat /prometheus.yml; printf "\nremote_write:\n  - url: '%s'\n" "$write"; } | put prometheus.yml
  printf %s "$query" | put longterm-url
  echo "Prometheus writes to the long-term store, and the Trends dashboard reads from $query."
else
  put prometheus.yml </prometheus.yml
  printf %s http://prometheus:9090 | put longterm-url
  echo "No long-term store runs: the Trends dashboard reads from Prometheus."
fi
