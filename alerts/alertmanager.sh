#!/bin/sh
# alertmanager.sh DIRECTORY: writes what Alertmanager reads: DIRECTORY/alertmanager.yml, and beside it a file for each
# secret. Without any of these variables, alerts are shown in Alertmanager and Grafana alone; each one adds a channel:
#   DCSIM_ALERT_WEBHOOK    URL that gets Alertmanager's own JSON
#   DCSIM_ALERT_DISCORD    URL of a Discord webhook
#   DCSIM_ALERT_SLACK      URL of a Slack webhook
#   DCSIM_ALERT_TEAMS      URL of a workflow of Microsoft Teams
#   DCSIM_ALERT_NTFY       URL of an ntfy topic, such as https://ntfy.sh/my-topic
#   DCSIM_ALERT_EMAIL      smtp://user:password@host:port/oncall@example.org, user and password not percent-encoded
#   DCSIM_ALERT_TELEGRAM   TOKEN@CHAT: a bot's token and the number of a chat
#   DCSIM_ALERT_PAGERDUTY  integration key of a service (Events API v2)
#   DCSIM_ALERT_PUSHOVER   TOKEN@USER: an application's token and a user's key
# With _CRITICAL or _WARNING behind its name, a variable is for alerts of that severity alone, in place of the general one.
#   DCSIM_ALERT_WATCHDOG   URL that gets a POST each minute while alerting works: a dead man's switch
set -eu

# Bracket expressions match bytes in every locale.
export LC_ALL=C
umask 077
here=$(cd "$(dirname "$0")" && pwd)
channels='webhook ntfy discord slack teams email telegram pagerduty pushover'
invalid=no

# shown VALUE: as much of it as holds no secret: the scheme and the host of a URL, three characters of anything else.
shown() {
  case $1 in
    http://* | https://*)
      rest=${1#*://}
      authority=${rest%%[/?]*}
      ! matches "$authority" "$host(:[0-9]{1,5})?" || printf '%s' "${1%%://*}://$authority/"
      printf '… (%s characters)' "${#1}"
      ;;
    *) printf '%.3s… (%s characters)' "$1" "${#1}" ;;
  esac | tr -d '\000-\037\177'
}

refuse() { # VARIABLE VALUE EXPECTED
  printf '%s: got %s, expected %s\n' "$1" "$(shown "$2")" "$3" >&2
  invalid=yes
}

# A line break would break out of the YAML. grep looks at each line by itself, so it cannot refuse one.
line_break='
'
matches() {
  case $1 in *"$line_break"*) return 1 ;; esac
  printf '%s\n' "$1" | grep -Eq "^$2\$"
}

# What Alertmanager accepts, so that it is refused here with the name of its variable. It reads {{ as a template.
host='(\[[0-9A-Fa-f:.]+\]|[^][:space:][:cntrl:]/?#@:%<>"\\^`{|}[]+)'
user='(([A-Za-z0-9._~!$&()*+,;=:-]|%[0-9A-Fa-f]{2})+@)?'
path='([/?]([^%#{}[:space:][:cntrl:]]|%[0-9A-Fa-f]{2})*)?'
url="https?://$user$host(:[0-9]{1,5})?$path"

check() { # CHANNEL VARIABLE VALUE
  case $1 in
    # A topic of digits would be sent as a number.
    ntfy) pattern="https?://$user$host(:[0-9]{1,5})?/[^/?%#{}[:space:][:cntrl:]]*[^0-9/?%#{}[:space:][:cntrl:]][^/?%#{}[:space:][:cntrl:]]*(\?([^%#{}[:space:][:cntrl:]]|%[0-9A-Fa-f]{2})*)?"
      expected='the URL of a topic, such as https://ntfy.sh/my-topic' ;;
    email) pattern="smtp://[^:]+:.+@$host:[0-9]{1,5}/[^/@]+@[^/@]+"
      expected='smtp://user:password@host:port/oncall@example.org' ;;
    telegram) pattern='[0-9]+:[A-Za-z0-9_-]{20,}@-?[1-9][0-9]{0,17}'
      expected="TOKEN@CHAT: a bot's token and the number of a chat, such as 123456:ABC…@-1001234567890" ;;
    pagerduty) pattern='[A-Za-z0-9]{32}'
      expected='an integration key of 32 letters and digits' ;;
    pushover) pattern='[A-Za-z0-9]{30}@[A-Za-z0-9]{30}'
      expected="TOKEN@USER: an application's token and a user's key, of 30 letters and digits each" ;;
    *) pattern=$url
      expected='an http or https URL' ;;
  esac
  matches "$3" "$pattern" || refuse "$2" "$3" "$expected"
}

# value VARIABLE: what it is set to, or nothing. All names are made here, so that none is a program.
value() { eval "printf '%s' \"\${$1:-}\""; }

for channel in $channels; do
  name=DCSIM_ALERT_$(printf %s "$channel" | tr a-z A-Z)
  for variable in "$name" "${name}_CRITICAL" "${name}_WARNING"; do
    given=$(value "$variable")
    [ -z "$given" ] || check "$channel" "$variable" "$given"
  done
done
[ -z "${DCSIM_ALERT_WATCHDOG:-}" ] || check watchdog DCSIM_ALERT_WATCHDOG "$DCSIM_ALERT_WATCHDOG"
[ $invalid = no ] || exit 2

directory=${1:?alertmanager.sh DIRECTORY: where to write to}
mkdir -p "$directory/secrets"
directory=$(cd "$directory" && pwd)

# A YAML single-quoted scalar.
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"; }

# secret NAME VALUE: writes it to a file, and prints that file's path as YAML.
secret() {
  printf %s "$2" >"$directory/secrets/$1"
  quoted "$directory/secrets/$1"
}

webhook() {
  cat <<YAML
      - url_file: $(secret "${3:-webhook}-$1" "$2")
        send_resolved: true
YAML
}

discord() {
  cat <<YAML
    discord_configs:
      - webhook_url_file: $(secret "discord-$1" "$2")
        send_resolved: true
        title: '{{ template "dcsim.title" . }}'
        message: '{{ template "dcsim.markdown" . }}'
YAML
}

slack() {
  cat <<YAML
    slack_configs:
      - api_url_file: $(secret "slack-$1" "$2")
        send_resolved: true
        color: '{{ template "dcsim.slack.color" . }}'
        title: '{{ template "dcsim.slack.title" . }}'
        title_link: '{{ template "dcsim.dashboard" . }}'
        fallback: '{{ template "dcsim.slack.title" . }}'
        text: '{{ template "dcsim.slack" . }}'
        mrkdwn_in: [text]
YAML
}

teams() {
  cat <<YAML
    msteamsv2_configs:
      - webhook_url_file: $(secret "teams-$1" "$2")
        send_resolved: true
        title: '{{ template "dcsim.title" . }}'
        text: '{{ template "dcsim.teams" . }}'
YAML
}

# ntfy publishes JSON that is posted to its root. With a template of the user's own, it gets Alertmanager's JSON.
ntfy() {
  case $2 in *[\?\&]template=* | *[\?\&]tpl=*) webhook "$1" "$2" ntfy; return ;; esac
  without_query=${2%%\?*}
  query=${2#"$without_query"}
  cat <<YAML
      - url_file: $(secret "ntfy-$1" "${without_query%/*}/$query")
        send_resolved: true
        payload:
          topic: $(quoted "${without_query##*/}")
          title: '{{ template "dcsim.ntfy.title" . }}'
          message: '{{ template "dcsim.ntfy.message" . }}'
          priority: '{{ template "dcsim.ntfy.priority" . }}'
          tags: ['{{ template "dcsim.ntfy.tag" . }}']
          click: '{{ template "dcsim.dashboard" . }}'
          actions:
            - { action: view, label: Runbook, url: '{{ template "dcsim.runbook" . }}' }
            - { action: view, label: Silence, url: '{{ template "dcsim.silence" . }}' }
YAML
}

email() {
  rest=${2#smtp://}
  to=${rest##*/}
  rest=${rest%/*}
  server=${rest##*@}
  login=${rest%@*}
  cat <<YAML
    email_configs:
      - to: $(quoted "$to")
        from: $(quoted "$to")
        smarthost: $(quoted "$server")
        auth_username: $(quoted "${login%%:*}")
        auth_password_file: $(secret "email-$1" "${login#*:}")
        send_resolved: true
        headers:
          Subject: '{{ template "dcsim.title" . }}'
          X-Priority: '{{ template "dcsim.email.priority" . }}'
        html: '{{ template "dcsim.email.html" . }}'
        text: '{{ template "dcsim.email.text" . }}'
YAML
}

telegram() {
  cat <<YAML
    telegram_configs:
      - api_url: https://api.telegram.org
        bot_token_file: $(secret "telegram-$1" "${2%@*}")
        chat_id: ${2##*@}
        parse_mode: HTML
        send_resolved: true
        message: '{{ template "dcsim.telegram" . }}'
YAML
}

pagerduty() {
  cat <<YAML
    pagerduty_configs:
      - url: https://events.pagerduty.com/v2/enqueue
        routing_key_file: $(secret "pagerduty-$1" "$2")
        send_resolved: true
        severity: '{{ template "dcsim.severity.word" . }}'
        description: '{{ template "dcsim.pagerduty.title" . }}'
        client: dcsim-mirror
        client_url: '{{ template "dcsim.dashboard" . }}'
        class: '{{ .CommonLabels.alertname }}'
        group: '{{ .CommonLabels.session }}'
        details: { alerts: '{{ template "dcsim.pagerduty.text" . }}' }
        links:
          - { text: Dashboard, href: '{{ template "dcsim.dashboard" . }}' }
          - { text: Runbook, href: '{{ template "dcsim.runbook" . }}' }
          - { text: Silence, href: '{{ template "dcsim.silence" . }}' }
YAML
}

pushover() {
  cat <<YAML
    pushover_configs:
      - token_file: $(secret "pushover-token-$1" "${2%@*}")
        user_key_file: $(secret "pushover-user-$1" "${2##*@}")
        send_resolved: true
        title: '{{ template "dcsim.title" . }}'
        message: '{{ template "dcsim.pushover" . }}'
        url: '{{ template "dcsim.dashboard" . }}'
        url_title: Dashboard
        priority: '{{ template "dcsim.pushover.priority" . }}'
YAML
}

# receiver SEVERITY: all channels that alerts of it go to.
receiver() {
  listed=
  printf '  - name: %s\n' "$1"
  for channel in $channels; do
    name=DCSIM_ALERT_$(printf %s "$channel" | tr a-z A-Z)
    given=$(value "${name}_$(printf %s "$1" | tr a-z A-Z)")
    [ -n "$given" ] || given=$(value "$name")
    [ -n "$given" ] || continue
    # Both are webhooks to Alertmanager.
    case $channel in
      webhook | ntfy) [ "$listed" = webhooks ] || printf '    webhook_configs:\n'; listed=webhooks ;;
    esac
    "$channel" "$1" "$given"
  done
}

{
  printf 'route:\n'
  cat "$here/generated/routes.yml"
  printf 'inhibit_rules:\n'
  cat "$here/generated/inhibit-rules.yml"
  printf 'templates:\n  - %s\n' "$(quoted "$here/templates/*.tmpl")"
  printf 'receivers:\n  - name: none\n  - name: watchdog\n'
  if [ -n "${DCSIM_ALERT_WATCHDOG:-}" ]; then
    printf '    webhook_configs:\n'
    webhook watchdog "$DCSIM_ALERT_WATCHDOG" | sed s/send_resolved:\ true/send_resolved:\ false/
  fi
  receiver critical
  receiver warning
} >"$directory/alertmanager.yml"
