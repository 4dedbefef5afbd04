/** The numbers of a game day. */
import { counted, dollarsText, listed } from '../../words/phrases.ts'
import { spanText } from '../../words/moments.ts'
import type { GameDay, FaultStory, Said } from './game-day.ts'
import { harmTotal } from './harm.ts'

export const lasted = ({ from, to }: FaultStory): number => (to ?? from) - from

interface GameDayScore {
  readonly name: string
  readonly value: string
  readonly note: string
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted.length === 0 ? null : sorted[Math.floor((sorted.length - 1) / 2)]
}

function reached(
  faults: readonly FaultStory[],
  name: string,
  of: (fault: FaultStory) => Said | null,
): GameDayScore {
  const after = faults.flatMap((fault) => {
    const said = of(fault)
    return said === null ? [] : [Math.max(0, said.at - fault.from)]
  })
  const middle = median(after)
  const note = middle === null ? 'none' : `after ${spanText(middle)}, in the median`
  return { name, value: `${after.length} of ${faults.length}`, note }
}

export function scoresOf({ faults, harm }: GameDay): GameDayScore[] {
  const repaired = faults.filter(({ order }) => order !== null)
  const scores = [
    reached(faults, 'Seen', ({ seen }) => seen),
    reached(faults, 'Placed', ({ placed }) => placed),
    reached(faults, 'Named', ({ named }) => named),
    {
      name: 'Repaired by the team',
      value: `${repaired.length} of ${faults.length}`,
      note:
        repaired.length === 0
          ? 'none'
          : `over after ${spanText(median(repaired.map(lasted)) ?? 0)}, in the median`,
    },
  ]
  if (harm === null) return scores
  const [acted, idle] = [harmTotal(harm.acted), harmTotal(harm.idle)]
  const saved = idle.dollars - acted.dollars
  return [
    ...scores,
    {
      name: 'Revenue hit',
      value: dollarsText(acted.dollars),
      note: `${dollarsText(idle.dollars)} had nothing been done`,
    },
    {
      name: saved >= 0 ? 'Saved' : 'Lost by acting',
      value: dollarsText(Math.abs(saved)),
      note: `${customerMinutes(idle.customerMinutes - acted.customerMinutes)} of customers' trouble`,
    },
  ]
}

const customerMinutes = (minutes: number): string =>
  `${minutes < 0 ? 'plus ' : ''}${spanText(60 * Math.abs(minutes))}`

/** The omissions and mistakes of the team, in sentences. */
export function missesOf({ faults, vain, answers, unfelt, begunLate }: GameDay): string[] {
  const about = ({ number, cause, name }: FaultStory): string => `${cause} at ${name} (${number})`
  const misses = faults.flatMap((fault) => {
    const isLate = answers.some(({ late }) => late.includes(fault.number))
    if (fault.seen === null) return [`Nothing was said ${isLate ? 'in time ' : ''}about the ${about(fault)}.`]
    if (fault.placed === null) return [`The ${about(fault)} was seen, and its place not found.`]
    return fault.named === null ? [`The ${about(fault)} was placed, and its cause not named.`] : []
  })
  for (const fault of faults)
    if (fault.seen !== null && fault.customers.length > 0 && fault.customersNamed === 0)
      misses.push(`No answer said whom the ${about(fault)} hit: ${listed(fault.customers)}.`)
  for (const order of vain) {
    const fault = faults.find(({ right }) => right.includes(order))
    const unfinished = fault?.to === null ? 'is not finished' : 'the fault was over before it was done'
    const outcome = fault === undefined ? 'repaired nothing' : `was right, and ${unfinished}`
    misses.push(`"${order.text}", ordered after ${spanText(order.at)}, ${outcome}.`)
  }
  for (const { text, at, faults: matched, late, isOfOthers } of answers) {
    const past = faults.filter(({ number }) => late.includes(number))
    if (matched.length === 0 && past.length === 0 && !isOfOthers)
      misses.push(`"${text}", after ${spanText(at)}, is about nothing that was broken.`)
    for (const fault of past)
      misses.push(
        `"${text}" came late: the ${about(fault)} had ended ${spanText(at - (fault.to ?? at))} before.`,
      )
  }
  if (unfelt > 0) misses.push(`${counted(unfelt, 'more fault')} hurt no customer and opened no incident.`)
  if (begunLate > 0) misses.push(`${counted(begunLate, 'more fault')} began in the last minutes.`)
  return misses
}
