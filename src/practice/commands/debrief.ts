/** Makes the page of a game day from the file of its session. */
import { debriefPage } from '../debrief/page.ts'
import { gameDayOf } from '../debrief/game-day.ts'
import type { GameDayFiles, FiredAlert } from '../debrief/game-day.ts'
import type { TwinHarm } from '../debrief/harm.ts'
import { belongs } from '../grading/belonging.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { debriefSettings } from '../../options/game-day-settings.ts'
import { OptionError } from '../../options/parse-options.ts'
import { processClock as clock } from '../../process/clock.ts'
import { commandFrom } from '../../command-line/command-line.ts'
import { checkFile } from '../../command-line/files/check-files.ts'
import { writeTextFile } from '../../command-line/files/write-text-file.ts'
import { firedAlerts } from './report/grade-rules.ts'
import { PrometheusClient, PrometheusError } from './report/prometheus-client.ts'
import { answersAt, fileOf, orderOf, readSession } from './read-session.ts'
import type { SessionTruth } from './read-session.ts'
import { progressOf } from '../../command-line/progress.ts'
import { runTwins } from './twin-runs.ts'
import { Logger } from '../../command-line/logger.ts'
import { scenarioNamed } from '../../command-line/select-source.ts'

export const debriefCommand = {
  name: 'debrief',
  usage: 'debrief [FILE] [OPTIONS]',
  summary:
    'Makes the page of a game day: the truth beside what the team saw, said and did, what was ' +
    'missed, and what it cost against the same world in which nothing had been done.',
  settings: debriefSettings,
  infoFlags: commonInfoFlags,
  examples: [
    'dcsim-mirror debrief evening.dcsim',
    'dcsim-mirror debrief evening.dcsim --prometheus http://127.0.0.1:9090',
  ],
  argument: { placeholder: 'FILE', help: 'The file of the session.', isOptional: true },
} as const

/** Wall seconds after the end of a fault in which an alert may still be about it. */
const graceSeconds = 90

export async function runDebrief(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(debriefCommand, words, environment)
  if (command === null) return
  const { options, origins } = command
  const log = new Logger({ level: 'info', out: process.stderr })
  checkFile(origins.out, options.out)
  const { path, origin } = fileOf(command)
  const session = readSession(path, origin)
  const until = session.closed ?? now(session)
  if (session.closed === null) log.info('The session is not over: stop the mirror for the whole of it.')
  const page = debriefOf(session, {
    answers: answersAt(path, origin),
    alerts: await alertsOf(session, options.prometheus, log),
    harm: options.twin ? twinsOf(session, until.sim_s, log) : null,
    until,
  })
  const out = `${options.out}.html`
  const problem = writeTextFile(out, page)
  if (problem !== null) throw new OptionError(`${origins.out}: ${problem}`)
  console.log(`Wrote ${out}.`)
}

/** The page of a session. */
export function debriefOf(
  { opening, faults, actions }: SessionTruth,
  others: Pick<GameDayFiles, 'answers' | 'alerts' | 'harm' | 'until'>,
): string {
  const title = scenarioNamed(opening.opened.scenario)?.title ?? 'A game day'
  return debriefPage(gameDayOf({ opening, faults, actions, orderOf, title, ...others }))
}

/** The present moment of a session that is not over. */
function now({ opening: { opened } }: SessionTruth) {
  const wall = clock.wallMs() / 1000
  return { wall_s: wall, sim_s: opened.began.sim_s + Math.floor((wall - opened.began.wall_s) * opened.speed) }
}

function twinsOf({ opening, actions, faults }: SessionTruth, untilSimSeconds: number, log: Logger): TwinHarm {
  const harm = runTwins({
    opening,
    scenario: scenarioNamed(opening.opened.scenario),
    actions,
    faults,
    untilSimSeconds,
    onProgress: progressOf(log, 'Running the world twice'),
  })
  log.endProgress()
  return harm
}

async function alertsOf(
  { faults, opening }: SessionTruth,
  url: string | null,
  log: Logger,
): Promise<FiredAlert[]> {
  if (url === null) return []
  const own = faults.filter(({ begin }) => begin.sim_s >= opening.opened.began.sim_s)
  try {
    const episodes = await firedAlerts(new PrometheusClient(url), own, {
      grace: graceSeconds,
      nowSeconds: clock.wallMs() / 1000,
      onProgress: progressOf(log, 'Evaluating rules'),
    })
    // Those of severity none inhibit others, and are not sent.
    return episodes
      .filter(({ severity }) => severity !== 'none')
      .map((episode) => ({
        name: episode.alert,
        severity: episode.severity,
        wall_s: episode.span[0],
        faults: own.filter((fault) => belongs(episode, fault, graceSeconds)).map(({ fault }) => fault),
      }))
  } catch (error) {
    if (!(error instanceof PrometheusError)) throw error
    log.error(`The page has no alerts. ${error.message}`)
    return []
  }
}
