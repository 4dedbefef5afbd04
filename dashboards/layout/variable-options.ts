import { anyOf, metric } from '../../promql/expressions.ts'
import type { MetricLabel, MetricName } from '../../promql/metrics.ts'

/** The options of a variable, and whether several of them can be selected at once. */
export interface VariableOptions {
  readonly label: string
  readonly description: string
  readonly query: string
  /** Extracts value and text from the query's result if it returns whole series. */
  readonly regex?: string
  readonly many: boolean
  /** The query sorts the options. The first is the default. */
  readonly inOrderOfQuery?: boolean
  /** Rarely used: it is in the menu of controls. */
  readonly aside?: boolean
  /** Its values say what they are. */
  readonly nameless?: boolean
  /** Looked up by the page: hidden, and in no address. */
  readonly isHidden?: boolean
}

export const target = { job: anyOf(['$job']), instance: anyOf(['$instance']), session: '$session' }

/** The values of a label. */
export const valuesOf = <N extends MetricName>(
  name: N,
  label: MetricLabel<N>,
  where: Parameters<typeof metric<N>>[1] = {},
): string => `label_values(${metric<N>(name, { ...target, ...where }).text}, ${label})`

export const devices = (where: Parameters<typeof metric<'dcsim_switch_info'>>[1] = {}): string =>
  metric('dcsim_switch_info', { ...target, ...where }).text.replace(
    'dcsim_switch_info{',
    '{__name__=~"dcsim_(switch|gateway|appliance)_info", ',
  )
