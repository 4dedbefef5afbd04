import { numberText } from '../../../src/contract/messages/catalog.ts'
import { bands } from '../../../src/contract/vocabularies.ts'
import type { Band } from '../../../src/contract/vocabularies.ts'
import { isPresentable, scoreOf } from './first-look.ts'
import type { FirstLook } from './first-look.ts'
import { table } from './summary.ts'

const dollars = (amount: number): string =>
  `${amount < 0 ? '-' : ''}$${numberText(Math.round(Math.abs(amount)))}`
const percent = (share: number): string => `${Math.round(share * 100)} %`
const countByBand = (list: readonly Band[]): string =>
  bands
    .map((band) => [band, list.filter((one) => one === band).length] as const)
    .filter(([, count]) => count > 0)
    .map(([band, count]) => `${count} ${band}`)
    .join(', ') || 'none'

const secondsText = (seconds: number | null): string => (seconds === null ? 'never' : `${seconds} s`)

/** Seeds ranked by the first ten minutes of their worlds. */
export function rankingPage(looks: readonly FirstLook[]): string {
  const rows = looks
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .map((look) => [
      String(look.seed),
      isPresentable(look) ? 'yes' : 'no',
      scoreOf(look).toFixed(1),
      countByBand(look.openAtStart),
      countByBand(look.opened),
      String(look.rootKinds.size),
      secondsText(look.firstOpenedSeconds),
      secondsText(look.livedThroughSeconds),
      percent(look.busy),
      dollars(look.revenueAtRiskPerHour),
    ])
  const head = [
    'seed',
    'holds',
    'score',
    'open at start',
    'new',
    'kinds',
    'begins',
    'simulated',
    'busy',
    'most $/h',
  ]
  return table(head, rows)
}
