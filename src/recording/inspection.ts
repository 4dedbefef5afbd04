import { emptyTextList } from './codec/text-list.ts'
import type { TextList } from './codec/text-list.ts'
import { FrameCursor } from './frame-cursor.ts'
import type { RecordingIndex } from './recording-index.ts'

export interface InspectionReport {
  /** Bytes of the file by list. */
  readonly sizes: ReadonlyMap<string, number>
  /** Records of each list in the last frame. */
  readonly records: ReadonlyMap<string, number>
  readonly events: number
  /** Incidents that were open at some time. Those resolved before the recording began do not count. */
  readonly incidents: number
  /** The most incidents open in one frame. */
  readonly openIncidentsMax: number
}

/** Counts new events of a window. Events may share a time. */
class EventCounter {
  count = 0
  #newestNs: bigint | null = null
  /** The number of events counted at the newest time. */
  #countAtNewest = 0

  add({ ids: times }: TextList): void {
    const newestNs = this.#newestNs
    let repeated = 0
    for (const atNs of times) {
      if (newestNs === null || atNs > newestNs) this.count++
      else if (atNs === newestNs) repeated++
    }
    this.count += Math.max(0, repeated - this.#countAtNewest)
    const last = times.at(-1)
    if (last === undefined || (newestNs !== null && last < newestNs)) return
    this.#newestNs = last
    this.#countAtNewest = times.filter((atNs) => atNs === last).length
  }

  /** The next window belongs to another world. */
  reset(): void {
    this.#newestNs = null
    this.#countAtNewest = 0
  }
}

/** Distinct incidents of one world; later ones are not counted. */
const incidentsMax = 1 << 20

/** Counts incidents that are open in a frame, and those that opened and were resolved between two frames. */
class IncidentCounter {
  count = 0
  openMax = 0
  readonly #seen = new Set<bigint>()
  #isFirstFrame = true

  add(open: TextList, resolved: TextList): void {
    this.openMax = Math.max(this.openMax, open.ids.length)
    for (const id of open.ids) this.#see(id, true)
    // The first frame of a world lists incidents that were resolved before.
    for (const id of resolved.ids) this.#see(id, !this.#isFirstFrame)
    this.#isFirstFrame = false
  }

  /** The next frame belongs to another world. */
  reset(): void {
    this.#seen.clear()
    this.#isFirstFrame = true
  }

  #see(id: bigint, counts: boolean): void {
    if (this.#seen.size === incidentsMax) return
    if (counts && !this.#seen.has(id)) this.count++
    this.#seen.add(id)
  }
}

/** Decodes all frames of a recording to report on their content. */
export class Inspection {
  readonly #index: RecordingIndex
  readonly #cursor: FrameCursor
  readonly #sizes = new Map<string, number>()
  readonly #events = new EventCounter()
  readonly #incidents = new IncidentCounter()
  /** The sizes of the current session's decoder, and their values at the frame before. */
  #decoderSizes: Float64Array = new Float64Array(0)
  #sizesBefore: Float64Array = new Float64Array(0)
  #records = new Map<string, number>()

  constructor(index: RecordingIndex) {
    this.#index = index
    this.#cursor = new FrameCursor(index)
  }

  /** Frames must be inspected in order. Throws a RecordingError for an unreadable one. */
  inspectFrame(position: number): void {
    const { frames, sessions } = this.#index
    const { session, isJoin, simTimeNs } = frames.at(position)
    const { lists: names } = sessions[session]
    const { lists } = this.#cursor.read(position)
    const listsByName: Record<string, TextList | undefined> = Object.fromEntries(
      names.map((name, i) => [name, lists[i]]),
    )
    this.#addSizes(names)
    this.#records = new Map(names.map((name, i) => [name, lists[i].ids.length]))
    // An appended session may continue the previous one's world.
    if (isJoin && position > 0 && simTimeNs < frames.at(position - 1).simTimeNs) {
      this.#events.reset()
      this.#incidents.reset()
    }
    const { events, incidents, resolvedIncidents } = listsByName
    this.#events.add(events ?? emptyTextList)
    this.#incidents.add(incidents ?? emptyTextList, resolvedIncidents ?? emptyTextList)
  }

  get report(): InspectionReport {
    return {
      sizes: this.#sizes,
      records: this.#records,
      events: this.#events.count,
      incidents: this.#incidents.count,
      openIncidentsMax: this.#incidents.openMax,
    }
  }

  #addSizes(names: readonly string[]): void {
    const { sizes } = this.#cursor
    // Each session has a decoder of its own, which counts from 0.
    const before = sizes === this.#decoderSizes ? this.#sizesBefore : new Float64Array(sizes.length)
    for (const [i, name] of names.entries()) {
      this.#sizes.set(name, (this.#sizes.get(name) ?? 0) + sizes[i] - before[i])
    }
    this.#decoderSizes = sizes
    this.#sizesBefore = sizes.slice()
  }
}
