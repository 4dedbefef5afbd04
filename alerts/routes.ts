import type { Settings } from './settings.ts'
import { targetLabels } from './promql.ts'

/**
 * How Alertmanager groups alerts into messages, and when it sends them. Prometheus evaluates every 5 seconds.
 *
 * A group that exists is looked at once in `group_interval`, so an alert that joins it is sent that late, and a
 * group lasts: Prometheus repeats what is resolved for 15 minutes. Alerts that are over before the next look are never
 * sent. Hence the short interval of critical alerts: each is sent within 10 seconds, and none that fires for 15 seconds
 * is lost. Those of Major incidents are sent within 20 seconds.
 *
 * What else a fault brings about is told at once, and once in ten minutes: a zone's own alerts, what is known of an
 * incident besides its band, and failing requests by plan.
 */
const changesOfOneCause = '10m'

/** Labels of what a critical alert is about, so that alike alerts about the same come as one message. */
const subjects = ['incident', 'az', 'customer'] as const

interface Route {
  readonly receiver: string
  readonly matchers?: readonly string[]
  readonly group_by: readonly string[]
  readonly group_wait: string
  readonly group_interval: string
  readonly repeat_interval: string
  readonly routes?: readonly Route[]
}

/** What `route` is in the configuration of Alertmanager. */
export function routes({ identity }: Settings): Route {
  const target = [...targetLabels, ...identity]
  return {
    receiver: 'none',
    group_by: [...target, 'alertname'],
    group_wait: '15s',
    group_interval: '2m',
    repeat_interval: '4h',
    routes: [
      {
        receiver: 'watchdog',
        matchers: ['alertname="DcsimWatchdog"'],
        group_by: ['alertname'],
        group_wait: '0s',
        // Every second look finds it sent longer ago than this: once a minute.
        group_interval: '30s',
        repeat_interval: '50s',
      },
      {
        receiver: 'critical',
        matchers: ['severity="critical"'],
        group_by: [...target, 'alertname', ...subjects],
        group_wait: '5s',
        group_interval: '9s',
        repeat_interval: '1h',
      },
      {
        receiver: 'warning',
        matchers: ['severity="warning"', 'alertname=~"DcsimIncident(Major|OfUnknownBand)"'],
        group_by: [...target, 'incident'],
        // Many become Critical within seconds, and are one message then.
        group_wait: '10s',
        group_interval: '15s',
        repeat_interval: '4h',
      },
      {
        // What else is known of an incident can wait, and is one message with what changes meanwhile.
        receiver: 'warning',
        matchers: ['severity="warning"', 'incident=~".+"'],
        group_by: [...target, 'incident'],
        group_wait: '15s',
        group_interval: changesOfOneCause,
        repeat_interval: '4h',
      },
      {
        receiver: 'warning',
        matchers: ['severity="warning"', 'alertname="DcsimSlaBudgetBurnsSlowly"'],
        group_by: [...target, 'alertname'],
        // Where it turns out to burn fast within a minute, that is told instead.
        group_wait: '1m',
        group_interval: changesOfOneCause,
        repeat_interval: '4h',
      },
      {
        receiver: 'warning',
        matchers: ['severity="warning"', 'alertname="DcsimSlaBudgetBurnsFast"'],
        group_by: [...target, 'alertname'],
        group_wait: '15s',
        group_interval: changesOfOneCause,
        repeat_interval: '4h',
      },
      {
        receiver: 'warning',
        matchers: ['severity="warning"', 'az=~".+"'],
        group_by: [...target, 'alertname', 'az'],
        group_wait: '15s',
        group_interval: changesOfOneCause,
        repeat_interval: '4h',
      },
      {
        receiver: 'warning',
        matchers: ['severity="warning"'],
        group_by: [...target, 'alertname'],
        group_wait: '15s',
        group_interval: '4m',
        repeat_interval: '4h',
      },
    ],
  }
}
