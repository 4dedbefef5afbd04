import { collectionNames } from '../contract/collections.ts'

/** What a recorder tells of itself when it begins. Each time that it does, it begins with a whole frame. */
export interface Session {
  /** The lists of its frames, in their order. */
  readonly lists: readonly string[]
  /** For people: what was recorded. */
  readonly source: string
  /** Which version recorded it. */
  readonly software: string
  /** Wall time, as ISO 8601 has it. */
  readonly began: string
  /** Wall time from one recorded frame to the next, as it was meant. */
  readonly every_ms: number
}

/** The lists of a frame: the collections, and what else there is of it. */
export const listNames: readonly string[] = [...collectionNames, 'events', 'diagnostics', 'totals']

const listsMax = 256

export const writeSession = (session: Session): Buffer => Buffer.from(JSON.stringify(session))

/** Throws where it is none. */
export function readSession(content: Buffer): Session {
  const said: unknown = JSON.parse(content.toString())
  const { lists, source, software, began, every_ms: everyMs } = said as Partial<Session>
  const isSession =
    Array.isArray(lists) &&
    lists.length <= listsMax &&
    lists.every((name) => typeof name === 'string') &&
    [source, software, began].every((text) => typeof text === 'string') &&
    typeof everyMs === 'number'
  if (!isSession) throw new RangeError('the beginning of a session that says too little')
  return said as Session
}
