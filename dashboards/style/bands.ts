import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, calculate, either, noneOf } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { gauge } from '../queries/series.ts'
import { bands } from '../../src/contract/vocabularies.ts'
import { bandColors, unknown } from './look.ts'

type Where = Parameters<typeof gauge<'dcsim_incident_info'>>[1]

/** Gravity of each incident as a number: 1 Watch … 4 Critical, 0 for an unknown band. */
export const bandLevel = (where: Where) => {
  const among = gauge('dcsim_incident_info', where)
  const level = (band: (typeof bands)[number], number: number) =>
    calculate(narrowed(among, `band="${band}"`), '*', number)
  const other = calculate(narrowed(among, `band!~"${noneOf(bands).value}"`), '*', 0)
  return either(other, ...bands.map((band, at) => level(band, at + 1)))
}

/** The gravest of them at each moment, or that there was none: without a series, Grafana says that data lack a time. */
export const gravest = (where: Where) =>
  either(by('max', bandLevel(where)), calculate(by('max', gauge('dcsim_sim_info')), '*', -1))

/** The same selector with one more matcher. */
export const narrowed = <L extends string>({ text }: Expr<L>, matcher: string): Expr<L> => ({
  text: text.replace(/\}$/, `, ${matcher}}`),
  simple: true,
})

export const bandLevelTexts: ValueMapping[] = [
  {
    type: MappingType.ValueToText,
    options: Object.fromEntries([
      ['0', { text: 'Other', color: unknown, index: 0 }],
      ['-1', { text: 'Not active', color: unknown, index: bands.length + 1 }],
      ...bands.map(
        (band, at) => [String(at + 1), { text: band, color: bandColors[band], index: at + 1 }] as const,
      ),
    ]),
  },
]
