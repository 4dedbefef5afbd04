/** The channels for notifications: a variable each, and the Alertmanager configuration for its value. */

/** An integration of a receiver: the name of a list in Alertmanager's receivers, and an entry of that list. */
interface Integration {
  readonly list: `${string}_configs`
  readonly entry: Readonly<Record<string, unknown>>
}

type Link = readonly [label: string, address: string]

/** Writes a secret to a file of its own, and returns the path. A channel with two secrets names their parts. */
type KeepSecret = (secret: string, part?: string) => string

export interface Channel {
  /** The value of the channel's variable, in Markdown. */
  readonly value: string
  /** The values that Alertmanager accepts, so that any other is refused with the name of the variable. */
  readonly pattern: RegExp
  readonly expected: string
  /** `links` are those that a message has beside its text. */
  readonly integration: (value: string, keep: KeepSecret, links: readonly Link[]) => Integration
}

// Excludes {{, which Alertmanager reads as a template.
const host = /(?:\[[\dA-Fa-f:.]+\]|[^\][\s\p{Cc}/?#@:%<>"\\^`{|}]+)/u.source
const server = `https?://(?:(?:[\\w.~!$&()*+,;=:\\-]|%[\\dA-Fa-f]{2})+@)?${host}(?::\\d{1,5})?`
const letter = '(?:[^%#\\{\\}\\s\\p{Cc}]|%[\\dA-Fa-f]{2})'
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'u')

const url = {
  pattern: whole(`${server}(?:[\\/?]${letter}*)?`),
  expected: 'an http or https URL',
}
/** The part of a URL that is not secret, without the path. */
export const serverPattern = new RegExp(`^https?://${host}(?::\\d{1,5})?(?=[/?]|$)`, 'u')

const template = (name: string): string => `{{ template "dcsim.${name}" . }}`

const webhook: Channel['integration'] = (value, keep) => ({
  list: 'webhook_configs',
  entry: { url_file: keep(value) },
})

/** The links of a message, for a reader who reaches Alertmanager, or does not. */
export const linksOf = (reachesAlertmanager: boolean): readonly Link[] => [
  ['Dashboard', template('dashboard')],
  ['Runbook', template('runbook')],
  ...(reachesAlertmanager ? ([['Silence', template('silence')]] as const) : []),
]

export const channels = {
  webhook: { ...url, value: "a URL that gets Alertmanager's own JSON", integration: webhook },
  discord: {
    ...url,
    value: 'the URL of a Discord webhook',
    integration: (value, keep) => ({
      list: 'discord_configs',
      entry: {
        webhook_url_file: keep(value),
        title: template('markdown.title'),
        message: template('markdown'),
      },
    }),
  },
  slack: {
    ...url,
    value: 'the URL of a Slack webhook',
    integration: (value, keep) => ({
      list: 'slack_configs',
      entry: {
        api_url_file: keep(value),
        color: template('slack.color'),
        title: template('html.title'),
        title_link: template('dashboard'),
        fallback: template('html.title'),
        text: template('slack'),
        mrkdwn_in: ['text'],
      },
    }),
  },
  teams: {
    ...url,
    value: 'the URL of a workflow of Microsoft Teams, "When a Teams webhook request is received"',
    integration: (value, keep) => ({
      list: 'msteamsv2_configs',
      entry: { webhook_url_file: keep(value), title: template('markdown.title'), text: template('teams') },
    }),
  },
  ntfy: {
    value: 'the URL of an ntfy topic, such as `https://ntfy.sh/my-topic`; a query stays: `?auth=…`',
    // A topic of digits would be sent as a number.
    pattern: whole(`${server}/(?!\\d*(?:\\?|$))[^/?%#\\{\\}\\s\\p{Cc}]+(?:\\?${letter}*)?`),
    expected: 'the URL of a topic, such as https://ntfy.sh/my-topic',
    // ntfy publishes JSON that is posted to its root. With a template of the user's own, it gets
    // Alertmanager's JSON.
    integration: (value, keep, links) => {
      if (/[?&](?:template|tpl)=/.test(value)) return webhook(value, keep, links)
      const [, root, topic, query] = /^([^?]*\/)([^/?]*)(.*)$/.exec(value)!
      const [, ...actions] = links
      const entry = {
        url_file: keep(root + query),
        payload: {
          topic,
          title: template('ntfy.title'),
          message: template('yaml.text'),
          priority: template('ntfy.priority'),
          tags: [template('ntfy.tag')],
          click: template('dashboard'),
          actions: actions.map(([label, address]) => ({ action: 'view', label, url: address })),
        },
      }
      return { list: 'webhook_configs', entry }
    },
  },
  email: {
    value: '`smtp://user:password@host:port/oncall@example.org`, user and password not percent-encoded',
    pattern: whole(`smtp://[^:\\n]+:.+@${host}:\\d{1,5}/[^/@\\n]+@[^/@\\n]+`),
    expected: 'smtp://user:password@host:port/oncall@example.org',
    integration: (value, keep) => {
      const [, user, password, smarthost, to] = /^smtp:\/\/([^:]+):(.+)@([^@]+)\/([^/]+)$/.exec(value)!
      const entry = {
        to,
        from: to,
        smarthost,
        auth_username: user,
        auth_password_file: keep(password),
        headers: { Subject: template('title'), 'X-Priority': template('email.priority') },
        html: template('email.html'),
        text: template('email.text'),
      }
      return { list: 'email_configs', entry }
    },
  },
  telegram: {
    value: '`TOKEN@CHAT`: the token of a bot and the number of a chat, such as `123456:ABC…@-1001234567890`',
    pattern: whole('\\d+:[\\w\\-]{20,}@-?[1-9]\\d{0,17}'),
    expected: "TOKEN@CHAT: a bot's token and the number of a chat, such as 123456:ABC…@-1001234567890",
    integration: (value, keep) => {
      const [token, chat] = value.split('@')
      const entry = {
        api_url: 'https://api.telegram.org',
        bot_token_file: keep(token),
        chat_id: Number(chat),
        parse_mode: 'HTML',
        message: template('telegram'),
      }
      return { list: 'telegram_configs', entry }
    },
  },
  pagerduty: {
    value: 'the integration key of a PagerDuty service, Events API v2',
    pattern: whole('[A-Za-z\\d]{32}'),
    expected: 'an integration key of 32 letters and digits',
    integration: (value, keep, links) => ({
      list: 'pagerduty_configs',
      entry: {
        url: 'https://events.pagerduty.com/v2/enqueue',
        routing_key_file: keep(value),
        severity: template('severity.word'),
        description: template('bare.title'),
        client: 'dcsim-mirror',
        client_url: template('dashboard'),
        class: '{{ .CommonLabels.alertname }}',
        group: '{{ .CommonLabels.session }}',
        // Alertmanager would add each alert whole, and leave out all details of a message over 512 KB.
        details: { alerts: template('yaml.text'), firing: '', resolved: '' },
        links: links.map(([text, href]) => ({ text, href })),
      },
    }),
  },
  pushover: {
    value: '`TOKEN@USER`: the token of a Pushover application and the key of a user',
    pattern: whole('[A-Za-z\\d]{30}@[A-Za-z\\d]{30}'),
    expected: "TOKEN@USER: an application's token and a user's key, of 30 letters and digits each",
    integration: (value, keep) => {
      const [token, user] = value.split('@')
      const entry = {
        token_file: keep(token, 'token'),
        user_key_file: keep(user, 'user'),
        title: template('title'),
        message: template('plain'),
        url: template('dashboard'),
        url_title: 'Dashboard',
        priority: template('pushover.priority'),
      }
      return { list: 'pushover_configs', entry }
    },
  },
} as const satisfies Record<string, Channel>

export type ChannelName = keyof typeof channels
export const channelNames = Object.keys(channels) as ChannelName[]

/** A dead man's switch: gets the watchdog alert only, without notifications of its end. */
export const watchdog: Channel = {
  ...url,
  value: 'a URL that gets a POST each minute while alerting works, such as `https://hc-ping.com/…`',
  integration: webhook,
}

/** The severities that have receivers. */
export const notifiedSeverities = ['critical', 'warning'] as const

/** The variable of a channel; with a severity, the variable that overrides it for that severity. */
export const variableOf = (channel: string, severity?: (typeof notifiedSeverities)[number]): string =>
  ['DCSIM_ALERT', channel, ...(severity === undefined ? [] : [severity])].join('_').toUpperCase()

/** The variables of a channel: the general one, and those by severity. */
export const variablesOf = (channel: ChannelName): readonly string[] => [
  variableOf(channel),
  ...notifiedSeverities.map((severity) => variableOf(channel, severity)),
]

/** The variables of all channels and of the watchdog. */
export const everyVariable: readonly string[] = [...channelNames.flatMap(variablesOf), variableOf('watchdog')]
