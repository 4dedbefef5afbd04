/** Runs the service: options → world in a thread of its own → mirror → server. */
import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { clockOf } from '../contract/clock.ts'
import { encodedFamilies } from '../http/answers/declared-metrics.ts'
import { landingPage } from '../http/landing/page.ts'
import { openApiRepresentation } from '../http/openapi/representation.ts'
import { HttpServer } from '../http/server.ts'
import { BufferPool } from '../encoding/buffer-pool.ts'
import { declaredFamilies } from '../metrics/declared.ts'
import { createServiceMetrics } from '../metrics/own.ts'
import type { ServiceMetrics } from '../metrics/own.ts'
import { createSeriesReader } from '../metrics/series-reader.ts'
import type { HistoryReader } from '../metrics/series-reader.ts'
import { Mirror } from '../mirror/mirror.ts'
import { WorldSupply } from '../mirror/world-supply.ts'
import { usualQuestions } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { readCommand } from '../options/read.ts'
import { logLevelSetting, publishingSettings, readingSettings } from '../options/service-settings.ts'
import type { ListenAddress } from '../options/service-settings.ts'
import { collectorsSetting, worldSettings } from '../options/world-settings.ts'
import { listScenarios } from '../simulation/scenarios/shipped.ts'
import { Exchange } from '../sources/attached/exchange.ts'
import { ServerHistory } from '../sources/attached/server-history.ts'
import type { MirroredWorld, WorldThreadData } from '../sources/world-thread-data.ts'
import { answer, commandLines, exitCodes, ownVersion } from './command-line.ts'
import { Reporter } from './reporter.ts'
import { chooseWorld, collectorsOf, complaints } from './world-choice.ts'

export const serve = {
  usage: 'npm start -- [COMMAND] [FLAGS]',
  summary: 'Mirrors a running data-center simulation over HTTP, for Prometheus, Grafana and other readers.',
  settings: {
    ...readingSettings,
    ...worldSettings,
    ...publishingSettings,
    collectors: collectorsSetting,
    'log-level': logLevelSetting,
  },
  questions: { 'list-scenarios': 'List the scenarios that are built in.', ...usualQuestions },
} as const

type Options = Values<typeof serve.settings>

/** How long the service may take to end once it was asked to. */
const endWithinMs = 950

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

/** The history of a world that has not begun. */
const noHistory: HistoryReader = { paths: () => ({ paths: [], total: 0 }), series: () => null }

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
  mirror().onFault((fault) => metrics.sourceFailed(fault))
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

function mirroredWorld(options: Options): MirroredWorld {
  const { source, seed, scale, speed } = options
  if (source !== 'simulation') return { kind: 'server', origin: source }
  return { kind: 'simulation', ...chooseWorld(options), seed, scale, speed }
}

function serverHistory(origin: string, mirror: Mirror): ServerHistory {
  const exchange = new Exchange({ origin: new URL(origin), clock, pool: new BufferPool() })
  return new ServerHistory({ exchange, clock, publishSeq: () => mirror.frame?.publishSeq ?? 0 })
}

function createService(options: Options, report: Reporter): Service {
  const collectors = collectorsOf(options.collectors)
  const cadenceMs = options['cadence-ms']
  const world = mirroredWorld(options)
  let history: HistoryReader = noHistory
  const supply = new WorldSupply({
    spawn: (reachNs) =>
      new Worker(new URL('../world-thread.ts', import.meta.url), {
        workerData: { world, cadenceMs, collectors, reachNs } satisfies WorldThreadData,
      }),
    clock,
    onHistory: (memory) => {
      history = createSeriesReader(memory)
    },
  })
  const mirror: Mirror = new Mirror({
    supply,
    clock,
    cadenceMs,
    idleAfterMs: options['idle-ms'],
    log: (line) => report.fault(line),
  })
  if (world.kind === 'server') history = serverHistory(world.origin, mirror)
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
function listenFault({ host, port }: ListenAddress, error: unknown): string {
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
  if (source !== 'simulation') return `It mirrors the server at ${source}.`
  const size = typeof scale === 'number' ? `${scale} hosts` : `scale ${scale}`
  const told = scenario === '' ? '' : `, scenario ${scenario}`
  return `It mirrors the built-in simulation: ${size}, seed ${seed}, ${speed} simulated seconds a second${told}.`
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
    process.exit(exitCodes.failed)
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const origin = `http://${host}:${address.port}`
  report.info(`dcsim-mirror ${ownVersion()} listens on ${origin}`)
  report.info(describe(options))
  service.mirror.start()
  stopTelling = tellWhenReady(origin, service.mirror, report)
}

const scenarioList = (): string =>
  listScenarios()
    .map(({ name, title, description }) => `${name}\n  ${title}. ${description}`)
    .join('\n')

export async function runServe(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const told = readCommand(serve, words, environment, complaints)
  if (told === 'list-scenarios') console.log(scenarioList())
  else if (typeof told === 'string') console.log(answer(serve, told, commandLines()))
  else await run(told.options)
}
