import { createHash } from 'node:crypto'
import type { Observe } from '../fuzz/target.ts'
import { checkArchive } from './archive-check.ts'
import { Watch } from './oracles.ts'
import type { Action, Plan } from './plan.ts'
import { Simulation, textOf } from './simulation.ts'
import { networkFaults, servedAlways } from './upstream.ts'

/** After the faults, everything is as if there had been none within this time. */
const recoveryMs = 45_000
const lookMs = 3_000
const closeMaxMs = 20_000

interface Outcome {
  /** A sentence; null for a run without one. */
  readonly failure: string | null
  readonly turns: number
  readonly answered: number
  readonly publishes: number
  /** Equal for equal plans. */
  readonly digest: string
  readonly simulatedMs: number
}

class Run {
  readonly simulation: Simulation
  readonly watch: Watch
  readonly #hash = createHash('sha1')
  #overdueMs = 0
  readonly #startMs: number

  constructor(plan: Plan, observe: Observe) {
    this.simulation = new Simulation(plan, observe)
    this.watch = new Watch(this.simulation)
    this.#startMs = this.simulation.scheduler.nowMs()
  }

  get #hasFailed(): boolean {
    return this.simulation.failures.length > 0
  }

  readonly #onTurn = (): boolean => {
    const { scheduler, clients, failures } = this.simulation
    this.watch.check()
    const nowMs = scheduler.nowMs()
    this.#hash.update(`${nowMs},${clients.answered};`)
    if (nowMs - this.#overdueMs > 1_000) {
      this.#overdueMs = nowMs
      const overdue = clients.overdue(nowMs)
      if (overdue !== null) failures.push(overdue)
    }
    return this.#hasFailed
  }

  async outcome(): Promise<Outcome> {
    const { simulation } = this
    const { plan, scheduler } = simulation
    const startMs = this.#startMs
    for (const action of plan.actions)
      scheduler.after(action.atMs, simulation.outside, () => this.#act(action))
    scheduler.after(plan.faultsMs, simulation.outside, () => this.#endFaults())
    await scheduler.runUntil(startMs + plan.faultsMs, this.#onTurn)
    let stale: string | null = 'not looked at'
    for (let leftMs = recoveryMs; leftMs > 0 && stale !== null && !this.#hasFailed; leftMs -= lookMs) {
      await scheduler.runUntil(scheduler.nowMs() + lookMs, this.#onTurn)
      stale = this.#stale()
    }
    if (stale !== null) simulation.failures.push(`${recoveryMs / 1_000} s after the faults ${stale}`)
    if (!this.#hasFailed && plan.isArchived)
      await checkArchive(simulation, () => this.watch.storedEvents, this.#onTurn)
    if (!this.#hasFailed) await this.#close()
    return {
      failure: simulation.failures[0] ?? null,
      turns: scheduler.turns,
      answered: simulation.clients.answered,
      publishes: simulation.mirror.frame?.publishSeq ?? 0,
      digest: this.#hash.digest('hex'),
      simulatedMs: scheduler.nowMs() - startMs,
    }
  }

  #act({ kind, atMs, lastsMs: drawnMs, size }: Action): void {
    const { simulation } = this
    const lastsMs = Math.min(drawnMs, simulation.plan.faultsMs - atMs)
    const { scheduler, upstream, clients, worldThread, tablesThread, session, disk } = simulation
    const later = (call: () => void): unknown => scheduler.after(lastsMs, simulation.outside, call)
    const network = networkFaults.find((fault) => fault === kind)
    if (network !== undefined) {
      upstream.fault = { kind: network, oneIn: size < 0.5 ? 1 : 5 }
      later(() => (upstream.fault = null))
    } else if (kind === 'world-dies') worldThread?.die(new Error('out of luck'))
    else if (kind === 'world-hangs') worldThread?.hang(lastsMs)
    else if (kind === 'no-threads') {
      simulation.noThreadsUntilMs = scheduler.nowMs() + lastsMs
      worldThread?.die(null)
    } else if (kind === 'tables-die') simulation.killTables('out of memory')
    else if (kind === 'tables-hang') tablesThread?.hang(lastsMs)
    else if (kind === 'power-loss') simulation.losePower()
    else if (kind === 'disk-full') {
      disk.setFull(true)
      later(() => disk.setFull(false))
    } else if (kind === 'disk-slow') {
      disk.isSlow = true
      later(() => (disk.isSlow = false))
    } else if (kind === 'pipeline') clients.pipeline(size)
    else if (kind === 'flood-tables') clients.floodTables(Math.ceil(180 + size * 150))
    else if (kind === 'crawl') clients.crawl()
    else if (kind === 'leave') clients.leaveAll()
    else if (kind === 'idle') {
      clients.isIdle = true
      later(() => (clients.isIdle = false))
    } else if (kind === 'restart') upstream.restart()
    else if (kind === 'burst') upstream.burst(Math.ceil(size * 200))
    else if (kind === 'heavy') {
      simulation.isHeavy = true
      later(() => (simulation.isHeavy = false))
    } else if (kind === 'session-dies') session.die()
    else if (kind === 'session-hangs') session.hang(lastsMs)
    else if (kind === 'no-processes') session.refuse(scheduler.nowMs() + lastsMs, size < 0.5)
    else if (kind === 'wall-jump') scheduler.wallOffsetMs += (size - 0.5) * 1e9
  }

  #endFaults(): void {
    const { upstream, clients, disk } = this.simulation
    disk.setFull(false)
    disk.isSlow = false
    upstream.fault = null
    clients.isIdle = false
    this.simulation.noThreadsUntilMs = 0
    this.simulation.isHeavy = false
    this.simulation.hasSlowCoding = false
  }

  /** The difference to a run without faults; null if there is none. */
  #stale(): string | null {
    const { mirror, plan, session, clients } = this.simulation
    const { status, reason } = mirror.status()
    if (status !== 'ok') return `the mirror is ${status}: ${reason}`
    const ageMs = mirror.ageMs(mirror.frame)
    const ageMaxMs = 2 * plan.cadenceMs + (plan.source === 'attached' ? plan.upstreamCadenceMs : 0) + 1_000
    if (ageMs > ageMaxMs) return `the world is ${ageMs} ms old`
    const lost = servedAlways.find((name) => mirror.frame!.unknown[name] !== undefined)
    if (lost !== undefined) return `${lost} are unknown: ${mirror.frame!.unknown[lost]}`
    if (session.port === null) return 'the mirror of the session does not run'
    return clients.unansweredSince(this.#startMs + plan.faultsMs)
  }

  async #close(): Promise<void> {
    const { mirror, tables, session, scheduler, failures } = this.simulation
    let isClosed = false
    const closing = (async () => {
      await mirror.close()
      await tables.close()
      await session.stop()
      isClosed = true
    })()
    await scheduler.runUntil(scheduler.nowMs() + closeMaxMs, () => isClosed || this.#onTurn())
    if (!isClosed) failures.push(`it has not stopped after ${closeMaxMs} ms`)
    else await closing
  }
}

/** `observe` may plant a fault in what clients read. */
export async function runPlan(plan: Plan, observe: Observe = (text) => text): Promise<Outcome> {
  const run = new Run(plan, observe)
  const onRejection = (error: unknown): unknown =>
    run.simulation.failures.push(`a promise failed: ${textOf(error)}`)
  process.on('unhandledRejection', onRejection)
  try {
    return await run.outcome()
  } finally {
    process.off('unhandledRejection', onRejection)
    run.simulation.upstream.close()
    run.simulation.disk.remove()
  }
}
