import type { ChannelName } from '../../../alerts/notifications/channels.ts'

export type Channel = ChannelName | 'watchdog'

/** A received message: its texts, and its raw body. */
export interface Message {
  readonly channel: Channel
  /** The severity of the receiver, from the path or the address of the message; empty for the watchdog. */
  readonly receiver: string
  readonly atMs: number
  readonly title: string
  readonly text: string
  readonly body: unknown
}

/** Alertmanager's own JSON, which webhooks receive. */
export interface WebhookBody {
  readonly receiver: string
  readonly status: 'firing' | 'resolved'
  readonly alerts: readonly WebhookAlert[]
  readonly groupLabels: Readonly<Record<string, string>>
  readonly groupKey: string
  readonly notification_reason: string
}

export interface WebhookAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly endsAt: string
  readonly fingerprint: string
}

interface Card {
  readonly attachments: readonly [
    { readonly content: { readonly body: readonly { readonly text: string }[] } },
  ]
}
interface Discord {
  readonly embeds: readonly [{ readonly title: string; readonly description: string }]
}
interface Slack {
  readonly attachments: readonly [{ readonly title: string; readonly text: string; readonly color: string }]
}
export interface Ntfy {
  readonly topic: string
  readonly title: string
  readonly message: string
  readonly priority: number
  readonly tags: readonly string[]
  readonly click: string
  readonly actions: readonly { readonly action: string; readonly label: string; readonly url: string }[]
}
export interface PagerDuty {
  readonly event_action: string
  readonly dedup_key: string
  readonly links: readonly { readonly text: string; readonly href: string }[]
  readonly payload: {
    readonly summary: string
    readonly severity: string
    readonly custom_details?: { readonly alerts?: string } | null
  }
}

/** Extracts title and text from each channel's format. */
export const readers: Readonly<Record<Channel, (body: never) => readonly [title: string, text: string]>> = {
  webhook: ({ status, alerts }: WebhookBody) => [
    status,
    alerts.map(({ annotations }) => `${annotations['summary']}. ${annotations['description']}`).join('\n'),
  ],
  watchdog: ({ alerts: [first] }: WebhookBody) => [first.labels['alertname'], ''],
  discord: ({ embeds: [{ title, description }] }: Discord) => [title, description],
  slack: ({ attachments: [{ title, text }] }: Slack) => [title, text],
  teams: ({ attachments: [{ content }] }: Card) => [content.body[0].text, content.body[1].text],
  // ntfy trims white space.
  ntfy: ({ title, message }: Ntfy) => [title.trim(), message.trim()],
  telegram: ({ text }: { readonly text: string }) => {
    const end = text.indexOf('\n')
    return [text.slice(0, end), text.slice(end + 1)]
  },
  pagerduty: ({ event_action: action, payload }: PagerDuty) => [
    `${action}: ${payload.summary}`,
    (payload.custom_details?.alerts ?? '').trim(),
  ],
  pushover: ({ title, message }: { readonly title: string; readonly message: string }) => [title, message],
  email: ({ subject, text }: { readonly subject: string; readonly text: string }) => [subject, text],
}
