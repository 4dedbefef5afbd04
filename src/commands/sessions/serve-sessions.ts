/** Runs several sessions at one address: a mirror in a process of its own for each, and a front for all of them. */
import { extname, join, parse } from 'node:path'
import { isSea } from 'node:sea'
import { environmentVariable } from '../../options/command.ts'
import { noActionsFile } from '../../options/game-day-settings.ts'
import { OptionError } from '../../options/parse-options.ts'
import { listedSettings } from '../../options/session-list.ts'
import type { ListedSession } from '../../options/session-list.ts'
import { ownVersion } from '../../process/version.ts'
import { SessionFront } from '../../sessions/session-front.ts'
import { SessionProcess } from '../../sessions/session-process.ts'
import type { Clock } from '../../contract/clock.ts'
import { exitCodes } from '../../command-line/command-line.ts'
import type { Logger } from '../../command-line/logger.ts'
import type { WorldFiles } from '../../command-line/select-source.ts'
import { setShutdownHandler } from '../shutdown.ts'

/** The entry of a mirror: a source of this checkout, its compiled form in the package, or a command of the executable. */
const entry = isSea() ? 'serve' : new URL(`../../main${extname(import.meta.url)}`, import.meta.url)

const mirrorAddress = '127.0.0.1:0'

/** The command line of the process that mirrors a session. */
export const sessionWords = ({ name, flags }: ListedSession): string[] => [`--session=${name}`, ...flags]

/** Variables that belong to a single session. */
const ownVariables = new Set(
  ['sessions', 'session', 'source', 'listen', 'session-file', 'actions'].map(environmentVariable),
)

/** The environment that the mirrors of all sessions share. */
export const sessionEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !ownVariables.has(name)))

/** The path of a session's file: that of a single session, with the session's name before the extension. */
export function fileOfSession(path: string, session: string): string {
  const { dir, name, ext } = parse(path)
  return join(dir, `${name}-${session}${ext}`)
}

/** Files of which each session has its own; an empty path means no file. */
interface SessionFiles extends WorldFiles {
  readonly 'session-file': string
}

/** The variables that name the files of a session, which reads no file of actions by itself. */
const fileVariables = (files: SessionFiles, session: string): Record<string, string> => ({
  [environmentVariable('actions')]: noActionsFile,
  ...Object.fromEntries(
    Object.entries(files).flatMap(([setting, path]: [string, string]) =>
      path === '' ? [] : [[environmentVariable(setting), fileOfSession(path, session)]],
    ),
  ),
})

/** Flags of the service of several sessions. The others are settings of one session. */
const commonFlags: ReadonlySet<string> = new Set([
  'sessions',
  'listen',
  'allow-host',
  'log-level',
  'session-file',
  'actions',
])

/** The ways to a setting of sessions that are accepted: in their list, and in the environment that all of them share. */
function waysTo(flag: string): string {
  const variable = environmentVariable(flag)
  const ways = [
    ...(listedSettings.includes(flag) ? [`in the list, as NAME=SOURCE?${flag}=VALUE`] : []),
    ...(ownVariables.has(variable) ? [] : [`by ${variable}`]),
  ]
  return ways.length === 0 ? 'the list has it, as NAME=SOURCE' : `set it ${ways.join(', or ')}`
}

/** Refuses flags that would have no effect. */
export function checkCommonFlags(words: readonly string[]): void {
  for (const word of words) {
    const flag = /^--([^=]+)/.exec(word)?.[1]
    if (flag === undefined || commonFlags.has(flag)) continue
    throw new OptionError(`--${flag}: does not apply to several sessions; ${waysTo(flag)}`)
  }
}

/** Refuses the list if one of its sessions would be refused. */
export function checkSessions(
  sessions: readonly ListedSession[],
  origin: string,
  check: (words: readonly string[]) => unknown,
): void {
  for (const session of sessions) {
    try {
      check(sessionWords(session))
    } catch (error) {
      if (!(error instanceof OptionError)) throw error
      throw new OptionError(`${origin}: session "${session.name}": ${error.message}`)
    }
  }
}

interface SessionsOptions {
  readonly sessions: readonly ListedSession[]
  readonly listen: { readonly host: string; readonly port: number }
  readonly allowedHosts: readonly string[]
  readonly connectionsMax: number | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Paths from which those of each session's files derive. */
  readonly files: SessionFiles
  readonly clock: Clock
  readonly log: Logger
  readonly describeListenError: (error: unknown) => string
  readonly exit: (code: number) => never
}

export async function serveSessions(options: SessionsOptions): Promise<void> {
  const { sessions, listen, allowedHosts, connectionsMax, clock, log } = options
  const processes = sessions.map(
    (session) =>
      new SessionProcess({
        name: session.name,
        entry,
        words: [...sessionWords(session), `--listen=${mirrorAddress}`],
        environment: {
          ...sessionEnvironment(options.environment),
          ...fileVariables(options.files, session.name),
        },
        clock,
        log: (line) => log.info(line),
        onRefused: () => void shutDown(exitCodes.invalidOption),
      }),
  )
  const front = new SessionFront({
    sessions: processes,
    allowedHosts,
    connectionsMax,
    clock,
    log: (line) => log.error(line),
  })
  let isShuttingDown = false
  const shutDown = async (code: number): Promise<void> => {
    if (isShuttingDown) options.exit(exitCodes.interrupted)
    isShuttingDown = true
    await Promise.all([front.close(), ...processes.map((session) => session.stop())])
    options.exit(code)
  }
  setShutdownHandler((reason) => {
    log.info(`Shutting down: ${reason}.`)
    void shutDown(0)
  })
  let address
  try {
    address = await front.listen(listen.host, listen.port)
  } catch (error) {
    log.error(options.describeListenError(error))
    options.exit(exitCodes.failed)
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const names = sessions.map(({ name }) => name).join(', ')
  log.info(`dcsim-mirror ${ownVersion()} listens on http://${host}:${address.port}`)
  log.info(`It has the sessions ${names}: add ?session=NAME to every path.`)
  for (const session of processes) session.start()
}
