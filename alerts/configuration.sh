#!/bin/sh
# configuration.sh FOLDER: writes there what the stack's Prometheus and Grafana read at their start:
#   prometheus.yml  /prometheus.yml, and that all of it is written on to the long-term store, if one runs
#   rules/          /rules, whose links lead to the port that the stack's Grafana has
#   longterm-url    where Grafana reads the long past: the long-term store, or Prometheus itself
# Prometheus notices by itself when its file changes; Grafana looks at its start alone.
set -eu

folder=$1
store=http://victoria-metrics:8428

# No reader ever sees half a file.
put() {
  cat >"$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

# A folder that is not ours is an empty one that was mounted over before.
[ ! -d "$folder/rules" ] || [ -w "$folder/rules" ] || rmdir "$folder/rules"
mkdir -p "$folder/rules"
for rules in /rules/*.rules.yaml; do
  sed "s#http://127\.0\.0\.1:3000/#http://127.0.0.1:$GRAFANA_PORT/#" "$rules" | put "rules/${rules##*/}"
done
for rules in "$folder"/rules/*.rules.yaml; do
  [ -e "/rules/${rules##*/}" ] || rm "$rules"
done

# A store that runs has a name, even while it does not answer yet.
told=$(wget -q -O /dev/null "$store/health" 2>&1) || true
case $told in *'bad address'*) runs=no ;; *) runs=yes ;; esac

if [ $runs = yes ]; then
  { cat /prometheus.yml; printf '\nremote_write:\n  - url: %s/api/v1/write\n' "$store"; } | put prometheus.yml
  printf %s "$store" | put longterm-url
  echo "There is a long-term store: Prometheus writes on to it, and Trends reads from it."
else
  put prometheus.yml </prometheus.yml
  printf %s http://prometheus:9090 | put longterm-url
  echo "There is no long-term store: Prometheus alone keeps what it scrapes."
fi
