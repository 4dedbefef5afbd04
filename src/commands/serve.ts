/** Runs the service: options → world in a thread of its own → mirror → server. */
import { Worker } from 'node:worker_threads'
import { clockOf } from '../contract/clock.ts'
import { BufferPool } from '../encoding/buffer-pool.ts'
import { createSeriesReader } from '../metrics/series-reader.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { WorldSupply } from '../mirror/world-supply.ts'
import { usualQuestions } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { OptionError, readCommand } from '../options/read.ts'
import type { Told } from '../options/read.ts'
import { replaySettings } from '../options/recording-settings.ts'
import { logLevelSetting, publishingSettings, readingSettings } from '../options/service-settings.ts'
import type { ListenAddress } from '../options/service-settings.ts'
import { collectorsSetting, isServer, worldSettings } from '../options/world-settings.ts'
import { wrapped } from '../options/wrap.ts'
import { ownVersion } from '../own-version.ts'
import { createService, noHistory } from '../service.ts'
import type { Service } from '../service.ts'
import { listScenarios } from '../simulation/scenarios/shipped.ts'
import { Exchange } from '../sources/attached/exchange.ts'
import { ServerHistory } from '../sources/attached/server-history.ts'
import { worldThreadLimits } from '../sources/world-thread-data.ts'
import type { MirroredWorld, WorldThreadData } from '../sources/world-thread-data.ts'
import { leadsTo, wildcards } from './addresses.ts'
import { answer, commandLines, exitCodes } from './command-line.ts'
import { onEnding } from './ending.ts'
import { Reporter } from './reporter.ts'
import { chooseMirrored, collectorsOf, complaints, mirroredText } from './world-choice.ts'

export const serve = {
  usage: 'npm start -- [COMMAND] [FLAGS]',
  summary: 'Mirrors a running data-center simulation over HTTP, for Prometheus, Grafana and other readers.',
  settings: {
    ...readingSettings,
    ...worldSettings,
    ...replaySettings,
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

/** The names that the service may be called by: those allowed, and the one that it was told to listen on. */
function allowedHosts({ listen, 'allow-host': names }: Options): string[] {
  if (wildcards.has(listen.host)) return [...names]
  return [...names, listen.host.includes(':') ? `[${listen.host}]` : listen.host]
}

/** Says who can read, where every address of the machine is listened on. */
function openText(port: number, { 'allow-host': names }: Options): string {
  const called = ['localhost', '127.0.0.0/8', '[::1]', ...names]
  return (
    `It is open to the network on port ${port}, and answers to the names ${called.join(', ')}; ` +
    '--allow-host adds more.'
  )
}

function serverHistory(origin: string, publishSeq: () => number): ServerHistory {
  const exchange = new Exchange({ origin: new URL(origin), clock, pool: new BufferPool() })
  return new ServerHistory({ exchange, clock, publishSeq })
}

function serviceOf(options: Options, world: MirroredWorld, report: Reporter): Service {
  const collectors = collectorsOf(options.collectors)
  const cadenceMs = options['cadence-ms']
  let history = noHistory
  const supply = new WorldSupply({
    spawn: (reachNs) =>
      new Worker(new URL('../world-thread.ts', import.meta.url), {
        workerData: { world, cadenceMs, collectors, reachNs } satisfies WorldThreadData,
        resourceLimits: worldThreadLimits(world),
      }),
    clock,
    onHistory: (memory) => {
      history = createSeriesReader(memory)
    },
  })
  const service = createService({
    supply,
    clock,
    version: ownVersion(),
    cadenceMs,
    idleAfterMs: options['idle-ms'],
    collectors,
    allowedHosts: allowedHosts(options),
    history: () => history,
    log: (line) => report.fault(line),
  })
  if (world.kind === 'server') {
    history = serverHistory(world.origin, () => service.mirror.frame?.publishSeq ?? 0)
  }
  return service
}

function refuseItself({ options, found }: Told<typeof serve.settings>): void {
  const { source, listen } = options
  if (!isServer(source) || !leadsTo(listen, source)) return
  throw new OptionError(
    `${found.source}: ${source} leads to ${listen.host}:${listen.port}, where this mirror would listen itself. ` +
      'Choose another place with --listen.',
  )
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

/** Ends the service gracefully when it is asked to, and at once when it is asked again. */
function endWhenAsked({ mirror, server }: Service, report: Reporter, ending: () => void): void {
  let asked = false
  const end = async (why: string): Promise<void> => {
    if (asked) process.exit(exitCodes.interrupted)
    asked = true
    ending()
    report.info(`Ending, ${why}.`)
    clock.after(endWithinMs, () => process.exit(0))
    await Promise.all([server.close(), mirror.close()])
    process.exit(0)
  }
  onEnding((why) => void end(why))
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
    report.info(`Try: curl '${origin}/api/v1/incidents/resolved?limit=1'`)
  })
  return () => stopWaiting()
}

async function run(told: Told<typeof serve.settings>): Promise<void> {
  const { options } = told
  refuseItself(told)
  const report = new Reporter(options['log-level'])
  const world = chooseMirrored(told, report)
  const service = serviceOf(options, world, report)
  let stopTelling = () => {}
  endWhenAsked(service, report, () => stopTelling())
  let address
  try {
    address = await service.server.listen(options.listen.host, options.listen.port)
  } catch (error) {
    report.fault(listenFault(options.listen, error))
    process.exit(exitCodes.failed)
  }
  const loopback = wildcards.get(address.address)
  const host = loopback ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address)
  const origin = `http://${host}:${address.port}`
  report.info(`dcsim-mirror ${ownVersion()} listens on ${origin}`)
  if (loopback !== undefined) report.info(openText(address.port, options))
  report.info(`It mirrors ${mirroredText(world)}.`)
  service.mirror.start()
  stopTelling = tellWhenReady(origin, service.mirror, report)
}

const scenarioList = (): string =>
  listScenarios()
    .map(({ name, title, description }) => `${name}\n${wrapped(`  ${title}. ${description}`, 2)}`)
    .join('\n')

export async function runServe(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const told = readCommand(serve, words, environment, complaints)
  if (told === 'list-scenarios') console.log(scenarioList())
  else if (typeof told === 'string') console.log(answer(serve, told, commandLines()))
  else await run(told)
}
