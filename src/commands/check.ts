/** Says what people will see of an upstream, and what of it differs from the specification. */
import { pathToFileURL } from 'node:url'
import { checkSettings } from '../options/reading-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { OptionError } from '../options/parse-options.ts'
import { ParseFailure } from '../options/setting.ts'
import { worldSettings } from '../options/world-settings.ts'
import { processClock as clock } from '../process/clock.ts'
import { isMissing, isWrong } from '../sources/attached/check/route-report.ts'
import type { FieldReport, RouteReport } from '../sources/attached/check/route-report.ts'
import { checkUpstream } from '../sources/attached/check/upstream-check.ts'
import type { UpstreamReport } from '../sources/attached/check/upstream-check.ts'
import { sourceKindOf, sourceKinds } from '../sources/registry.ts'
import { printable } from '../text/printable.ts'
import { shownPages } from './shown-pages.ts'
import type { ShownPage } from './shown-pages.ts'
import { commandFrom, exitCodes } from '../command-line/command-line.ts'
import { formatCount, shownMax } from '../command-line/formats.ts'
import { quoted } from '../text/quoted.ts'

export const checkCommand = {
  name: 'check',
  usage: 'check URL [OPTIONS]',
  summary:
    'Reads the API of a game or of another upstream, and says what people will see of it, and what differs from the ' +
    'specification, by route and field. Exits with 0 if all is shown, 3 if a part is, 1 if nothing is.',
  settings: checkSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror check http://127.0.0.1:9741', 'dcsim-mirror check http://127.0.0.1:9741 --json'],
  argument: { placeholder: 'URL', help: 'Address of the upstream, such as http://127.0.0.1:9741.' },
} as const

/** For all responses together; each has a limit of its own too. */
const checkTimeoutMs = 60_000

/** The first names of a list, and how many there are beyond. */
const some = (names: readonly string[], max = shownMax): string =>
  names.slice(0, max).join(', ') +
  (names.length > max ? ` and ${names.length - max} more (--json lists all)` : '')

const kinds = [
  ['dashboard', 'Dashboards'],
  ['picture', 'Pictures'],
  ['table', 'Tables'],
  ['alerts', 'Groups of alerts'],
] as const satisfies readonly (readonly [ShownPage['kind'], string])[]

function pageLines(pages: readonly ShownPage[]): string[] {
  const whole = pages.filter(({ shown }) => shown === 'whole').map(({ name }) => name)
  const lacking = pages.filter(({ shown }) => shown !== 'whole')
  return [
    ...(whole.length === 0 ? [] : [`    whole: ${whole.join(', ')}`]),
    ...lacking.map(({ name, shown, lacks }) => `    ${shown}: ${name} (${some(lacks, 4)})`),
  ]
}

function seenLines(pages: readonly ShownPage[]): string[] {
  const lines = ['What people will see:']
  for (const [kind, title] of kinds) {
    const own = pages.filter((page) => page.kind === kind)
    if (own.length > 0) lines.push(`  ${title}`, ...pageLines(own))
  }
  return lines
}

const differs = ({ field, got, expected, count }: FieldReport, records: number | null): string =>
  `    ${field}: got ${got}, expected ${expected}${records === null ? '' : ` (${count} of ${formatCount(records, 'record')})`}`

function routeLines({ path, records, problem, isAbsent, fields, more }: RouteReport): string[] {
  const wrong = fields.filter(isWrong)
  const missing = fields.filter(isMissing).map(({ field }) => field)
  const words = fields.filter(({ effect, expected }) => effect === 'passed' && expected !== 'no such field')
  const further = fields.filter(({ expected }) => expected === 'no such field').map(({ field }) => field)
  const read = records === null ? 'read' : formatCount(records, 'record')
  const verdict =
    problem ?? (wrong.length === 0 ? read : `${read}, with ${formatCount(wrong.length, 'fault')}`)
  return [
    `  ${path}: ${isAbsent ? `not served (${verdict})` : verdict}`,
    ...wrong.slice(0, shownMax).map((one) => differs(one, records)),
    ...(wrong.length > shownMax ? [`    and ${wrong.length - shownMax} more (--json lists all)`] : []),
    ...words.slice(0, shownMax).map((one) => `${differs(one, records)}: shown as it is`),
    ...(missing.length === 0 ? [] : [`    not reported, so unknown: ${some(missing)}`]),
    ...(further.length === 0 ? [] : [`    passed on unread: ${some(further)}`]),
    ...(more === 0 ? [] : [`    and ${formatCount(more, 'more difference')}`]),
  ]
}

const isFaulty = ({ problem, isAbsent, part, fields, path }: RouteReport): boolean =>
  fields.some(isWrong) || (problem !== null && !isAbsent && (part !== null || path === '/health'))

type Verdict = 'whole' | 'in part' | 'nothing'

function verdictOf({ refusedFor, routes }: UpstreamReport, pages: readonly ShownPage[]): Verdict {
  if (refusedFor !== null) return 'nothing'
  return pages.every(({ shown }) => shown === 'whole') && !routes.some(isFaulty) ? 'whole' : 'in part'
}

const summaries: Readonly<Record<Verdict, string>> = {
  whole: 'A mirror shows all of it',
  'in part': 'A mirror shows it in part',
  nothing: 'A mirror shows nothing of it',
}

function reportText(report: UpstreamReport, pages: readonly ShownPage[], verdict: Verdict): string {
  const { origin, routes, refusedFor } = report
  const faulty = routes.filter(isFaulty).length
  return [
    refusedFor === null
      ? `${summaries[verdict]}: dcsim-mirror --source ${origin}`
      : `${summaries[verdict]}: ${refusedFor}`,
    ...(refusedFor === null ? ['', ...seenLines(pages)] : []),
    '',
    `Against the specification${faulty === 0 ? ', nothing is wrong' : `, ${formatCount(faulty, 'route')} ${faulty === 1 ? 'has' : 'have'} faults`}:`,
    ...routes.flatMap(routeLines),
  ]
    .map((line) => printable(line))
    .join('\n')
}

function originOf(argument: string): URL {
  const source = worldSettings.source.parse(argument)
  const got = `URL: got ${quoted(argument)}`
  if (source instanceof ParseFailure) throw new OptionError(`${got}, expected ${source.expected}`)
  const kind = sourceKindOf(source)
  if (kind === 'upstream') return new URL(source)
  if (kind === 'file') return pathToFileURL(source)
  const { upstream, file } = sourceKinds
  throw new OptionError(`${got}, expected ${upstream.usage} or ${file.usage}`)
}

const exitCodeOf: Readonly<Record<Verdict, number>> = {
  whole: 0,
  'in part': exitCodes.inPart,
  nothing: exitCodes.failed,
}

export async function runCheck(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(checkCommand, words, environment)
  if (command === null) return
  const origin = originOf(command.argument)
  const report = await checkUpstream({ origin, clock, signal: AbortSignal.timeout(checkTimeoutMs) })
  const pages = report.refusedFor === null ? shownPages(report) : []
  const verdict = verdictOf(report, pages)
  const text = command.options.json
    ? JSON.stringify({ shown: verdict, pages, ...report }, null, 2)
    : reportText(report, pages, verdict)
  console.log(text)
  process.exitCode = exitCodeOf[verdict]
}
