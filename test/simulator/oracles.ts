import type { Changes } from '../../src/encoding/frames/changes.ts'
import type { FromWorld, ToWorld } from '../../src/encoding/frames/worker-protocol.ts'
import type { FromTables, ToTables } from '../../src/tables/thread/protocol.ts'
import type { Simulation } from './simulation.ts'
import { smallLimits, smallSegmentBytes } from './service.ts'
import { eventsIn } from './world.ts'

/** A source that answers again asks again this soon after its next failure. */
const firstRetryMaxMs = 100

const [batchesMax, changesBytesMax] = [1_000, 128 * 2 ** 20]

/** The bounds of the parts, as their users may rely on them: what is counted, and the most that there may be. */
const bounds: Readonly<Record<string, readonly [counted: (watch: Watch) => number, max: number]>> = {
  'requests of a connection that wait': [({ simulation }) => simulation.clients.longestQueue, 40],
  'requests of all connections that wait': [
    ({ simulation }) => simulation.clients.waiting,
    smallLimits.pipelinedInAllMax + 40,
  ],
  'tables that wait': [({ tables }) => tables.size, 256],
  'changes that wait': [({ waitingBytes }) => waitingBytes.length, batchesMax],
  'bytes of changes that wait': [(watch) => watch.changesBytes, changesBytesMax],
  'requests to the upstream': [({ simulation }) => simulation.upstream.open, 64],
  'bytes of compressed hosts': [
    ({ simulation: { mirror, service } }) => {
      const bytes =
        mirror.frame?.parts.has('hosts') === true ? mirror.frame.collections.hosts.bytes : undefined
      return bytes === undefined
        ? 0
        : service.segments.bytesOf(bytes) / Math.max(bytes.length, smallSegmentBytes)
    },
    // Six times the bytes of the list, and one part more.
    7,
  ],
  'superseded frames': [({ simulation: { mirror }, tables }) => mirror.supersededFrames - tables.size, 120],
}

const boundEntries = Object.entries(bounds)

/** More than the events of any changes take. */
const changesTextMax = 2 ** 18

/** Changes repeat the events of the window, also after an error: this many at least, of 120. */
const repeatedMin = 60

/** Watches the messages between threads, and checks what has to hold after each event. */
export class Watch {
  readonly simulation: Simulation
  /** Of tables that are asked for: the ids. */
  readonly tables = new Set<number>()
  /** The events of changes that the archive has not stored. */
  readonly changes: { events: readonly string[] }[] = []
  /** The bytes of each batch of changes that the service knows nothing more of. */
  readonly waitingBytes: number[] = []
  /** Events that the archive has stored; null if two worlds look like one there. */
  #stored: Set<string> | null = new Set()
  /** Events in changes that the archive could not store. */
  #failed: string[] = []
  #archiveErrors = 0
  #lastSent = { simTimeNs: -1n, life: 0 }
  #hasAnswered = false
  #lastStory = { simTimeNs: -1n, worldId: null as string | null }

  constructor(simulation: Simulation) {
    this.simulation = simulation
    simulation.onWorldMessage = (message) => this.#world(message)
    simulation.onTablesMessage = (message) => this.#tables(message)
    simulation.onWorldStart = () => {
      this.#lastStory = { simTimeNs: -1n, worldId: null }
      this.#hasAnswered = false
    }
    simulation.onChangesDropped = () => this.#changesDropped()
    simulation.onTablesAnswer = ({ kind }) => {
      if (kind === 'stored') this.waitingBytes.shift()
    }
    simulation.onTablesStart = () => {
      this.tables.clear()
      this.changes.length = 0
      this.waitingBytes.length = 0
      this.#archiveErrors = 0
      this.#failed = []
      if (simulation.disk.path !== null) return
      this.#stored = new Set()
      this.#lastSent = { simTimeNs: -1n, life: 0 }
    }
    simulation.onPowerLost = (left) => this.#powerLost(left)
  }

  /** Events that have to be in the archive; null if that cannot be said. */
  get storedEvents(): ReadonlySet<string> | null {
    if (this.#stored === null) return null
    return new Set([
      ...this.#stored,
      ...this.#failed.slice(-repeatedMin),
      ...this.changes.flatMap(({ events }) => events),
    ])
  }

  /** A loss of power takes the newest of what was stored. */
  #powerLost(left: ReadonlySet<string>): void {
    const stored = [...(this.#stored ?? [])]
    const lost = stored.findIndex((event) => !left.has(event))
    if (lost < 0) return
    const later = stored.slice(lost).find((event) => left.has(event))
    if (later !== undefined) this.#fail(`a loss of power took event ${stored[lost]} and left ${later}`)
    this.#stored = new Set(stored.slice(0, lost))
  }

  #fail(what: string): void {
    this.simulation.failures.push(what)
  }

  check(): void {
    for (const [name, [counted, max]] of boundEntries) {
      const count = counted(this)
      if (count > max) this.#fail(`${name}: ${count}, at most ${max} may`)
    }
  }

  #world(message: ToWorld | FromWorld): void {
    if (message.kind === 'changes') this.#changesStored(message.changes)
    else if (message.kind === 'frame' || message.kind === 'unchanged') this.#hasAnswered = true
    else if (message.kind === 'missed') {
      const { retryMs } = message.miss
      if (this.#hasAnswered && retryMs > firstRetryMaxMs)
        this.#fail(`the first failure after a success costs a pause of ${retryMs} ms`)
      this.#hasAnswered = false
    }
  }

  /** Stories of a thread follow each other in simulated time. */
  #changesStored({ worldId, simTimeNs }: Changes): void {
    const last = this.#lastStory
    this.#lastStory = { simTimeNs, worldId }
    if (worldId !== null && worldId === last.worldId && simTimeNs < last.simTimeNs)
      this.#fail(`a changes of ${simTimeNs} follows one of ${last.simTimeNs}`)
  }

  #tables(message: ToTables | FromTables): void {
    if (message.kind === 'make') this.tables.add(message.id)
    else if (message.kind === 'made' || (message.kind === 'failed' && message.reason !== null))
      this.tables.delete(message.id)
    else if (message.kind === 'failed') this.#fail(`a table failed: ${message.message}`)
    else if (message.kind === 'changes') this.#changesSent(message.changes)
    else if (message.kind === 'stored') this.#changesAnswered(message.figures.errors)
  }

  #changesAnswered(errors: number): void {
    const { events } = this.changes.shift() ?? { events: [] }
    if (errors > this.#archiveErrors) this.#failed.push(...events)
    else for (const event of events) this.#stored?.add(event)
    this.#archiveErrors = errors
  }

  #changesSent({ events, simTimeNs, worldId }: Changes): void {
    const bytes = events?.buffer.byteLength ?? 0
    const textBytes = Math.min(bytes, changesTextMax)
    const text =
      events === null ? '' : Buffer.from(events.buffer as ArrayBuffer, 0, textBytes).toString('latin1')
    const found = eventsIn(text)
    const { simTimeNs: lastNs, life: lastLife } = this.#lastSent
    const isBack = simTimeNs < lastNs
    const life = found.at(-1)?.[0] ?? (isBack ? 0 : lastLife)
    // A world with an id repeats its past after a restart of its thread.
    const isRepeated = worldId !== null && isBack
    // Without one, a world that begins again and is further than before looks like the same.
    if (worldId === null && life > lastLife && lastLife > 0 && !isBack) this.#stored = null
    if (isBack && !isRepeated) {
      this.#stored?.clear()
      this.#failed = []
      for (const waiting of this.changes) waiting.events = []
    }
    this.waitingBytes.push(bytes)
    this.changes.push({ events: isRepeated ? [] : found.map((event) => event.join('#')) })
    if (!isRepeated) this.#lastSent = { simTimeNs, life }
  }

  get changesBytes(): number {
    return this.waitingBytes.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** A batch of changes is dropped only while many others wait. */
  #changesDropped(): void {
    const [count, bytes] = [this.waitingBytes.length, this.changesBytes]
    if (count < batchesMax && bytes < changesBytesMax - 2 ** 25)
      this.#fail(`a changes was dropped while ${count} of ${bytes} bytes waited`)
  }
}
