import { nsPerDay } from '../../contract/time-units.ts'
import type { DatabaseSync } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import type { SavedRings } from '../../metrics/history/history-rings.ts'
import type { SavedWorld } from '../../world/built-in-world.ts'
import { copySession } from '../../store/session-file.ts'
import { readHead, readSections, StateError } from '../../store/world-state.ts'
import type { StateHead, WorldIdentity } from '../../store/world-state.ts'
import { WorldLog } from '../../store/world-log.ts'
import type { WorldReplacementReason } from '../../contract/session-report.ts'

/** A saved world and its metric history. */
export interface SavedState {
  readonly world: SavedWorld
  readonly rings: SavedRings
}

interface SavedSession extends SavedState {
  readonly worldId: string
  readonly publishSeq: number
  readonly savedNs: bigint
  /** The last published time or the time of saving, whichever is later. */
  readonly reachNs: bigint
}

/** The fastest world, which gets ahead by 100,000 s a second, is saved every 3 minutes: 209 days. */
const leadNsMax = 210n * nsPerDay

/** The outcome of reading a session file. */
export interface StateFound {
  readonly session: SavedSession | null
  /** The reason why an existing file is not continued; null if it is, or there is no file. */
  readonly replacedFor: WorldReplacementReason | null
  /** A sentence for the operator; null if there is nothing to report. */
  readonly message: string | null
  /** False if saving would destroy a file that is not continued. */
  readonly canSave: boolean
}

const identityNames = ['version', 'seed', 'scale', 'scenario'] as const

const nouns: Readonly<Record<keyof WorldIdentity, (value: string) => string>> = {
  version: (value) => `version ${value} of the program`,
  seed: (value) => `seed ${value}`,
  scale: (value) => `scale ${value}`,
  scenario: scenarioText,
}

/** The identity of a scenario: its hash, after "blind" in a blind world. */
function scenarioText(value: string): string {
  const [, blind = '', hash] = /^(blind)? ?(.*)$/.exec(value)!
  const scenario = hash === '' ? 'no scenario' : `the scenario with the hash ${hash.slice(0, 12)}`
  return blind === '' ? scenario : `${scenario}, ${blind}`
}

/** The file of the session, which this process owns. */
export interface SessionStore {
  readonly path: string
  readonly database: DatabaseSync
}

/** Reads the saved world. One that is not continued is kept in a copy of the file. */
export function findState(store: SessionStore, identity: WorldIdentity, isMended: boolean): StateFound {
  const { path, database } = store
  try {
    const head = readHead(database)
    if (head === null) {
      const message = `No world can be read of ${path}. A new world begins.`
      return isMended ? { ...nothingSaved, replacedFor: 'damaged', message } : nothingSaved
    }
    const different = identityNames.find((name) => head[name] !== identity[name])
    if (different !== undefined) {
      const [found, expected] = [head, identity].map((world) => nouns[different](world[different]))
      return replaceWorld(store, different, `${path} holds a world of ${found}, expected ${expected}`)
    }
    const session = decodeSession(database, head)
    return { session, replacedFor: null, message: continuedText(path, session), canSave: true }
  } catch (error) {
    return replaceWorld(store, 'damaged', `The world of ${path} cannot be continued: ${messageOf(error)}`)
  }
}

const nothingSaved: StateFound = { session: null, replacedFor: null, message: null, canSave: true }

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Copies a file whose world is not continued, also if only its shape turns out to be unexpected. */
export function replaceWorld(
  { path, database }: SessionStore,
  replacedFor: WorldReplacementReason,
  problem: string,
): StateFound {
  const opening = `${problem}. A new world begins.`
  try {
    const kept = copySession(database, path)
    return {
      session: null,
      replacedFor,
      message: `${opening} The former one is kept in ${kept}.`,
      canSave: true,
    }
  } catch (error) {
    const message = `${opening} It is not saved, as the file cannot be copied: ${messageOf(error)}.`
    return { session: null, replacedFor, message, canSave: false }
  }
}

function continuedText(path: string, { reachNs, publishSeq }: SavedSession): string {
  const hours = reachNs / 3_600_000_000_000n
  return `The world of ${path} is continued at day ${hours / 24n}, hour ${hours % 24n}, after publish ${publishSeq}.`
}

/** The memory of the rings has a section of its own, as it is large. */
export const encodeSections = (
  world: SavedWorld,
  { memory, ...rings }: SavedRings,
): Record<(typeof stateSections)[number], Uint8Array> => ({
  world: serialize(world),
  rings: serialize(rings),
  memory,
})

export const stateSections = ['world', 'rings', 'memory'] as const

export const decodeSections = ({
  world,
  rings,
  memory,
}: Record<(typeof stateSections)[number], Buffer>): SavedState => ({
  world: deserialize(world) as SavedWorld,
  rings: { ...(deserialize(rings) as Omit<SavedRings, 'memory'>), memory },
})

/** The bytes of the world in a file that another process may own. Throws a `StateError` if there is none. */
export function readSavedWorld(database: DatabaseSync): { head: StateHead; state: Uint8Array } {
  const head = readHead(database)
  if (head === null) throw new StateError('no world is saved in it')
  return { head, state: readSections(database, ['world']).world }
}

function decodeSession(database: DatabaseSync, head: StateHead): SavedSession {
  const last = new WorldLog(database, head.worldId).lastPublish
  const savedNs = head.simTimeNs
  const leadNs = last === null ? 0n : last.simTimeNs - savedNs
  if (leadNs > leadNsMax)
    throw new StateError(`its last publish is ${leadNs} ns ahead of it, expected at most ${leadNsMax}`)
  return {
    worldId: head.worldId,
    ...decodeSections(readSections(database, stateSections)),
    publishSeq: Math.max(head.publishSeq, last?.publishSeq ?? 0),
    savedNs,
    reachNs: leadNs > 0n ? savedNs + leadNs : savedNs,
  }
}
