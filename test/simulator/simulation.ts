import type { Clock } from '../../src/contract/clock.ts'
import type { Changes } from '../../src/encoding/frames/changes.ts'
import { heartbeatIntervalMs } from '../../src/encoding/frames/worker-protocol.ts'
import type { FromWorld, ToWorld } from '../../src/encoding/frames/worker-protocol.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { WorldThreadSupply } from '../../src/mirror/world-thread-supply.ts'
import { AttachedSource } from '../../src/sources/attached/source.ts'
import { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { worldChangeFeed } from '../../src/sources/built-in/world-change-feed.ts'
import { SourceRunner } from '../../src/sources/source-runner.ts'
import type { Source } from '../../src/sources/source.ts'
import { ChangeBuilder } from '../../src/sources/change-builder.ts'
import type { ChangeParts } from '../../src/sources/change-builder.ts'
import type { FromTables, ToTables } from '../../src/tables/thread/protocol.ts'
import { TablesClient } from '../../src/tables/thread/tables-client.ts'
import { TablesThread } from '../../src/tables/thread/tables-thread.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import type { Observe } from '../fuzz/target.ts'
import { Clients } from './clients.ts'
import { Disk } from './disk.ts'
import { mayMissEvents } from './plan.ts'
import type { Plan } from './plan.ts'
import { Place, Scheduler } from './scheduler.ts'
import { Service } from './service.ts'
import { Session } from './session.ts'
import { Thread } from './threads.ts'
import { servedAlways, servedSometimes, Upstream } from './upstream.ts'
import { hourNs, MarkedWorld, stepNs } from './world.ts'

export const textOf = (error: unknown): string => (error instanceof Error ? error.stack! : String(error))

const heavyBytes = 16 * 2 ** 20

/** A batch of changes of the same content in much memory. */
function padded(changes: Changes): Changes {
  const { events } = changes
  if (events === null) return changes
  // Memory that is not written to costs nothing.
  const buffer = new ArrayBuffer(heavyBytes)
  new Uint8Array(buffer).set(new Uint8Array(events.buffer))
  return { ...changes, events: { ...events, buffer } }
}

/** The mirror with its threads, its upstream and its clients, in one process and one order of events. */
export class Simulation {
  readonly plan: Plan
  readonly scheduler = new Scheduler()
  readonly failures: string[] = []
  readonly log: string[] = []
  readonly mirror: Mirror
  readonly supply: WorldThreadSupply
  readonly tables: TablesClient
  readonly service: Service
  readonly clients: Clients
  readonly upstream: Upstream
  readonly disk: Disk
  /** The service's own thread. */
  readonly main = new Place()
  readonly outside = new Place()
  worldThread: Thread<ToWorld, FromWorld> | null = null
  tablesThread: Thread<ToTables, FromTables> | null = null
  /** Until then no thread can be started. */
  noThreadsUntilMs = 0
  /** Whether changes are as large as those of the largest worlds. */
  isHeavy = false
  /** Whether a response may take seconds to compress: until the faults end. */
  hasSlowCoding = true
  readonly session: Session
  /** Called with each message of a thread, and to it. */
  onWorldMessage: (message: ToWorld | FromWorld) => void = () => {}
  onTablesMessage: (message: ToTables | FromTables) => void = () => {}
  /** Called with each message of the thread when it arrives. */
  onTablesAnswer: (message: FromTables) => void = () => {}
  onChangesDropped: () => void = () => {}
  onTablesStart: () => void = () => {}
  onPowerLost: (eventsLeft: ReadonlySet<string>) => void = () => {}
  onWorldStart: () => void = () => {}
  readonly #clock: Clock
  readonly #random: SeededRandom

  constructor(plan: Plan, observe: Observe) {
    this.plan = plan
    const { scheduler } = this
    const random = new SeededRandom(plan.seed ^ 0x5bd1e995)
    this.#random = random
    this.#clock = scheduler.clockOf(this.main)
    this.upstream = new Upstream({
      scheduler,
      place: this.outside,
      random: new SeededRandom(plan.seed ^ 0x1b873593),
      cadenceMs: plan.upstreamCadenceMs,
      latencyMs: plan.latencyMs,
      stepNs: plan.hasHours ? 3n * hourNs : stepNs,
      served: new Set([...servedAlways, ...servedSometimes.filter(() => random.oneIn(4))]),
      earlierEvents: plan.earlierEvents,
      fail: (what) => this.failures.push(what),
    })
    this.disk = new Disk(plan.isArchived && plan.isKept, new SeededRandom(plan.seed ^ 0x27d4eb2f))
    this.tables = this.#createTables()
    this.supply = new WorldThreadSupply({
      spawn: (reachNs) => this.#startWorld(reachNs),
      clock: this.#clock,
      ...(plan.isArchived ? { onChanges: (changes: Changes) => this.#tell(changes) } : {}),
      isSavedAtClose: true,
    })
    const log = (line: string): number => this.log.push(line)
    const { cadenceMs, idleMs } = plan
    const [clock, supply] = [this.#clock, this.supply]
    this.mirror = new Mirror({ supply, clock, cadenceMs, idleAfterMs: idleMs, log })
    const [mirror, tables, place] = [this.mirror, this.tables, this.main]
    this.service = new Service({
      scheduler,
      place,
      clock,
      mirror,
      tables,
      // Compressors wait for each other.
      codingMs: () => random.below(this.hasSlowCoding && random.oneIn(10) ? 8_000 : 30),
      log,
      fail: (what) => this.failures.push(what),
    })
    this.clients = new Clients({
      scheduler,
      server: this.main,
      outside: this.outside,
      random: new SeededRandom(plan.seed ^ 0x85ebca6b),
      service: this.service,
      isArchived: plan.isArchived,
      mayRestart: plan.source === 'attached',
      mayMissEvents: mayMissEvents(plan),
      fail: (what) => this.failures.push(what),
      observe,
    })
    scheduler.onThrow = (error) => this.failures.push(`a turn threw: ${textOf(error)}`)
    this.session = new Session(scheduler, this.main, (what) => this.failures.push(what))
    this.mirror.start()
    this.clients.start()
  }

  #delayMs = (): number => this.#random.below(1 + this.plan.portMs)

  #createTables(): TablesClient {
    const { disk } = this
    const { isArchived } = this.plan
    return new TablesClient({
      spawn: () => {
        this.onTablesStart()
        this.tablesThread = new Thread({
          scheduler: this.scheduler,
          parent: this.main,
          delayMs: this.#delayMs,
          onPost: (message) => this.onTablesMessage(message),
          program: (place, post) => {
            const { open, path } = disk
            const archive = isArchived ? { path, session: '', bytesMax: 2 ** 28, isBlind: false } : null
            const clock = this.scheduler.clockOf(place)
            const thread = new TablesThread({ archive, clock, post, open })
            return (message) => {
              thread.receive(message)
              if (message.kind === 'make') this.#work(place, this.#random.below(40))
              if (message.kind === 'changes' && disk.isSlow) this.#work(place, this.#random.below(2_000))
            }
          },
        })
        this.tablesThread.on('message', (message: FromTables) => this.onTablesAnswer(message))
        return this.tablesThread
      },
      clock: this.#clock,
      note: (_isProblem, message) => this.log.push(message),
      archive: isArchived
        ? { frame: () => this.mirror.frame, wantWhole: () => this.supply.wantAllLists() }
        : null,
    })
  }

  /** The thread of tables ends; what its archive has stored stays where it is kept. */
  killTables(why: string): void {
    this.tablesThread?.die(new Error(why))
    this.disk.release()
  }

  /** The machine of the archive restarts, which loses what was not synced. */
  losePower(): void {
    if (this.disk.path === null) return
    this.tablesThread?.die(new Error('the power was lost'))
    const left = this.disk.losePower()
    if (typeof left === 'string') this.failures.push(`a loss of power: ${left}`)
    else this.onPowerLost(left)
  }

  #tell(changes: Changes): void {
    const heavy = this.isHeavy ? padded(changes) : changes
    const before = this.tables.figures?.errors
    this.tables.add(heavy)
    if (this.tables.figures?.errors !== before) this.onChangesDropped()
  }

  /** A thread that works receives nothing meanwhile. */
  #work(place: Place, ms: number): void {
    place.hangsUntilMs = Math.max(place.hangsUntilMs, this.scheduler.nowMs()) + ms
  }

  #startWorld(reachNs: bigint): Thread<ToWorld, FromWorld> {
    const nowMs = this.scheduler.nowMs()
    if (nowMs < this.noThreadsUntilMs) throw new Error('no thread can be started')
    this.onWorldStart()
    const thread = new Thread<ToWorld, FromWorld>({
      scheduler: this.scheduler,
      parent: this.main,
      delayMs: this.#delayMs,
      onPost: (message) => this.onWorldMessage(message),
      program: (place, post) => {
        const clock = this.#clockOf(place)
        const runner = new SourceRunner({
          source: this.#openSource(place, clock, reachNs),
          clock,
          post: (message, moved) => post(message, moved),
          soon: (call) => clock.after(0.01, call),
          isArchived: this.plan.isArchived,
        })
        const beat = (): void => {
          post({ kind: 'heartbeat' }, [])
          clock.after(heartbeatIntervalMs, beat)
        }
        clock.after(heartbeatIntervalMs, beat)
        runner.start()
        return (message) => runner.receive(message)
      },
    })
    this.worldThread = thread
    return thread
  }

  /** Time passes in a thread while it works. */
  #clockOf(place: Place): Clock {
    const clock = this.scheduler.clockOf(place)
    return { ...clock, nowMs: () => Math.max(clock.nowMs(), place.hangsUntilMs) }
  }

  #openSource(place: Place, clock: Clock, reachNs: bigint): Source {
    const { plan } = this
    const exposition = createExposition({ collectors: [] })
    if (plan.source === 'attached')
      return new AttachedSource({
        origin: new URL('http://upstream:9740'),
        exposition,
        clock,
        cadenceMs: plan.cadenceMs,
        open: this.upstream.connections(place),
      })
    const world = new MarkedWorld(1, new SeededRandom(plan.seed), { hasTies: false })
    const past = this.#liveWarmUp(world)
    const stepped = {
      history: world.history,
      get nowNs() {
        return world.nowNs
      },
      step: () => {
        world.step()
        this.#work(place, plan.stepMs)
      },
      snapshot: () => world.snapshot(),
    }
    const figures = { seed: '7', scale: 'small', scenario: '', speed: plan.speed }
    const warmUpNs = BigInt(plan.warmUpSteps) * stepNs
    return new SimulationSource({
      world: stepped,
      exposition,
      clock,
      speed: plan.speed,
      cadenceMs: plan.cadenceMs,
      warmUpNs: reachNs > world.nowNs + warmUpNs ? reachNs - world.nowNs : warmUpNs,
      changeFeed: worldChangeFeed(world, { worldId: 'w1', figures, warmUpChanges: past }),
    })
  }

  /** The changes of a warm-up that the world has behind it. */
  #liveWarmUp(world: MarkedWorld): ChangeParts[] {
    const builder = new ChangeBuilder()
    return Array.from({ length: this.plan.warmUpStories }, () => {
      world.step()
      return builder.ofRecords(world.feedSnapshot())
    })
  }
}
