import { deserialize, serialize } from 'node:v8'
import type { SavedRings } from '../../metrics/history/history-rings.ts'
import type { SavedWorld } from '../../world/built-in-world.ts'
import { readPublishMark } from '../../state-file/publish-mark.ts'
import { readStateFile, setAside, StateFileError } from '../../state-file/state-file.ts'
import type { StateFile, StateHead, WorldIdentity } from '../../state-file/state-file.ts'
import type { WorldReplacementReason } from '../../contract/state-report.ts'

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
const leadNsMax = 210n * 86_400_000_000_000n

/** The outcome of reading a state file. */
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

/** Reads a state file. One that cannot be continued is renamed. */
export function findState(path: string, identity: WorldIdentity): StateFound {
  let file: StateFile | null
  try {
    file = readStateFile(path)
  } catch (error) {
    return replaceWorld(path, 'damaged', `${path} cannot be continued: ${messageOf(error)}`)
  }
  if (file === null) return { session: null, replacedFor: null, message: null, canSave: true }
  const { head } = file
  const different = identityNames.find((name) => head[name] !== identity[name])
  if (different !== undefined) {
    const [found, expected] = [head, identity].map((world) => nouns[different](world[different]))
    return replaceWorld(path, different, `${path} holds a world of ${found}, expected ${expected}`)
  }
  try {
    const session = decodeSession(path, file)
    return { session, replacedFor: null, message: continuedText(path, session), canSave: true }
  } catch (error) {
    return replaceWorld(path, 'damaged', `${path} cannot be continued: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Renames a state file that is not continued, also if only its shape turns out to be unexpected. */
export function replaceWorld(path: string, replacedFor: WorldReplacementReason, problem: string): StateFound {
  const opening = `${problem}. A new world begins.`
  try {
    const kept = setAside(path)
    return { session: null, replacedFor, message: `${opening} The file is kept as ${kept}.`, canSave: true }
  } catch (error) {
    const message = `${opening} It is not saved, as the file cannot be renamed: ${messageOf(error)}.`
    return { session: null, replacedFor, message, canSave: false }
  }
}

function continuedText(path: string, { reachNs, publishSeq }: SavedSession): string {
  const hours = reachNs / 3_600_000_000_000n
  return `The world of ${path} is continued at day ${hours / 24n}, hour ${hours % 24n}, after publish ${publishSeq}.`
}

/** One section each for the world, the rings without their memory, and that memory. */
export function encodeSections(world: SavedWorld, { memory, ...rings }: SavedRings): Uint8Array[] {
  return [serialize(world), serialize(rings), memory]
}

export const decodeSections = ([world, rings, memory]: readonly Buffer[]): SavedState => ({
  world: deserialize(world) as SavedWorld,
  rings: { ...(deserialize(rings) as Omit<SavedRings, 'memory'>), memory },
})

/** The world of a state file without its history, or the reason why it cannot be read. The file stays as it is. */
export function readSavedWorld(path: string): { head: StateHead; state: Uint8Array } | string {
  try {
    const file = readStateFile(path)
    if (file === null) return 'there is no such file'
    const { head, sections } = file
    return sections.length === 3
      ? { head, state: sections[0] }
      : `it has ${sections.length} sections, expected 3`
  } catch (error) {
    return messageOf(error)
  }
}

function decodeSession(path: string, { head, sections }: StateFile): SavedSession {
  if (sections.length !== 3) throw new StateFileError(`it has ${sections.length} sections, expected 3`)
  const mark = readPublishMark(path, head.worldId)
  const savedNs = BigInt(head.simTimeNs)
  const leadNs = mark === null ? 0n : mark.simTimeNs - savedNs
  if (leadNs > leadNsMax)
    throw new StateFileError(`its last publish is ${leadNs} ns ahead of it, expected at most ${leadNsMax}`)
  return {
    worldId: head.worldId,
    ...decodeSections(sections),
    publishSeq: Math.max(head.publishSeq, mark?.publishSeq ?? 0),
    savedNs,
    reachNs: leadNs > 0n ? savedNs + leadNs : savedNs,
  }
}
