import { FrameCursor } from './frame-cursor.ts'
import type { RecordingIndex } from './recording-index.ts'
import { noTexts, type TextList } from './record-text.ts'

/** What was found in a recording by reading all of its frames. */
export interface Findings {
  /** Bytes of the file by list, key frames included. */
  readonly sizes: ReadonlyMap<string, number>
  /** How many records each list had in the last frame. */
  readonly records: ReadonlyMap<string, number>
  readonly events: number
  /** How many were open at some time. Those that were over when the recording began do not count. */
  readonly incidents: number
  /** The most that were open in a frame. */
  readonly mostIncidentsAtOnce: number
}

/** Counts the events of a window that were not in the one before it. Events may share a moment. */
class EventCount {
  count = 0
  #newestNs: bigint | null = null
  /** How many of the newest moment were counted. */
  #ofNewest = 0

  add({ ids }: TextList): void {
    const newestNs = this.#newestNs
    let seen = 0
    for (const atNs of ids) if (newestNs !== null && atNs === newestNs) seen++
    for (const atNs of ids) if (newestNs === null || atNs > newestNs) this.count++
    this.count += Math.max(0, seen - this.#ofNewest)
    const last = ids.at(-1)
    if (last === undefined || (newestNs !== null && last < newestNs)) return
    this.#newestNs = last
    this.#ofNewest = ids.filter((atNs) => atNs === last).length
  }

  /** What follows is another world's. */
  beginAnew(): void {
    this.#newestNs = null
    this.#ofNewest = 0
  }
}

/** Counts the incidents of frames: those that are open, and those that came and went between two. */
class IncidentCount {
  count = 0
  mostAtOnce = 0
  readonly #seen = new Set<bigint>()
  #isNew = true

  add(open: TextList, resolved: TextList): void {
    this.mostAtOnce = Math.max(this.mostAtOnce, open.ids.length)
    for (const id of open.ids) this.#see(id, true)
    for (const id of resolved.ids) this.#see(id, !this.#isNew)
    this.#isNew = false
  }

  /** What follows is another world's, of which the first frame tells what was over before. */
  beginAnew(): void {
    this.#seen.clear()
    this.#isNew = true
  }

  #see(id: bigint, counts: boolean): void {
    if (counts && !this.#seen.has(id)) this.count++
    this.#seen.add(id)
  }
}

/** Reads a recording frame by frame. */
export class Inspection {
  readonly #index: RecordingIndex
  readonly #cursor: FrameCursor
  readonly #sizes = new Map<string, number>()
  readonly #events = new EventCount()
  readonly #incidents = new IncidentCount()
  /** The sizes that the reader of this session keeps, and what they were when they were last taken over. */
  #lastSizes: Float64Array = new Float64Array(0)
  #told: Float64Array = new Float64Array(0)
  #records = new Map<string, number>()

  constructor(index: RecordingIndex) {
    this.#index = index
    this.#cursor = new FrameCursor(index)
  }

  /** Frames are inspected in the order of their positions. */
  inspect(position: number): void {
    const { frames, sessions } = this.#index
    const { session, isJoin, simTimeNs } = frames[position]
    const { lists: names } = sessions[session]
    const { lists } = this.#cursor.read(position)
    const listOf: Record<string, TextList | undefined> = Object.fromEntries(
      names.map((name, i) => [name, lists[i]]),
    )
    this.#addSizes(names)
    this.#records = new Map(names.map((name, i) => [name, lists[i].ids.length]))
    // A session that was added may go on with the world of the one before.
    if (isJoin && position > 0 && simTimeNs < frames[position - 1].simTimeNs) {
      this.#events.beginAnew()
      this.#incidents.beginAnew()
    }
    const { events, incidents, resolvedIncidents } = listOf
    this.#events.add(events ?? noTexts)
    this.#incidents.add(incidents ?? noTexts, resolvedIncidents ?? noTexts)
  }

  get findings(): Findings {
    return {
      sizes: this.#sizes,
      records: this.#records,
      events: this.#events.count,
      incidents: this.#incidents.count,
      mostIncidentsAtOnce: this.#incidents.mostAtOnce,
    }
  }

  #addSizes(names: readonly string[]): void {
    const { sizes } = this.#cursor
    // Each session is read by a reader of its own, which counts from 0.
    const before = sizes === this.#lastSizes ? this.#told : new Float64Array(sizes.length)
    for (const [i, name] of names.entries()) {
      this.#sizes.set(name, (this.#sizes.get(name) ?? 0) + sizes[i] - before[i])
    }
    this.#lastSizes = sizes
    this.#told = sizes.slice()
  }
}
