#!/bin/sh
# Prints the configuration of Alertmanager. Without any of these variables, alerts are shown in Alertmanager and Grafana
# alone; each one set adds a receiver:
#   DCSIM_ALERT_WEBHOOK  URL that gets Alertmanager's own JSON
#   DCSIM_ALERT_DISCORD  URL of a Discord webhook
#   DCSIM_ALERT_SLACK    URL of a Slack webhook
#   DCSIM_ALERT_NTFY     URL of an ntfy topic, such as https://ntfy.sh/my-topic
#   DCSIM_ALERT_EMAIL    smtp://user:password@host:port/oncall@example.org, user and password not percent-encoded
set -eu

# Bracket expressions match bytes in every locale.
export LC_ALL=C
invalid=no

# refuse VARIABLE EXPECTED: never shows the value, as any of them may hold a secret.
refuse() {
  printf '%s: invalid value (not shown), expected %s\n' "$1" "$2" >&2
  invalid=yes
}

# A line break would break out of the YAML. grep looks at each line by itself, so it cannot refuse one.
line_break='
'
matches() {
  case $1 in *"$line_break"*) return 1 ;; esac
  printf '%s\n' "$1" | grep -Eq "^$2\$"
}

# What Alertmanager accepts, so that it is refused here with the name of its variable.
host='(\[[0-9A-Fa-f:.]+\]|[^][:space:][:cntrl:]/?#@:%<>"\\^`{|}[]+)'
user='(([A-Za-z0-9._~!$&()*+,;=:-]|%[0-9A-Fa-f]{2})+@)?'
path='([/?]([^%#[:space:][:cntrl:]]|%[0-9A-Fa-f]{2})*)?'
url="https?://$user$host(:[0-9]{1,5})?$path"

for name in DCSIM_ALERT_WEBHOOK DCSIM_ALERT_DISCORD DCSIM_ALERT_SLACK DCSIM_ALERT_NTFY; do
  # shellcheck disable=SC2154 # eval assigns it.
  eval "value=\${$name:-}"
  [ -z "$value" ] || matches "$value" "$url" || refuse "$name" 'an http or https URL'
done

email=${DCSIM_ALERT_EMAIL:-}
[ -z "$email" ] || matches "$email" "smtp://[^:]+:.+@$host:[0-9]{1,5}/[^/@]+@[^/@]+" ||
  refuse DCSIM_ALERT_EMAIL 'smtp://user:password@host:port/oncall@example.org'
[ $invalid = no ] || exit 2

# A YAML single-quoted scalar.
quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

cat <<'YAML'
route:
  receiver: none
  group_by: [job, instance, session, alertname]
  group_wait: 10s
  group_interval: 1m
  repeat_interval: 4h
  routes:
    # All alerts of one incident come as one message.
    - matchers: ['severity="critical"', 'incident=~".+"']
      receiver: notify
      group_by: [job, instance, session, incident]
      group_wait: 5s
      repeat_interval: 1h
    - matchers: ['severity="critical"']
      receiver: notify
      group_wait: 5s
      repeat_interval: 1h
    - matchers: ['severity="warning"', 'incident=~".+"']
      receiver: notify
      group_by: [job, instance, session, incident]
    - matchers: ['severity="warning"']
      receiver: notify
inhibit_rules:
  # A target that is down inhibits the alerts about its world.
  - source_matchers: ['alertname="DcsimMirrorDown"']
    target_matchers: ['alertname!~"DcsimMirrorDown|DcsimMirrorAbsent|DcsimWatchdog"']
    equal: [job, instance, session]
YAML

# critical over warning over info, for the same thing. A label that both lack would count as equal.
for thing in incident customer host switch; do
  cat <<YAML
  - source_matchers: ['severity="critical"', '$thing=~".+"']
    target_matchers: ['severity=~"warning|info"', '$thing=~".+"']
    equal: [job, instance, session, $thing]
  - source_matchers: ['severity="warning"', '$thing=~".+"']
    target_matchers: ['severity="info"', '$thing=~".+"']
    equal: [job, instance, session, $thing]
YAML
done

cat <<'YAML'
  - source_matchers: ['alertname="DcsimSlaBudgetBurnsFast"']
    target_matchers: ['alertname="DcsimSlaBudgetBurnsSlowly"']
    equal: [job, instance, session, tier]
  # The failure of a whole zone explains failures within it.
  - source_matchers: ['alertname=~"DcsimPowerFeedDown|DcsimZoneAnnouncesNoRoutes|DcsimZoneHostsDown|DcsimZoneOverheats"']
    target_matchers: ['severity=~"warning|info"', 'az=~".+"']
    equal: [job, instance, session, az]
receivers:
  - name: none
  - name: notify
YAML

title='{{ .Status | toUpper }}: {{ (index .Alerts 0).Annotations.summary }}'
text='{{ range .Alerts }}{{ .Annotations.description }} (since {{ .StartsAt.Format "15:04:05 MST" }}) {{ .Annotations.dashboard_url }} {{ end }}'

if [ -n "${DCSIM_ALERT_WEBHOOK:-}${DCSIM_ALERT_NTFY:-}" ]; then
  echo '    webhook_configs:'
  if [ -n "${DCSIM_ALERT_WEBHOOK:-}" ]; then
    url=$(quoted "$DCSIM_ALERT_WEBHOOK")
    printf '      - url: %s\n        send_resolved: true\n' "$url"
  fi
  if [ -n "${DCSIM_ALERT_NTFY:-}" ]; then
    # This template of ntfy renders Alertmanager's JSON.
    case $DCSIM_ALERT_NTFY in *\?*) separator='&' ;; *) separator='?' ;; esac
    url=$(quoted "$DCSIM_ALERT_NTFY${separator}template=alertmanager")
    printf '      - url: %s\n        send_resolved: true\n' "$url"
  fi
fi

if [ -n "${DCSIM_ALERT_DISCORD:-}" ]; then
  url=$(quoted "$DCSIM_ALERT_DISCORD")
  printf '    discord_configs:\n      - webhook_url: %s\n        send_resolved: true\n' "$url"
  printf '        title: %s\n        message: %s\n' "$(quoted "$title")" "$(quoted "$text")"
fi

if [ -n "${DCSIM_ALERT_SLACK:-}" ]; then
  url=$(quoted "$DCSIM_ALERT_SLACK")
  printf '    slack_configs:\n      - api_url: %s\n        send_resolved: true\n' "$url"
  printf '        title: %s\n        text: %s\n' "$(quoted "$title")" "$(quoted "$text")"
fi

if [ -n "$email" ]; then
  rest=${email#smtp://}
  to=${rest##*/}
  rest=${rest%/*}
  host=${rest##*@}
  login=${rest%@*}
  printf '    email_configs:\n      - to: %s\n        from: %s\n' "$(quoted "$to")" "$(quoted "$to")"
  printf '        smarthost: %s\n        send_resolved: true\n' "$(quoted "$host")"
  printf '        auth_username: %s\n' "$(quoted "${login%%:*}")"
  printf '        auth_password: %s\n' "$(quoted "${login#*:}")"
  printf '        headers:\n          Subject: %s\n' "$(quoted "$title")"
fi
