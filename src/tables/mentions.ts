import type { IncidentRecord } from '../contract/collections.ts'
import type { FilterValues } from './table.ts'

interface Argument {
  readonly text: string
}

/** The ends of links in a sentence: "Link core1–edge2 is down." */
const linkEnds = /([^\s–]+)–([^\s–]+)/g

/** Devices that the arguments of messages name: alone, with a port behind the name, or as the ends of a link. */
export const mentionedDevices = (messages: readonly (readonly Argument[])[]): FilterValues =>
  messages.flat().flatMap(({ text }) => {
    const ends = text.split(' – ').map((end) => end.split(' ', 1)[0])
    const linked = [...text.matchAll(linkEnds)].flatMap(([, ...pair]) => pair)
    return [text, ends[0], ends[1]].concat(linked)
  })

/** The devices that an incident is about, and those that may still have caused it. */
export const devicesOfIncident = ({ symptom_msg_args, root_msg_args, causes }: IncidentRecord) =>
  mentionedDevices([
    symptom_msg_args,
    root_msg_args,
    ...causes.filter(({ cleared }) => !cleared).map(({ msg_args }) => msg_args),
  ])
