import type { Threshold, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Band, Severity, Tier } from '../../src/contract/vocabularies.ts'
import { onAnyGround, palette } from '../../src/pictures/palette.ts'

export { palette }

type Color = (typeof palette)[keyof typeof palette]

/**
 * Colors of states as text. Unlike the palette, which is for areas and bars, they are legible on dark and on white. No
 * state is shown by color alone: its name or number is always beside it.
 */
export const okColor = onAnyGround.good
export const attention = onAnyGround.serious
export const alarm = onAnyGround.critical
export const quiet = onAnyGround.quiet
/** The theme's own text color. */
export const plainText = 'text'
export const unknown = palette.gray

/** Gravity of incidents. An unknown band is gray. */
export const bandColors = {
  Watch: palette.sky,
  Minor: palette.yellow,
  Major: palette.orange,
  Critical: palette.vermilion,
} as const satisfies Record<Band, Color>

/** The same for text, legible on white too. */
export const bandTextColors = {
  Watch: onAnyGround.watch,
  Minor: onAnyGround.warning,
  Major: attention,
  Critical: alarm,
} as const satisfies Record<Band, string>

export const severityColors = {
  Info: palette.sky,
  Warning: palette.yellow,
  Error: palette.orange,
  Critical: palette.vermilion,
} as const satisfies Record<Severity, Color>

export const tierColors = {
  Bronze: palette.orange,
  Silver: palette.gray,
  Gold: palette.yellow,
  Platinum: palette.blue,
} as const satisfies Record<Tier, Color>

/** Colors of series without a color of their own, in order. */
export const seriesColors = [
  palette.blue,
  palette.orange,
  palette.green,
  palette.purple,
  palette.sky,
  palette.vermilion,
  palette.yellow,
] as const

const from = (value: number, color: string): Threshold => ({ value, color })
const base = (color: string): Threshold => ({ value: null, color })

/** A neutral color: the value itself is the information. */
export const plainSteps: Threshold[] = [base(palette.blue)]

/** Higher values are worse. */
export const risingSteps = (high: number, full?: number): Threshold[] =>
  full === undefined
    ? [base(okColor), from(high, alarm)]
    : [base(okColor), from(high, attention), from(full, alarm)]

/** Lower values are worse. */
export const fallingSteps = (low: number, lower?: number): Threshold[] =>
  lower === undefined
    ? [base(alarm), from(low, okColor)]
    : [base(alarm), from(lower, attention), from(low, okColor)]

/** Any value above zero deserves attention; zero is gray. */
export const noneExpected: Threshold[] = [base(quiet), from(1e-9, attention)]

/** The same steps for a single number: a healthy value has no color. */
export const calmSteps = (steps: readonly Threshold[]): Threshold[] =>
  steps.map(({ value, color }) => ({ value, color: color === okColor ? plainText : color }))

/** The same for states as text: a healthy state has no color. */
export const calmMappings = (mappings: readonly ValueMapping[]): ValueMapping[] =>
  JSON.parse(
    JSON.stringify(mappings).replaceAll(`"color":"${okColor}"`, `"color":"${plainText}"`),
  ) as ValueMapping[]

/** Units by their names in Grafana. */
export const unit = {
  count: 'short',
  share: 'percentunit',
  percent: 'percent',
  traffic: 'bps',
  gigabits: 'Gbits',
  bytes: 'decbytes',
  memory: 'bytes',
  byteRate: 'Bps',
  packets: 'pps',
  operations: 'iops',
  requests: 'reqps',
  events: 'eps',
  dollars: 'currencyUSD',
  seconds: 's',
  // `dtdurations` shows one unit only: "2 hours" for nearly three.
  duration: 's',
  hours: 'h',
  minutes: 'suffix: min',
  gameClock: 'dtdhms',
  celsius: 'celsius',
  watts: 'watt',
  kilowatts: 'kwatt',
  vcpus: 'short',
  number: 'none',
  day: 'prefix:Day ',
  amount: 'sishort',
  text: 'string',
  yesNo: 'bool_yes_no',
} as const

export type GrafanaUnit = (typeof unit)[keyof typeof unit]
