import { by, calculateEach, increase, metric, recorded } from '../promql/expressions.ts'
import type { Expr } from '../promql/expressions.ts'
import type { TargetLabel } from '../promql/metrics.ts'
import { recordAveraged } from '../rule.ts'
import type { Recording, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'

/** The windows of rates, in wall seconds at the design speed, by name. */
export const windows = { short: 120, long: 1800 } as const
type Window = keyof typeof windows

/** Simulated seconds elapsed in a window, by which counter increases of that window are divided. */
export const elapsed = (window: Window): Expr<TargetLabel> =>
  recorded(`world:dcsim_sim_seconds:increase_${window}`)

const elapsedIn = (settings: AlertSettings, window: Window): Recording => {
  const steps = increase('dcsim_sim_steps_total', scaleRange(settings, windows[window]))
  const seconds = calculateEach(steps, '*', metric('dcsim_sim_step_seconds'))
  return recordAveraged(settings, elapsed(window).text, seconds)
}

/** A rate per simulated second: a counter's increase in a window over the simulated time of that window. */
const perSimSecond = <L extends string>(gained: Expr<L>, window: Window): Expr<L> =>
  calculateEach(gained, '/', elapsed(window))

export function clockRules(settings: AlertSettings): RuleGroup {
  const short = scaleRange(settings, windows.short)
  const rate = <L extends TargetLabel>(name: string, gained: Expr<L>): Recording =>
    recordAveraged(settings, name, perSimSecond(gained, 'short'))
  return {
    subject: 'clock',
    recordings: [
      elapsedIn(settings, 'short'),
      elapsedIn(settings, 'long'),
      rate(
        'tier:dcsim_customer_requests:rate',
        by('sum', increase('dcsim_customer_requests_total', short), ['tier']),
      ),
      rate(
        'tier:dcsim_customer_failed_requests:rate',
        by('sum', increase('dcsim_customer_failed_requests_total', short), ['tier']),
      ),
      rate(
        'tier:dcsim_customer_revenue_dollars:rate',
        by('sum', increase('dcsim_customer_revenue_dollars_total', short), ['tier']),
      ),
      rate(
        'band:dcsim_incidents_opened:rate',
        by('sum', increase('dcsim_incidents_opened_total', short), ['band']),
      ),
      rate('switch:dcsim_switch_errors:rate', increase('dcsim_switch_errors_total', short)),
      rate('switch:dcsim_switch_link_flaps:rate', increase('dcsim_switch_link_flaps_total', short)),
    ],
    alerts: [],
  }
}
