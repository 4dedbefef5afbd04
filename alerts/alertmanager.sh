#!/bin/sh
# Prints the configuration of Alertmanager. Set any of these to be told; without them alerts are seen in
# Alertmanager and Grafana alone:
#   DCSIM_ALERT_WEBHOOK  address that gets Alertmanager's own JSON
#   DCSIM_ALERT_DISCORD  address of a Discord webhook
#   DCSIM_ALERT_SLACK    address of a Slack webhook
#   DCSIM_ALERT_NTFY     address of an ntfy topic, such as https://ntfy.sh/my-topic
#   DCSIM_ALERT_EMAIL    smtp://user:password@host:port/somebody@example.org, user and password as they are
set -eu

# What is wrong is told of all variables before anything is printed.
wrong=no
refuse() {
  printf '%s: got "%s", expected %s\n' "$1" "$2" "$3" >&2
  wrong=yes
}

# A line end would break out of the YAML, and no address has one.
line_end='
'
for name in DCSIM_ALERT_WEBHOOK DCSIM_ALERT_DISCORD DCSIM_ALERT_SLACK DCSIM_ALERT_NTFY; do
  eval "value=\${$name:-}"
  case $value in
    *"$line_end"*) refuse "$name" 'more than one line' 'an http or https address' ;;
    '' | http://?* | https://?*) ;;
    *) refuse "$name" "$value" 'an http or https address' ;;
  esac
done

# What may be a password is not shown.
without_password() {
  case $1 in smtp://*) printf smtp:// ;; esac
  printf %s "${1#smtp://}" | sed -e 's/:.*@/:***@/' -e t -e 's/:.*/:***/'
}

email=${DCSIM_ALERT_EMAIL:-}
form='smtp://user:password@host:port/somebody@example.org'
case $email in
  *"$line_end"*) refuse DCSIM_ALERT_EMAIL 'more than one line' "$form" ;;
  '' | smtp://?*:?*@?*:?*/?*@?*) ;;
  *) refuse DCSIM_ALERT_EMAIL "$(without_password "$email")" "$form" ;;
esac
[ $wrong = no ] || exit 2

# A value as YAML writes it.
quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

cat <<'YAML'
route:
  receiver: seen
  group_by: [job, instance, alertname]
  group_wait: 10s
  group_interval: 1m
  repeat_interval: 4h
  routes:
    # Whatever belongs to one incident comes as one message.
    - matchers: ['severity="critical"', 'incident=~".+"']
      receiver: told
      group_by: [job, instance, incident]
      group_wait: 5s
      repeat_interval: 1h
    - matchers: ['severity="critical"']
      receiver: told
      group_wait: 5s
      repeat_interval: 1h
    - matchers: ['severity="warning"', 'incident=~".+"']
      receiver: told
      group_by: [job, instance, incident]
    - matchers: ['severity="warning"']
      receiver: told
inhibit_rules:
  # A dead target silences what it would tell.
  - source_matchers: ['alertname="MirrorDown"']
    target_matchers: ['alertname!~"MirrorDown|MirrorAbsent|Watchdog"']
    equal: [job, instance]
YAML

# critical over warning over info, for the same thing. A label that both lack would count as equal.
for thing in incident customer host switch; do
  cat <<YAML
  - source_matchers: ['severity="critical"', '$thing=~".+"']
    target_matchers: ['severity=~"warning|info"', '$thing=~".+"']
    equal: [job, instance, $thing]
  - source_matchers: ['severity="warning"', '$thing=~".+"']
    target_matchers: ['severity="info"', '$thing=~".+"']
    equal: [job, instance, $thing]
YAML
done

cat <<'YAML'
  - source_matchers: ['alertname="SlaBudgetBurnsFast"']
    target_matchers: ['alertname="SlaBudgetBurnsSlowly"']
    equal: [job, instance, tier]
  # What goes wrong with a whole zone explains what goes wrong in it.
  - source_matchers: ['alertname=~"PowerFeedDown|ZoneAnnouncesNoRoutes|ZoneHostsDown|ZoneOverheats"']
    target_matchers: ['severity=~"warning|info"', 'az=~".+"']
    equal: [job, instance, az]
receivers:
  - name: seen
  - name: told
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
    # ntfy makes a readable message of Alertmanager's JSON itself.
    url=$(quoted "$DCSIM_ALERT_NTFY?template=alertmanager")
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
