/** Grades alert rules by the truth about the faults of a world. */
import { gradesText } from '../grading/table.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { reportSettings } from '../../options/report-settings.ts'
import { progressOf } from '../../command-line/progress.ts'
import { OptionError } from '../../options/parse-options.ts'
import { printable, printableLines } from '../../text/printable.ts'
import { processClock as clock } from '../../process/clock.ts'
import { commandFrom, reportFailure } from '../../command-line/command-line.ts'
import { truthAt } from './read-session.ts'
import { gradeRules } from './report/grade-rules.ts'
import type { Report } from './report/grade-rules.ts'
import { PrometheusClient, PrometheusError } from './report/prometheus-client.ts'
import { Logger } from '../../command-line/logger.ts'
import { formatCount, formatDuration } from '../../command-line/formats.ts'

export const reportCommand = {
  name: 'report',
  usage: 'report FILE --prometheus URL [OPTIONS]',
  summary:
    'Grades the alert rules of a Prometheus by the truth that --truth keeps: it evaluates each rule over its time, and ' +
    'says how many alerts were about a fault, how many faults were alerted, and how soon.',
  settings: reportSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror report evening.dcsim --prometheus http://127.0.0.1:9090'],
  argument: { placeholder: 'FILE', help: 'The file of a session with its truth.' },
} as const

function readFaults(path: string) {
  const faults = truthAt(path, 'FILE')
  if (faults.length === 0)
    throw new OptionError(`FILE: ${path} has no truth about a fault yet: a mirror with --truth keeps it`)
  return faults
}

function headOf({ from, until, rules, unseen, left_out: leftOut, lasting, grades }: Report): string {
  const span = formatDuration(until - from)
  const began = new Date(from * 1000).toISOString().replace('.000', '')
  const faults = formatCount(grades.faults, 'fault')
  const head = [`${formatCount(rules, 'alert rule')} over ${span} from ${began}, in which ${faults} began.`]
  if (unseen > 0) head.push(`${unseen} more began when Prometheus did not scrape the world.`)
  if (leftOut > 0)
    head.push(
      `${formatCount(leftOut, 'fault')} of the warm-up, or of another time, not graded: see --from and --until.`,
    )
  if (lasting > 0)
    head.push(
      lasting === 1
        ? '1 fault still lasts: stop the mirror for final grades.'
        : `${lasting} faults still last: stop the mirror for final grades.`,
    )
  return head.join('\n')
}

export async function runReport(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(reportCommand, words, environment)
  if (command === null) return
  const { prometheus, format, grace, alerts, session, from, until } = command.options
  if (from !== null && until !== null && from >= until)
    throw new OptionError(`${command.origins.until}: expected a time after ${command.origins.from}`)
  const truth = readFaults(command.argument)
  const log = new Logger({ level: 'info', out: process.stderr })
  try {
    const report = await gradeRules(new PrometheusClient(prometheus), truth, {
      alerts,
      session,
      grace,
      from,
      until,
      nowSeconds: clock.wallMs() / 1000,
      onProgress: progressOf(log, 'Evaluating rules'),
    })
    if (format === 'json') console.log(printableLines(JSON.stringify(report, null, 2)))
    else console.log(printableLines(`${headOf(report)}\n\n${gradesText(report.grades)}`))
  } catch (error) {
    if (!(error instanceof PrometheusError)) throw error
    reportFailure(printable(error.message))
  }
}
