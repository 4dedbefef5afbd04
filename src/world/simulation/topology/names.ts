import type { RandomStream } from '../random.ts'
import type { Sizing } from './sizing.ts'

/** Names of places and carriers. All are invented. */

const places: readonly (readonly [name: string, code: string])[] = [
  ['Nordvale', 'nvl'],
  ['Eastmere', 'emr'],
  ['Solhaven', 'shv'],
  ['Karrow Bay', 'kby'],
  ['Westholm', 'whm'],
  ['Lindmoor', 'lmr'],
  ['Tallisford', 'tfd'],
  ['Greyfell', 'gfl'],
  ['Ostermark', 'omk'],
  ['Vinterby', 'vby'],
]

const carriers =
  'Meridian Transit, Halcyon Backbone, Northline Carrier, Tidewater Fibre, Openreef Exchange, Longspan Networks'.split(
    ', ',
  )

export const pad2 = (value: number): string => String(value).padStart(2, '0')

/** A, B … Z, AA, AB … */
export function zoneLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : zoneLetter(Math.floor(index / 26) - 1) + last
}

function draw<T>(stream: RandomStream, from: readonly T[], count: number): T[] {
  const rest = [...from]
  const drawn: T[] = []
  while (drawn.length < count) drawn.push(...rest.splice(stream.below(rest.length), 1))
  return drawn
}

export const carrierNames = (stream: RandomStream, count: number): string[] => draw(stream, carriers, count)

/** Names of regions, and a short code of each zone such as `nvl-a`. */
export function zoneNames(stream: RandomStream, sizing: Sizing): { regions: string[]; codes: string[] } {
  const drawn = draw(stream, places, sizing.regions)
  const codes: string[] = []
  const counts = drawn.map(() => 0)
  for (let zone = 0; zone < sizing.zones; zone++) {
    const region = Math.floor((zone * sizing.regions) / sizing.zones)
    codes.push(`${drawn[region][1]}-${zoneLetter(counts[region]++).toLowerCase()}`)
  }
  return { regions: drawn.map(([name]) => name), codes }
}
