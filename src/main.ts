/** Puts the service together: options → world in a thread of its own → mirror → server. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { clockOf } from './contract/clock.ts'
import { encodedFamilies } from './http/answers/declared-metrics.ts'
import { landingPage } from './http/landing/page.ts'
import { openApiRepresentation } from './http/openapi/representation.ts'
import { HttpServer } from './http/server.ts'
import { chooseCollectors } from './metrics/collectors.ts'
import { declaredFamilies } from './metrics/declared.ts'
import { createServiceMetrics } from './metrics/own.ts'
import type { ServiceMetrics } from './metrics/own.ts'
import { createSeriesReader } from './metrics/series-reader.ts'
import type { SeriesReader } from './metrics/series-reader.ts'
import { Mirror } from './mirror/mirror.ts'
import { WorldSupply } from './mirror/world-supply.ts'
import { helpText, OptionError, readOptions, usualWarmupNs } from './options.ts'
import type { Options, Question } from './options.ts'
import { parseScenario } from './simulation/scenarios/parse-scenario.ts'
import type { Scenario } from './simulation/scenarios/scenario.ts'
import { listScenarios, shippedScenario } from './simulation/scenarios/shipped.ts'
import type { WorldThreadData } from './sources/world-thread-data.ts'

const exitCodes = { badOption: 2, cannotListen: 1, interrupted: 130 } as const

/** How long the service may take to end once it was asked to. */
const endWithinMs = 950
const progressEveryMs = { terminal: 200, log: 5_000 } as const

const nsAMicrosecond = 1000n

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

function ownVersion(): string {
  const description = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(description) as { version: string }).version
}

function answer(question: Question): string {
  if (question === 'help') return helpText()
  if (question === 'version') return ownVersion()
  return listScenarios()
    .map(({ name, title, description }) => `${name}\n  ${title}. ${description}`)
    .join('\n')
}

/** A scenario by its name or out of a file, or what is wrong with it. */
function readScenario(nameOrFile: string): Scenario | null | string {
  if (nameOrFile === '') return null
  const shipped = shippedScenario(nameOrFile)
  if (shipped !== null) return shipped
  let text
  try {
    text = readFileSync(nameOrFile, 'utf8')
  } catch (error) {
    const names = listScenarios().map(({ name }) => name)
    const why = error instanceof Error ? error.message : String(error)
    return `${why}; expected a readable file or one of ${names.join(', ')}`
  }
  const reading = parseScenario(text)
  if ('scenario' in reading) return reading.scenario
  const { line, column, message } = reading.problem
  return `${nameOrFile}, line ${line}, column ${column}: ${message}`
}

const complaintAbout =
  (read: (text: string) => unknown) =>
  (text: string): string | null => {
    const outcome = read(text)
    return typeof outcome === 'string' ? outcome : null
  }

const complaints = {
  scenario: complaintAbout(readScenario),
  collectors: complaintAbout(chooseCollectors),
}

/** What was read without complaint before. */
function sound<T>(outcome: T | string): T {
  if (typeof outcome === 'string') throw new OptionError(outcome)
  return outcome
}

/** The history of a world that has not begun. */
const noHistory: SeriesReader = { paths: () => ({ paths: [], total: 0 }), series: () => null }

/** Tells people what goes on: faults always, the rest as the level has it. */
class Reporter {
  readonly #level: Options['log-level']
  readonly #terminal = process.stdout.isTTY
  #progressShown = false

  constructor(level: Options['log-level']) {
    this.#level = level
  }

  fault(line: string): void {
    this.#endProgress()
    console.error(line)
  }

  info(line: string): void {
    if (this.#level === 'quiet') return
    this.#endProgress()
    console.log(line)
  }

  debug(line: string): void {
    if (this.#level === 'debug') this.info(line)
  }

  /** One line that is written over on a terminal, and now and then a line of its own elsewhere. */
  progress(line: string): void {
    if (!this.#terminal || this.#level === 'quiet') {
      this.info(line)
      return
    }
    process.stdout.write(`\r\x1b[K${line}`)
    this.#progressShown = true
  }

  get progressEveryMs(): number {
    return this.#terminal ? progressEveryMs.terminal : progressEveryMs.log
  }

  #endProgress(): void {
    if (this.#progressShown) process.stdout.write('\r\x1b[K')
    this.#progressShown = false
  }
}

interface Service {
  readonly mirror: Mirror
  readonly server: HttpServer
}

function createMetrics(mirror: () => Mirror): ServiceMetrics {
  let capturedAtMs: number | null = null
  let frameBytes = 0
  const metrics = createServiceMetrics({
    version: ownVersion(),
    nowMs: clock.nowMs,
    figures: () => ({
      worldReady: capturedAtMs !== null,
      paused: mirror().status().status === 'idle',
      ageSeconds: capturedAtMs === null ? 0 : (clock.nowMs() - capturedAtMs) / 1000,
      frameBytes,
      sourceUp: ['ok', 'idle'].includes(mirror().status().status),
    }),
  })
  mirror().onPublish((report) => {
    capturedAtMs = clock.nowMs() - report.captureToSwapMs
    frameBytes = report.frameBytes
    metrics.published(report.captureToSwapMs / 1000)
  })
  return metrics
}

/** Addresses that stand for every address of the machine, and are the name of none. */
const wildcards = new Set(['0.0.0.0', '::'])

/** The names that the service may be called by: those allowed, and the one that it was told to listen on. */
function allowedHosts({ listen, 'allow-host': names }: Options): string[] {
  if (wildcards.has(listen.host)) return [...names]
  return [...names, listen.host.includes(':') ? `[${listen.host}]` : listen.host]
}

function createService(options: Options, report: Reporter): Service {
  const scenario = sound(readScenario(options.scenario))
  const collectors = sound(chooseCollectors(options.collectors))
  const scenarioWarmup = scenario?.warmup ?? null
  const suitedNs = scenarioWarmup === null ? usualWarmupNs : BigInt(scenarioWarmup) * nsAMicrosecond
  const world = {
    seed: options.seed,
    scale: options.scale,
    speed: options.speed,
    warmupNs: options.warmup ?? suitedNs,
    cadenceMs: options['cadence-ms'],
    scenario,
    collectors,
  }
  let history = noHistory
  const supply = new WorldSupply({
    spawn: (reachNs) =>
      new Worker(new URL('world-thread.ts', import.meta.url), {
        workerData: { ...world, reachNs } satisfies WorldThreadData,
      }),
    clock,
    onHistory: (memory) => {
      history = createSeriesReader(memory)
    },
  })
  const mirror: Mirror = new Mirror({
    supply,
    clock,
    cadenceMs: options['cadence-ms'],
    idleAfterMs: options['idle-ms'],
    log(line) {
      metrics.sourceFailed()
      report.fault(line)
    },
  })
  const metrics = createMetrics(() => mirror)
  const server = new HttpServer({
    mirror,
    clock,
    today: () => new Date(),
    bootId: randomBytes(6).toString('base64url'),
    allowedHosts: allowedHosts(options),
    sources: {
      mirrorStatus: () => mirror.status(),
      series: { paths: (prefix) => history.paths(prefix), series: (path) => history.series(path) },
      declaredMetrics: encodedFamilies(new Map([...declaredFamilies(collectors), ...metrics.declared])),
      ownMetrics: (names) => metrics.text(names),
      openApi: openApiRepresentation(),
      landing: landingPage(),
    },
    answered: (route, status, seconds, bytes) => metrics.answered(route, status, seconds, bytes),
    log: (line) => report.fault(line),
  })
  return { mirror, server }
}

/** What went wrong with listening, for people. */
function listenFault({ host, port }: Options['listen'], error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'something else listens there already',
    EADDRNOTAVAIL: 'this machine does not have that address',
    EACCES: 'that port may not be used by this user',
    ENOTFOUND: 'nobody knows that name',
  }
  return `Cannot listen on ${host}:${port}: ${reasons[code ?? ''] ?? message}. Choose another place with --listen.`
}

/** Ends the service gracefully at the first signal, and at once at the second. */
function endOnSignals({ mirror, server }: Service, report: Reporter, ending: () => void): void {
  let asked = false
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (asked) process.exit(exitCodes.interrupted)
    asked = true
    ending()
    report.info(`Ending, as ${signal} asked.`)
    clock.after(endWithinMs, () => process.exit(0))
    await Promise.all([server.close(), mirror.close()])
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void end(signal))
  process.on('SIGINT', (signal) => void end(signal))
}

function describe({ source, scale, seed, speed, scenario }: Options): string {
  const size = typeof scale === 'number' ? `${scale} hosts` : `scale ${scale}`
  const told = scenario === '' ? '' : `, scenario ${scenario}`
  return `It mirrors the built-in ${source}: ${size}, seed ${seed}, ${speed} simulated seconds a second${told}.`
}

function tellWhenReady(origin: string, mirror: Mirror, report: Reporter): () => void {
  const beganMs = clock.nowMs()
  let stopWaiting = () => {}
  const tellProgress = (): void => {
    report.progress(mirror.status().reason)
    stopWaiting = clock.after(report.progressEveryMs, tellProgress)
  }
  tellProgress()
  mirror.onPublish(({ publishSeq, captureToSwapMs, recordsEncoded, recordsTotal, frameBytes }) => {
    const figures = `${captureToSwapMs.toFixed(1)} ms, ${recordsEncoded} of ${recordsTotal} records, ${frameBytes} bytes`
    report.debug(`Publish ${publishSeq}: ${figures}.`)
    if (publishSeq > 1) return
    stopWaiting()
    const seconds = ((clock.nowMs() - beganMs) / 1000).toFixed(1)
    report.info(`Ready after ${seconds} s. For people: ${origin}/  For Prometheus: ${origin}/metrics`)
    report.info(`Try: curl '${origin}/api/v1/incidents?limit=3'`)
  })
  return () => stopWaiting()
}

async function run(options: Options): Promise<void> {
  const report = new Reporter(options['log-level'])
  const service = createService(options, report)
  let stopTelling = () => {}
  endOnSignals(service, report, () => stopTelling())
  let address
  try {
    address = await service.server.listen(options.listen.host, options.listen.port)
  } catch (error) {
    report.fault(listenFault(options.listen, error))
    process.exit(exitCodes.cannotListen)
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const origin = `http://${host}:${address.port}`
  report.info(`dcsim-mirror ${ownVersion()} listens on ${origin}`)
  report.info(describe(options))
  service.mirror.start()
  stopTelling = tellWhenReady(origin, service.mirror, report)
}

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2), process.env, complaints)
    if (typeof options === 'string') console.log(answer(options))
    else await run(options)
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    console.error(error.message)
    process.exitCode = exitCodes.badOption
  }
}

await main()
