import { collectionNames } from '../contract/collections.ts'

/** Metadata of one run of the recorder. It precedes the frames of that run, the first of which is a key frame. */
export interface Session {
  /** The names of the lists in each frame, in order. */
  readonly lists: readonly string[]
  /** The recorded source, in words. */
  readonly source: string
  /** The version of the recorder. */
  readonly software: string
  /** Wall time at the start, in ISO 8601. */
  readonly began: string
  /** The intended wall time between frames. */
  readonly every_ms: number
}

/** The lists of a frame: the collections, then the rest of its content. */
export const listNames: readonly string[] = [...collectionNames, 'events', 'diagnostics', 'totals', 'unknown']

const listsMax = 256

/** The maximum length, reached only by extremely long list names and source. */
export const sessionBytesMax = 1 << 14

export const encodeSession = (session: Session): Buffer => Buffer.from(JSON.stringify(session))

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const { lists, source, software, began, every_ms: everyMs } = value as Partial<Session>
  return (
    Array.isArray(lists) &&
    lists.length <= listsMax &&
    lists.every((name) => typeof name === 'string') &&
    [source, software, began].every((text) => typeof text === 'string') &&
    typeof everyMs === 'number' &&
    Number.isFinite(everyMs) &&
    everyMs > 0
  )
}

/** Throws if the content is not a session. */
export function decodeSession(content: Buffer): Session {
  const value: unknown = JSON.parse(content.toString())
  if (!isSession(value)) throw new RangeError('found a session block with missing or invalid fields')
  return value
}
