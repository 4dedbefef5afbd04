import type { FilterValues } from './table.ts'

interface Argument {
  readonly text: string
}

/** Devices that the arguments of messages name: alone, with a port behind the name, or as the ends of a link. */
export const mentionedDevices = (messages: readonly (readonly Argument[])[]): FilterValues =>
  messages.flat().flatMap(({ text }) => {
    const ends = text.split(' – ').map((end) => end.split(' ', 1)[0])
    return [text, ends[0], ends[1]]
  })
