import type { AlertSettings } from '../settings.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { alertMatcher } from './alert-matcher.ts'

/**
 * Grouping and timing of notifications in Alertmanager. Prometheus evaluates rules every 5 seconds.
 *
 * Alertmanager checks an existing group once in `group_interval`, so an alert that joins the group waits that long, and
 * a group lasts: Prometheus repeats resolved alerts for 15 minutes. Alerts that end before the next check are never
 * sent. Hence the short interval of critical alerts: each is sent within 10 seconds, and none that fires for 15 seconds
 * is lost. Those of Major incidents are sent within 15 seconds, and the end of both as soon.
 *
 * Further alerts of the same cause are sent at once, and not again within ten minutes: those of zones, those about an
 * incident besides its band, and failing requests by plan.
 */
const changesOfOneCause = '11m'

/** Labels for the subject of a critical alert: alerts of one name and subject form one notification. */
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

/** Routes of warnings by subject: the first that matches counts. */
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
    // Many incidents become Critical within seconds: both alerts then form one notification.
    route(alertMatcher(['DcsimIncidentMajor', 'DcsimIncidentOfUnknownBand']), ['incident'], '10s', '9s'),
    // Other alerts about an incident can wait, and form one notification with later changes.
    route('incident=~".+"', ['incident'], '15s', changesOfOneCause),
    // If the budget turns out to burn fast within a minute, that alert is sent instead.
    route(alertMatcher(['DcsimSlaBudgetBurnsSlowly']), ['alertname'], '1m', changesOfOneCause),
    route(alertMatcher(['DcsimSlaBudgetBurnsFast']), ['alertname'], '15s', changesOfOneCause),
    route('az=~".+"', ['alertname', 'az'], '15s', changesOfOneCause),
    route(null, ['alertname'], '15s', '4m'),
  ]
}

/** The value of `route` in Alertmanager's configuration. */
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
        // Every second check is later than this after the last notification, which makes one a minute.
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
