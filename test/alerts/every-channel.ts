import type { ChannelName } from '../../alerts/notifications/channels.ts'

/** A valid value of every variable that names a channel. */
export const everyChannel = {
  DCSIM_ALERT_WEBHOOK: 'http://127.0.0.1:8080/hook',
  DCSIM_ALERT_DISCORD: 'https://discord.com/api/webhooks/1/a',
  DCSIM_ALERT_SLACK: 'https://hooks.slack.com/services/a',
  DCSIM_ALERT_TEAMS: 'https://prod.example/workflows/a?api-version=1&sig=b_c-d',
  DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-topic',
  DCSIM_ALERT_EMAIL: "smtp://me:p'a:s@s@mail.example:587/me@example.org",
  DCSIM_ALERT_TELEGRAM: '123456:AAbb_cc-dddddddddddddddddd@-1001234567890',
  DCSIM_ALERT_PAGERDUTY: 'k'.repeat(32),
  DCSIM_ALERT_PUSHOVER: `${'t'.repeat(30)}@${'u'.repeat(30)}`,
  DCSIM_ALERT_WATCHDOG: 'https://hc-ping.com/a-b',
} satisfies Record<`DCSIM_ALERT_${Uppercase<ChannelName | 'watchdog'>}`, string>
