import type { AlertSettings } from '../settings.ts'
import { targetLabels } from '../promql/metrics.ts'
import { alertMatcher } from './alert-matcher.ts'

/**
 * How Alertmanager groups alerts into messages, and when it sends them. Prometheus evaluates every 5 seconds.
 *
 * A group that exists is looked at once in `group_interval`, so an alert that joins it is sent that late, and a
 * group lasts: Prometheus repeats what is resolved for 15 minutes. Alerts that are over before the next look are never
 * sent. Hence the short interval of critical alerts: each is sent within 10 seconds, and none that fires for 15 seconds
 * is lost. Those of Major incidents are sent within 20 seconds.
 *
 * What else a fault brings about is told at once, and not again within ten minutes: a zone's own alerts, what is known
 * of an incident besides its band, and failing requests by plan.
 */
const changesOfOneCause = '11m'

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

/** Warnings, by what they are about: the first route that fits counts. */
function warnings(target: readonly string[]): Route[] {
  const route = (
    matcher: string | null,
    by: readonly string[],
    group_wait: string,
    group_interval: string,
  ): Route => ({
    receiver: 'warning',
    matchers: ['severity="warning"', ...(matcher === null ? [] : [matcher])],
    group_by: [...target, ...by],
    group_wait,
    group_interval,
    repeat_interval: '4h',
  })
  return [
    // Many become Critical within seconds, and are one message then.
    route(alertMatcher(['DcsimIncidentMajor', 'DcsimIncidentOfUnknownBand']), ['incident'], '10s', '15s'),
    // What else is known of an incident can wait, and is one message with what changes meanwhile.
    route('incident=~".+"', ['incident'], '15s', changesOfOneCause),
    // Where it turns out to burn fast within a minute, that is told instead.
    route(alertMatcher(['DcsimSlaBudgetBurnsSlowly']), ['alertname'], '1m', changesOfOneCause),
    route(alertMatcher(['DcsimSlaBudgetBurnsFast']), ['alertname'], '15s', changesOfOneCause),
    route('az=~".+"', ['alertname', 'az'], '15s', changesOfOneCause),
    route(null, ['alertname'], '15s', '4m'),
  ]
}

/** What `route` is in the configuration of Alertmanager. */
export function alertRoutes({ identity }: AlertSettings): Route {
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
        matchers: [alertMatcher(['DcsimWatchdog'])],
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
      ...warnings(target),
    ],
  }
}
