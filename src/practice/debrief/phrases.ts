/** Phrases of a debrief, as HTML and Markdown share them. */
import { nsPerSecond } from '../../contract/time-units.ts'
import { clockText, spanText } from '../../words/moments.ts'
import { listed } from '../../words/phrases.ts'
import type { GameDay, FaultStory, Said } from './game-day.ts'

export const titleOf = ({ title }: GameDay): string => `Debrief: ${title}`

export const dateText = ({ beganWallSeconds }: GameDay): string =>
  `${new Date(beganWallSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const faultHeads = [
  '',
  'What it was',
  'Whom it hit',
  'Seen after',
  'Placed after',
  'Named after',
  'Over after',
  'Revenue hit',
] as const

export const lasted = ({ from, to }: FaultStory): number => (to ?? from) - from

/** How long after its beginning something about a fault was said. */
export const delayText = (fault: FaultStory, said: Said | null): string =>
  said === null
    ? 'not'
    : `${spanText(Math.max(0, said.at - fault.from))}${said.by === '' ? '' : `, ${said.by}`}`

export const overText = (fault: FaultStory): string =>
  fault.to === null ? 'it lasts' : `${spanText(lasted(fault))}, by ${fault.endedBy ?? 'itself'}`

export const hintsText = ({ hints }: FaultStory): string =>
  hints.length === 0 ? '' : `; ${hints.length === 1 ? 'a hint' : `${hints.length} hints`} taken`

export const harmText = ({ customers }: FaultStory): string =>
  customers.length === 0 ? 'no customer' : listed(customers)

/** The year 5138: the wall clock of a slow world may get beyond what a date can say. */
const wallSecondsMax = 1e11

/** A moment of the session by the clock of the world, and by the wall clock. */
export function clocksText({ beganSimSeconds, beganWallSeconds, speed }: GameDay, at: number): string {
  const seconds = beganWallSeconds + (speed === 0 ? 0 : at / speed)
  const wall = new Date(Math.min(wallSecondsMax, seconds) * 1000).toISOString().slice(11, 19)
  return `${clockText(BigInt(Math.floor(beganSimSeconds + at)) * nsPerSecond).split(', ')[1]} (${wall})`
}

export const tableNote =
  'Times are those of the world, and in brackets those of the wall clock, in UTC. Faults that last at the same time ' +
  "share their customers' revenue: their lines do not add up to the total."
