import { by, calculateEach, increase, metric, recorded } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { CounterName, TargetLabel } from '../../promql/metrics.ts'
import { recordAveraged } from '../rule.ts'
import type { Recording, RuleGroup } from '../rule.ts'
import { scaleRange, windowName } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'

/** The windows of rates, in wall seconds at the design speed. */
export const windows = { short: 120, long: 1800 } as const
type Window = keyof typeof windows

/** Simulated seconds elapsed in a window, by which counter increases of that window are divided. */
export const elapsed = (window: Window): Expr<TargetLabel> =>
  recorded(`world:dcsim_sim_time_seconds:increase_${windowName(windows[window])}`)

const elapsedIn = (settings: AlertSettings, window: Window): Recording => {
  const steps = increase('dcsim_sim_steps_total', scaleRange(settings, windows[window]))
  const seconds = calculateEach(steps, '*', metric('dcsim_sim_step_seconds'))
  return recordAveraged(settings, elapsed(window).text, seconds)
}

/** A rate per simulated second: a counter's increase in a window over the simulated time of that window. */
const perSimSecond = <L extends string>(gained: Expr<L>, window: Window): Expr<L> =>
  calculateEach(gained, '/', elapsed(window))

type Rated = CounterName extends infer N ? (N extends `${infer Counted}_total` ? Counted : never) : never

/** The name under which the rate of a counter in the short window is recorded, by the label that it is taken by. */
export const perSimSecondName = (what: `${string}:${Rated}`): string =>
  `${what}:rate_${windowName(windows.short)}`

export function clockRules(settings: AlertSettings): RuleGroup {
  const short = scaleRange(settings, windows.short)
  const rate = <L extends TargetLabel>(what: `${string}:${Rated}`, gained: Expr<L>): Recording =>
    recordAveraged(settings, perSimSecondName(what), perSimSecond(gained, 'short'))
  return {
    subject: 'clock',
    recordings: [
      elapsedIn(settings, 'short'),
      elapsedIn(settings, 'long'),
      rate(
        'tier:dcsim_customer_requests',
        by('sum', increase('dcsim_customer_requests_total', short), ['tier']),
      ),
      rate(
        'tier:dcsim_customer_failed_requests',
        by('sum', increase('dcsim_customer_failed_requests_total', short), ['tier']),
      ),
      rate(
        'tier:dcsim_customer_revenue_dollars',
        by('sum', increase('dcsim_customer_revenue_dollars_total', short), ['tier']),
      ),
      rate(
        'band:dcsim_incidents_opened',
        by('sum', increase('dcsim_incidents_opened_total', short), ['band']),
      ),
      rate('switch:dcsim_switch_errors', increase('dcsim_switch_errors_total', short)),
      rate('switch:dcsim_switch_link_flaps', increase('dcsim_switch_link_flaps_total', short)),
    ],
    alerts: [],
  }
}
