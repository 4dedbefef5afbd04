/** Finds names in messages without ids: those of another world, or from before messages had ids. */
import { nameOfZone } from './places.ts'
import type { IncidentRecord, ZoneRecord } from '../contract/collections.ts'

type Arguments = IncidentRecord['symptom_msg_args']

/** The ends of links in a sentence: "Link core1–edge2 is down." */
const linkEnds = /([^\s–]+)–([^\s–]+)/g

/** Candidates for names of devices: a whole text, the word before a port, the ends of a link. */
export const possibleDeviceNames = (messageArgs: Arguments): string[] =>
  messageArgs.flatMap(({ text }) => {
    const ends = text.split(' – ').map((end) => end.split(' ', 1)[0])
    const linked = [...text.matchAll(linkEnds)].flatMap(([, ...pair]) => pair)
    return [text, ends[0], ends[1]].concat(linked)
  })

/**
 * Whether a text contains a name as separate words: "rack B2 in Tallford A" contains "Tallford A", but not "Tallford".
 */
function hasName(text: string, name: string): boolean {
  const at = name === '' ? -1 : text.indexOf(name)
  return at >= 0 && isBoundary(text[at - 1]) && isBoundary(text[at + name.length])
}

const isBoundary = (character: string | undefined): boolean =>
  character === undefined || /[\s,–.]/.test(character)

/** Zones whose short or display name occurs in a text. */
export const zonesNamedIn = <Z extends Pick<ZoneRecord, 'name' | 'display_name'>>(
  given: Arguments,
  zones: readonly Z[],
): Z[] =>
  zones.filter(({ name, display_name: displayName }) =>
    given.some(({ text }) => hasName(text, name) || hasName(text, displayName)),
  )

/** Replaces a zone's short name at the end of a place by its display name. */
export function withDisplayName(
  place: string,
  zones: readonly Pick<ZoneRecord, 'name' | 'display_name'>[],
): string {
  const zone = zones.find(({ name }) => place.endsWith(` in ${name}`))
  return zone === undefined ? place : `${place.slice(0, -zone.name.length)}${nameOfZone(zone)}`
}
