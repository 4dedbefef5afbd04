/** Reads an answer: the faults that it is about, and how much of each it has right. */
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { causeNames } from '../../contract/messages/incident-causes.ts'

interface Reading {
  readonly fault: number
  /** Whether it names the part that is at fault. */
  readonly isPlaced: boolean
  /** Whether it says what is wrong with it. */
  readonly isNamed: boolean
  /** Customers that it names, of those that the fault hurts: an incident stands for all of them. */
  readonly customers: readonly string[]
}

/** Names as they are compared: "Port Eth1/15" of "tfd-a-edge1" and "tfd-a-edge1 eth1/15" are one. */
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('–', '-')
    .replaceAll(/\b(?:cable|cooling unit|link|pool|port|(?:power )?feed) /g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

export const sameName = (one: string, other: string): boolean => comparable(one) === comparable(other)

/** Whether a text has a name as a whole: "edge1" is not in "edge11". */
function mentions(text: string, name: string): boolean {
  const wanted = comparable(name)
  if (wanted === '') return false
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const isWhole = !/[a-z0-9]/.test(text[at - 1] ?? '') && !/[a-z0-9/-]/.test(text[at + wanted.length] ?? '')
    if (isWhole) return true
  }
  return false
}

/** "switch failure" is named by "the switch has failed": words count by their stems. */
const namesCause = (text: string, kind: TruthLine['kind']): boolean =>
  causeNames[kind].split(/[ -]/).every((word) => {
    const stem = word.slice(0, Math.max(3, Math.min(4, word.length - 1)))
    return text.split(/[^a-z0-9]+/).some((one) => one.startsWith(stem))
  })

const incidentsIn = (text: string): number[] =>
  Array.from(text.matchAll(/\bincidents? #?(\d{1,9})\b/g), ([, id]) => Number(id))

/**
 * The faults that an answer is about. One that names a cause without a place has seen all of its kind, and named none:
 * it may be a guess.
 */
export function readingOf(answer: string, faults: readonly TruthLine[]): Reading[] {
  const text = comparable(answer)
  const raw = answer.toLowerCase()
  const ids = incidentsIn(raw)
  const read = faults.map((fault) => {
    const hasIncident = fault.incidents.some(({ id }) => ids.includes(id))
    const customers = fault.customers
      .filter(({ name }) => hasIncident || mentions(text, name))
      .map(({ name }) => name)
    const isPlaced = mentions(text, fault.entity.name)
    const isNear = fault.entity.place
      .split(' in ')
      .every((place) => mentions(text, place.replace(/^rack /, '')))
    // The device of a port, and either end of a link.
    const devices = fault.entity.name.match(/[a-z0-9]+(?:-[a-z0-9]+)+/gi) ?? []
    const hasDevice = devices.some((device) => mentions(text, device))
    const hasPlaceOf = isPlaced || isNear || hasDevice || hasIncident
    const hasKind = namesCause(raw, fault.kind)
    return { fault: fault.fault, isPlaced, hasPlaceOf, hasKind, isNamed: hasKind && hasPlaceOf, customers }
  })
  const hasPlace = read.some(({ hasPlaceOf }) => hasPlaceOf)
  // Who names a part and what is wrong with it means no other fault of its zone or incident.
  const hasNamed = read.some(({ isPlaced, isNamed }) => isPlaced && isNamed)
  const hasCustomer = read.some(({ customers }) => customers.length > 0)
  // Customers say less than a place: those of another fault may be the same.
  const isMeant = (one: (typeof read)[number]): boolean =>
    hasNamed
      ? one.isPlaced || one.isNamed
      : hasPlace
        ? one.hasPlaceOf
        : hasCustomer
          ? one.customers.length > 0
          : one.hasKind
  return read.filter(isMeant)
}
