/** Runs the service: options → world in a worker thread → mirror → HTTP server. */
import { resolve } from 'node:path'
import { processClock as clock } from '../process/clock.ts'
import type { SessionReport } from '../contract/session-report.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { commonInfoFlags } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { OptionError, parseCommand } from '../options/parse-options.ts'
import type { ParsedCommand } from '../options/parse-options.ts'
import { archiveSettings } from '../options/archive-settings.ts'
import { truthSetting, watchedActionsSetting } from '../options/game-day-settings.ts'
import { imageSetting, linkSettings } from '../options/link-settings.ts'
import { replaySettings } from '../options/recording-settings.ts'
import { sessionSettings } from '../options/session-settings.ts'
import { listenSettings, logLevelSetting, portMax, publishingSettings } from '../options/service-settings.ts'
import type { ListenAddress } from '../options/service-settings.ts'
import { cacheSetting, collectorsSetting, worldSettings } from '../options/world-settings.ts'
import { ownThread } from '../process/thread.ts'
import { ownVersion } from '../process/version.ts'
import { describeScenarios, scenarioStart } from '../world/scenario-language.ts'
import { noHistory } from '../metrics/history/history-reader.ts'
import type { Service } from '../service.ts'
import { describeSource, isSavedAtClose, sourceKindOf, upstreamOriginOf } from '../sources/registry.ts'
import type { SourceSpec } from '../sources/registry.ts'
import { resolvesToListenAddress, wildcards } from './serve/addresses.ts'
import { FileHeldError } from '../store/owner-lock.ts'
import { ForeignFileError, ownSessionFile } from '../store/session-file.ts'
import type { OwnedFile } from '../store/session-file.ts'
import { fillWords } from '../store/archive/word-index.ts'
import { TablesClient } from '../tables/thread/tables-client.ts'
import { checkFile, checkWorldFiles } from '../command-line/files/check-files.ts'
import { ownActions, watchedActions } from './serve/own-actions.ts'
import { commandFrom, exitCodes } from '../command-line/command-line.ts'
import { connectionLimit } from './serve/connection-limit.ts'
import { Logger } from '../command-line/logger.ts'
import { isOneOfSeveral, reportPort } from './sessions/parent-process.ts'
import {
  resolveCollectors,
  resolveSessions,
  resolveSource,
  validators,
} from '../command-line/select-source.ts'
import { sessionNameOf } from './sessions/session-name.ts'
import { exitWhenEnded, setShutdownHandler } from './shutdown.ts'
import { startWorldThread } from './world-thread.ts'

export const serveCommand = {
  usage: '[COMMAND] [OPTIONS]',
  summary: 'Mirrors a running data-center simulation over HTTP, for Prometheus, Grafana and other clients.',
  settings: {
    ...sessionSettings,
    ...listenSettings,
    ...linkSettings,
    image: imageSetting,
    ...worldSettings,
    cache: cacheSetting,
    actions: watchedActionsSetting,
    truth: { ...truthSetting, brief: false },
    ...archiveSettings,
    ...replaySettings,
    ...publishingSettings,
    collectors: collectorsSetting,
    'log-level': logLevelSetting,
  },
  infoFlags: { 'list-scenarios': 'List the built-in scenarios.', ...commonInfoFlags },
  examples: [
    'dcsim-mirror --scenario core-switch-at-peak',
    'dcsim-mirror act "SwitchFailure core count 2 zone 1 for 1h"',
    'dcsim-mirror record --out evening.dcsim',
  ],
} as const

type Options = Values<typeof serveCommand.settings>

/** Threads have this long to end after a second request to shut down. */
const hastyShutdownMs = 100
/** Covers the limits of the world, which saves its state, and of the archive; a container has 10 s. */
const savingShutdownMs = 9_000

/** Allowed values of the Host header: those of --allow-host, and the ones in --listen and --public-url. */
function allowedHosts({ listen, 'allow-host': names, 'public-url': address }: Options): string[] {
  const own = listen.host.includes(':') ? `[${listen.host}]` : listen.host
  return [
    ...names,
    ...(wildcards.has(listen.host) ? [] : [own]),
    ...(address === null ? [] : [new URL(address).hostname]),
  ]
}

/** The address that is listened on; null if it is a wildcard, or its port is not known yet. */
const listenOrigin = ({ host, port }: ListenAddress): string | null =>
  wildcards.has(host) || port === 0 ? null : `http://${host.includes(':') ? `[${host}]` : host}:${port}`

function describeOpenAddress(port: number, { 'allow-host': names }: Options): string {
  const hosts = ['localhost', '127.0.0.0/8', '[::1]', ...names]
  return (
    `Port ${port} is open to the network. Requests are accepted for the hosts ${hosts.join(', ')}; ` +
    '--allow-host adds more.'
  )
}

/** The file of the session; null for none. A replay repeats what may be in the file already. */
const sessionFileOf = ({ options, origins }: ParsedCommand<typeof serveCommand.settings>): string | null => {
  const path = options['session-file']
  const isReplay = sourceKindOf(options.source) === 'recording'
  return path === '' || (isReplay && !origins['session-file'].startsWith('--')) ? null : path
}

interface ServedWorld {
  readonly service: Service
  readonly tables: TablesClient
}

/** The world starts first: the server is loaded while the world opens. */
async function createServiceFor(
  command: ParsedCommand<typeof serveCommand.settings>,
  spec: SourceSpec,
  path: string | null,
  log: Logger,
): Promise<ServedWorld> {
  const { options } = command
  const { 'cadence-ms': cadenceMs } = options
  const collectors = resolveCollectors(options.collectors)
  let history = noHistory
  let service: Service | null = null
  const archive = {
    path,
    session: sessionNameOf(options),
    bytesMax: options['archive-mb'] * 2 ** 20,
    isBlind: spec.kind === 'simulation' && spec.blind === true,
  }
  const tables = new TablesClient({
    spawn: () => ownThread('tables-thread', { workerData: { archive } }),
    clock,
    archive: {
      frame: (lists) => service?.mirror.partsOnce(lists) ?? null,
      wantWhole: () => supply.wantAllLists(),
    },
    note: (isProblem, message) => (isProblem ? log.error(message) : log.info(message)),
  })
  const supply = startWorldThread(
    { spec, cadenceMs, collectors },
    clock,
    (latest) => {
      history = latest
    },
    (changes) => tables.add(changes),
  )
  supply.begin()
  const { createService } = await import('../service.ts')
  service = createService({
    supply,
    clock,
    version: ownVersion(),
    session: sessionNameOf(options),
    links: {
      mirror: options['public-url'] ?? listenOrigin(options.listen),
      image: options.image === '' ? null : options.image,
      grafana: options['grafana-url'],
      prometheus: options['prometheus-url'],
      alertmanager: options['alertmanager-url'],
    },
    cadenceMs,
    idleAfterMs: options['idle-ms'],
    collectors,
    allowedHosts: allowedHosts(options),
    connectionsMax: connectionLimit(),
    history: () => history,
    tables,
    log: (line) => log.error(line),
  })
  return { service, tables }
}

function refuseMirrorOfItself(
  { options, origins }: ParsedCommand<typeof serveCommand.settings>,
  spec: SourceSpec,
): void {
  const { listen } = options
  const origin = upstreamOriginOf(spec)
  if (origin === null || !resolvesToListenAddress(listen, origin)) return
  throw new OptionError(
    `${origins.source}: ${origin} is ${listen.host}:${listen.port}, where this mirror is to listen; ` +
      'use another --listen',
  )
}

function describeListenError({ host, port }: ListenAddress, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'address already in use',
    EADDRNOTAVAIL: 'this machine does not have that address',
    EACCES: 'permission denied',
    ENOTFOUND: 'unknown host name',
  }
  const advice =
    code === 'EADDRINUSE' && port < portMax
      ? `Stop the mirror that is there, or use another one: --listen ${host.includes(':') ? `[${host}]` : host}:${port + 1}.`
      : 'Use another --listen.'
  return `Cannot listen on ${host}:${port}: ${reasons[code ?? ''] ?? message}. ${advice}`
}

/** Shuts the service down gracefully at the first request, and exits at the second. */
function closeOnShutdown(
  { service: { mirror, server }, tables }: ServedWorld,
  log: Logger,
  onClose: () => void,
  beforeExit: () => void,
  isSaved: boolean,
): void {
  let threads: Promise<void> | null = null
  setShutdownHandler((reason) => {
    if (threads !== null) {
      void exitWhenEnded(exitCodes.interrupted, { threads, beforeExit, timeoutMs: hastyShutdownMs })
      return
    }
    onClose()
    log.info(`Shutting down: ${reason}.`)
    threads = mirror.close().then(() => tables.close())
    const others = [server.close()]
    void exitWhenEnded(0, { threads, others, beforeExit, ...(isSaved && { timeoutMs: savingShutdownMs }) })
  })
}

/** In Windows PowerShell `curl` is another program. */
const curl = process.platform === 'win32' ? 'curl.exe' : 'curl'

/** Called once, at the first publish. */
type OnReady = (origin: string) => void

/** Logs the progress of the warm-up and the first publish. Returns a function that ends the progress. */
function logProgress(origin: string, mirror: Mirror, log: Logger, onReady: OnReady): () => void {
  let isReady = false
  let cancel = () => {}
  const logNext = (): void => {
    log.progress(mirror.status().reason)
    cancel = clock.after(log.progressIntervalMs, logNext)
  }
  logNext()
  mirror.onPublish(({ publishSeq, captureToSwapMs, recordsEncoded, recordsTotal, frameBytes }) => {
    const cost = `${captureToSwapMs.toFixed(1)} ms, ${recordsEncoded} of ${recordsTotal} records, ${frameBytes} bytes`
    log.debug(`Publish ${publishSeq}: ${cost}.`)
    if (isReady) return
    isReady = true
    cancel()
    const seconds = (clock.upMs() / 1000).toFixed(1)
    if (isOneOfSeveral()) return log.info(`Ready after ${seconds} s.`)
    log.info(`Ready after ${seconds} s. Browser: ${origin}/  Prometheus: ${origin}/metrics`)
    log.info(`Try: ${curl} "${origin}/tables/incidents.csv?limit=5"`)
    onReady(origin)
  })
  return () => cancel()
}

/** Takes the file of the session for this process; null without one. */
function ownFile(path: string | null, origin: string, log: Logger): OwnedFile | null {
  if (path === null) return null
  try {
    const owned = ownSessionFile(resolve(path), fillWords)
    const loss = owned.path === null ? ' The session is kept in memory until the mirror ends.' : ''
    if (owned.problem !== null) log.error(owned.problem + loss)
    return owned
  } catch (error) {
    if (error instanceof ForeignFileError) throw new OptionError(`${origin}: ${error.message}`)
    if (!(error instanceof FileHeldError)) throw error
    log.error(error.message)
    return process.exit(exitCodes.failed)
  }
}

function logReport(report: SessionReport, log: Logger): void {
  if (report.kind === 'saved') return log.debug('The world is saved.')
  if (report.kind === 'note') return report.isProblem ? log.error(report.message) : log.info(report.message)
  if (report.message === null) return
  const isFailure = report.kind === 'not-saved' || report.replacedFor !== null
  if (isFailure) log.error(report.message)
  else log.info(report.message)
}

/** Runs a mirror for each session of a list. */
async function runSessions(
  { options, origins }: ParsedCommand<typeof serveCommand.settings>,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { listen, session, 'log-level': level } = options
  const { checkCommonFlags, checkSessions, serveSessions, sessionEnvironment } = await import(
    './sessions/serve-sessions.ts'
  )
  checkCommonFlags(words)
  checkWorldFiles({ options: { ...options, source: 'simulation' }, origins })
  if (session !== '') throw new OptionError(`${origins.session}: applies only without ${origins.sessions}`)
  const sessions = resolveSessions(options.sessions)
  const own = sessionEnvironment(environment)
  checkSessions(sessions, origins.sessions, (flags) => parseCommand(serveCommand, flags, own, validators))
  await serveSessions({
    sessions,
    listen,
    allowedHosts: allowedHosts(options),
    connectionsMax: connectionLimit(),
    environment,
    files: { 'session-file': options['session-file'], actions: options.actions },
    clock,
    log: new Logger({ level }),
    describeListenError: (error) => describeListenError(listen, error),
    exit: (code) => process.exit(code),
  })
}

async function run(command: ParsedCommand<typeof serveCommand.settings>, onReady: OnReady): Promise<void> {
  const { options } = command
  const log = new Logger({ level: options['log-level'] })
  checkWorldFiles(command)
  const origin = command.origins['session-file']
  checkFile(origin, options['session-file'])
  const owned = ownFile(sessionFileOf(command), origin, log)
  const actions = ownActions(options.actions, log)
  const truth = options.truth && sourceKindOf(options.source) === 'simulation'
  if (truth && owned === null)
    throw new OptionError(
      `${command.origins.truth}: the truth is kept in the file of a session, expected --session-file FILE`,
    )
  const spec = resolveSource(command, log, {
    actions: actions.path,
    cache: options.cache,
    session: owned,
    truth: truth ? owned!.path : null,
  })
  refuseMirrorOfItself(command, spec)
  const served = await createServiceFor(command, spec, owned?.path ?? null, log)
  const { service } = served
  let cancelProgress = () => {}
  const release = (): void => {
    owned?.release()
    actions.release()
  }
  closeOnShutdown(served, log, () => cancelProgress(), release, isSavedAtClose(spec))
  service.mirror.onSessionReport((report) => logReport(report, log))
  let address
  try {
    address = await service.server.listen(options.listen.host, options.listen.port)
  } catch (error) {
    log.error(describeListenError(options.listen, error))
    release()
    process.exit(exitCodes.failed)
  }
  const loopback = wildcards.get(address.address)
  const host = loopback ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address)
  const publicUrl = options['public-url']
  const shownOrigin = publicUrl ?? `http://${host}:${address.port}`
  log.info(`dcsim-mirror ${ownVersion()} listens on ${shownOrigin}`)
  // A public address, as a container has one, makes this warning irrelevant.
  if (loopback !== undefined && publicUrl === null) log.info(describeOpenAddress(address.port, options))
  log.info(`It mirrors ${describeSource(spec)}.`)
  log.info(`Its session is named ${sessionNameOf(options)}.`)
  if (spec.kind === 'simulation' && spec.scenario !== null && spec.blind !== true)
    log.info(scenarioStart(spec.scenario, spec.speed))
  reportPort(address.port)
  service.mirror.start()
  cancelProgress = logProgress(shownOrigin, service.mirror, log, onReady)
}

export async function runServe(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  onReady: OnReady = () => {},
): Promise<void> {
  const parsed = commandFrom(serveCommand, words, environment, {
    validators,
    answers: { 'list-scenarios': describeScenarios },
  })
  if (parsed === null) return
  const options = { ...parsed.options, actions: watchedActions(parsed.options.actions) }
  const command = { ...parsed, options }
  if (options.sessions === '') await run(command, onReady)
  else await runSessions(command, words, environment)
}
