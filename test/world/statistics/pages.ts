import { numberText } from '../../../src/contract/messages/catalog.ts'
import type { MessageKey } from '../../../src/contract/messages/catalog.ts'
import { bands } from '../../../src/contract/vocabularies.ts'
import type { Band } from '../../../src/contract/vocabularies.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { Chronicle, Period } from './chronicle.ts'
import { isPresentable, scoreOf } from './first-look.ts'
import type { FirstLook } from './first-look.ts'

type Row = readonly (string | number)[]

/** A table with fitted columns, the first left-aligned, numbers right-aligned. */
function tableText(head: readonly string[], rows: readonly Row[]): string {
  const cells = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  const align = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])
  return cells.map((row) => row.map(align).join('  ').trimEnd()).join('\n')
}

const dollars = (amount: number): string =>
  `${amount < 0 ? '-' : ''}$${numberText(Math.round(Math.abs(amount)))}`
const percent = (share: number): string => `${Math.round(share * 100)} %`
const dayAndTime = (at: Micros): string => {
  const minutes = Math.floor((at % day) / (hour / 60))
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `day ${Math.floor(at / day) + 1}, ${clock.join(':')}`
}

const refusals: readonly MessageKey[] = [
  'event.capacity-unaffordable',
  'event.capacity-without-room',
  'event.capacity-without-power',
]

function periodRow(period: Period): Row {
  const count = (key: MessageKey): number => period.events.get(key) ?? 0
  return [
    `day ${period.fromDay + 1}–${period.toDay}`,
    period.hosts,
    period.customers,
    count('event.customer-signed'),
    count('event.customer-left'),
    count('event.customer-complained'),
    count('event.capacity-ordered'),
    refusals.reduce((sum, key) => sum + count(key), 0),
    percent(period.satisfaction),
    percent(period.reputation),
    dollars(period.revenue),
    dollars(period.revenue - period.cost - period.credits),
    dollars(period.credits),
    ...bands.map((band: Band) => period.incidents[band]),
  ]
}

/** One page about the history of a world. */
export function chroniclePage({ seed, scale, days, periods, happenings }: Chronicle): string {
  const head = ['', 'hosts', 'customers', 'signed', 'left', 'complaints', 'orders', 'refused', 'satisfied']
  const money = ['reputation', 'revenue', 'margin', 'credits']
  return [
    `Seed ${seed}, ${scale}, ${days} days`,
    '',
    tableText([...head, ...money, ...bands], periods.map(periodRow)),
    '',
    'What mattered most:',
    ...happenings.map((one) => `  ${dayAndTime(one.at)}  ${dollars(one.dollars)}  ${one.text}`),
  ].join('\n')
}

const countByBand = (list: readonly Band[]): string =>
  bands
    .map((band) => [band, list.filter((one) => one === band).length] as const)
    .filter(([, count]) => count > 0)
    .map(([band, count]) => `${count} ${band}`)
    .join(', ') || 'none'

/** Seeds ranked by the first ten minutes of their worlds. */
export function rankingPage(looks: readonly FirstLook[]): string {
  const rows = looks
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .map(
      (look): Row => [
        String(look.seed),
        isPresentable(look) ? 'yes' : 'no',
        scoreOf(look).toFixed(1),
        countByBand(look.openAtStart),
        countByBand(look.opened),
        look.rootKinds.size,
        look.firstGraveSeconds === null ? 'never' : `${look.firstGraveSeconds} s`,
        percent(look.busy),
        dollars(look.revenueAtRiskPerHour),
      ],
    )
  const head = ['seed', 'holds', 'score', 'open at start', 'new', 'kinds', 'first grave', 'busy', 'most $/h']
  return tableText(head, rows)
}
