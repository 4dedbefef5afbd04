/** Says what of an upstream conforms to the contract, and what a mirror makes of the rest. */
import type { Effect } from '../encoding/record-differences.ts'
import { checkSettings } from '../options/archive-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { OptionError, parseCommand, quoted } from '../options/parse-options.ts'
import { ParseFailure } from '../options/setting.ts'
import { worldSettings } from '../options/world-settings.ts'
import { processClock as clock } from '../process-clock.ts'
import { checkUpstream } from '../sources/attached/upstream-check.ts'
import type { FieldReport, RouteReport, UpstreamReport } from '../sources/attached/upstream-check.ts'
import { sourceKindOf } from '../sources/registry.ts'
import { printable } from '../text/printable.ts'
import { answerInfoFlag, exitCodes } from './command-line.ts'
import { formatCount } from './files/recording-summary.ts'

export const checkCommand = {
  name: 'check',
  usage: 'check URL [OPTIONS]',
  summary:
    'Reads the API of a game or of another upstream, and says by route and field what conforms to the contract, what ' +
    'differs, and what a mirror makes of it. Exits with 1 if anything differs that the contract has.',
  settings: checkSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror check http://127.0.0.1:9741', 'dcsim-mirror check http://127.0.0.1:9741 --json'],
  argument: { placeholder: 'URL', help: 'Address of the upstream, such as http://127.0.0.1:9741.' },
} as const

/** For all responses together; each has a limit of its own too. */
const checkTimeoutMs = 60_000

const effects: Readonly<Record<Effect, string>> = {
  'left out': 'a mirror leaves the record out',
  unknown: 'a mirror takes it for unknown',
  passed: 'a mirror passes it on',
}

/** A further field is none of the contract's. */
const isBreach = ({ expected }: FieldReport): boolean => expected !== 'no such field'

const conforms = ({ problem, fields, more }: RouteReport): boolean =>
  problem === null && more === 0 && !fields.some(isBreach)

function routeLines(route: RouteReport): string[] {
  const { path, records, problem, fields, more } = route
  const read = records === null ? '' : `${formatCount(records, 'record')}, `
  return [
    `${path}: ${conforms(route) ? `${read}conforms` : (problem ?? `${read}differs`)}`,
    ...fields.map(
      ({ field, got, expected, effect, count }) =>
        `  ${field}: got ${got}, expected ${expected} (${formatCount(count, 'time')}): ${effects[effect]}`,
    ),
    ...(more === 0 ? [] : [`  and ${formatCount(more, 'more difference')}`]),
  ]
}

const reportText = ({ origin, routes, refusedFor }: UpstreamReport): string =>
  [
    ...routes.flatMap(routeLines),
    refusedFor === null
      ? `A mirror shows this world: dcsim-mirror --source ${origin}`
      : `A mirror shows nothing of it: ${refusedFor}`,
  ]
    .map((line) => printable(line, Infinity))
    .join('\n')

function originOf(argument: string): URL {
  const origin = worldSettings.source.parse(argument)
  if (!(origin instanceof ParseFailure) && sourceKindOf(origin) === 'upstream') return new URL(origin)
  const expected = origin instanceof ParseFailure ? origin.expected : 'a URL such as http://127.0.0.1:9741'
  throw new OptionError(`URL: got ${quoted(argument)}, expected ${expected}`)
}

export async function runCheck(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = parseCommand(checkCommand, words, environment)
  if (typeof command === 'string') {
    console.log(answerInfoFlag(checkCommand, command))
    return
  }
  const origin = originOf(command.argument)
  const report = await checkUpstream({ origin, clock, signal: AbortSignal.timeout(checkTimeoutMs) })
  console.log(command.options.json ? JSON.stringify(report, null, 2) : reportText(report))
  if (report.refusedFor !== null || !report.routes.every(conforms)) process.exitCode = exitCodes.failed
}
