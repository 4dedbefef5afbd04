/** Injects faults into a running world, and grades alert rules by the truth about its faults. */
import { existsSync } from 'node:fs'
import type { ActionAnswer } from '../../contract/game-days/action-answer.ts'
import { gradesText } from '../grading/table.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { actionsSetting, defaultActionsFile, prometheusUrl } from '../../options/game-day-settings.ts'
import { progressOf } from './progress.ts'
import { OptionError } from '../../options/parse-options.ts'
import {
  mapped,
  nonEmpty,
  optional,
  oneOfValues,
  anyText,
  duration,
  ParseFailure,
} from '../../options/setting.ts'
import { appendToFile, readTextFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
import { printable, printableLines } from '../../text/printable.ts'
import { processClock as clock } from '../../process/clock.ts'
import { actionLineOf, actionReference } from '../../world/scenario-language.ts'
import { commandFrom, exitCodes, reportFailure } from '../../command-line/command-line.ts'
import { refuseIrregularFile } from '../../command-line/files/check-files.ts'
import { ActionAnswers } from './game-days/action-answers.ts'
import { truthAt } from './game-days/read-session.ts'
import { gradeRules } from './game-days/grade-rules.ts'
import type { Report } from './game-days/grade-rules.ts'
import { PrometheusClient, PrometheusError } from './game-days/prometheus-client.ts'
import { Logger } from '../../command-line/logger.ts'
import { formatCount, formatDuration } from '../../command-line/formats.ts'

export const actCommand = {
  name: 'act',
  usage: 'act [OPTIONS] "ACTION [TARGET] [for TIME] [at TIME]"',
  summary:
    'Appends an action to the file that a running mirror watches (--actions), which carries it out at its next step: ' +
    'act "SwitchFailure core count 2 zone 1 for 1h" breaks something, act "replace transceiver NAME" orders a repair. It waits for the answer of the mirror, prints it, and exits with 1 if ' +
    'the action was refused, nothing fits it, or no mirror reads the file.',
  settings: {
    actions: {
      placeholder: actionsSetting.placeholder,
      defaultText: defaultActionsFile,
      help: 'File of actions of the mirror. The stack, and a mirror started beside a folder sessions, read the default.',
      parse: nonEmpty('the name of a file'),
    },
    wait: {
      placeholder: 'TIME',
      defaultText: '30s',
      help: 'How long to wait for the answer of the mirror; 0s does not wait.',
      parse: mapped(duration(1), (ns) => Number(ns / 1_000_000n)),
    },
  },
  infoFlags: { list: 'List actions, what they apply to, and the words for targets.', ...commonInfoFlags },
  examples: [
    'dcsim-mirror act "SwitchFailure core count 2 zone 1 for 1h"',
    'dcsim-mirror act "Repair Switch core count 2 zone 1"',
    'dcsim-mirror act "Attack busiest Volumetric magnitude 2 for 20m"',
    'dcsim-mirror act "replace transceiver tfd-b-b03-edge1 Eth1/15"',
  ],
  argument: {
    placeholder: 'ACTION',
    help: 'What is to happen, in words; --list lists them.',
    isRest: true,
    advice: '--list lists them',
  },
} as const

function wallSeconds(text: string): number | ParseFailure {
  const seconds = /^\d{10}$/.test(text) ? Number(text) : Date.parse(text) / 1000
  return Number.isFinite(seconds)
    ? Math.floor(seconds)
    : new ParseFailure('a time such as 2026-11-23T20:00:00Z, or seconds since 1970')
}

function ruleNames(text: string): RegExp | ParseFailure {
  try {
    return new RegExp(text === '' ? '' : `^(?:${text})$`)
  } catch {
    return new ParseFailure('a regular expression such as DcsimIncident.*')
  }
}

export const reportCommand = {
  name: 'report',
  usage: 'report FILE --prometheus URL [OPTIONS]',
  summary:
    'Grades the alert rules of a Prometheus by the truth that --truth keeps: it evaluates each rule over its time, and ' +
    'says how many alerts were about a fault, how many faults were alerted, and how soon.',
  settings: {
    prometheus: {
      placeholder: 'URL',
      defaultText: '',
      variableOf: 'prometheus-url',
      help: 'Prometheus that scraped the world, or has its history, and has the rules loaded.',
      parse: prometheusUrl,
    },
    format: {
      placeholder: 'table/json',
      defaultText: 'table',
      help: 'How to print the grades.',
      parse: oneOfValues(['table', 'json']),
    },
    grace: {
      placeholder: 'TIME',
      defaultText: '90s',
      help: 'Wall time after the end of a fault in which an alert may still be about it.',
      parse: mapped(duration(1), (ns) => Number(ns / 1_000_000_000n)),
    },
    from: {
      placeholder: 'WHEN',
      defaultText: '',
      defaultHelp: 'the end of the warm-up',
      help: 'Where to begin: a time such as 2026-11-23T20:00:00Z, or seconds since 1970.',
      parse: optional(wallSeconds),
    },
    until: {
      placeholder: 'WHEN',
      defaultText: '',
      defaultHelp: 'the end of the truth, or now if the mirror runs',
      help: 'Where to end, in the same forms.',
      parse: optional(wallSeconds),
    },
    alerts: {
      placeholder: 'REGEX',
      defaultText: '',
      defaultHelp: 'all rules',
      help: 'Rules to grade: a regular expression that their whole names match.',
      parse: ruleNames,
    },
    session: {
      placeholder: 'NAME',
      defaultText: '',
      help: 'Session that the truth is about, where Prometheus scrapes several.',
      parse: anyText,
    },
  },
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror report evening.dcsim --prometheus http://127.0.0.1:9090'],
  argument: { placeholder: 'FILE', help: 'The file of a session with its truth.' },
} as const

/** Appends a line to the file of actions that a running mirror watches, after terminating an unterminated last line. */
function appendLine(path: string, line: string): void {
  const isAmidLine = existsSync(path) && /[^\n]$/.test(readTextFile(path).slice(-1))
  appendToFile(path, `${isAmidLine ? '\n' : ''}${line}\n`)
}

export async function runAct(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(actCommand, words, environment, { answers: { list: actionReference } })
  if (command === null) return
  const { actions: path, wait: timeoutMs } = command.options
  refuseIrregularFile(command.origins.actions, path)
  const line = actionLineOf(command.argument)
  if ('problem' in line) throw new OptionError(line.problem)
  const log = new Logger({ level: 'info', out: process.stderr })
  try {
    const answers = timeoutMs === 0 ? null : new ActionAnswers(path)
    appendLine(path, line.json)
    console.log(`Appended to ${path}: ${line.json}`)
    if (answers === null) return
    const onProgress = (text: string): void => {
      if (process.stderr.isTTY) log.progress(text)
    }
    printAnswer(path, await answers.of(line.json, { timeoutMs, onProgress }), log)
  } catch (error) {
    log.error(
      `Cannot append to ${path}: ${writeErrorText(path, error)}. Name the file that the mirror watches: --actions FILE.`,
    )
    process.exitCode = exitCodes.failed
  }
}

/** In the stack the variables have its addresses. */
const { DCSIM_GRAFANA_URL: grafana, DCSIM_PUBLIC_URL: page } = process.env
const whereToLook = `Watch it on the dashboard Session${grafana ? ` (${grafana})` : ''}, or on the page ${page || 'whose address the mirror printed at its start'}.`

function printAnswer(path: string, answer: ActionAnswer | null, log: Logger): void {
  if (
    answer !== null &&
    (answer.state === 'injected' || answer.state === 'scheduled' || answer.state === 'read')
  ) {
    log.endProgress()
    console.log(`${path}, ${answer.text}`)
    if (answer.state === 'injected') console.log(whereToLook)
    return
  }
  log.error(
    answer === null
      ? `No mirror reads ${path}: none answered, and the line stays without effect. Start one with --actions ${path}, or ` +
          'name the file that yours reads here, too.'
      : `${path}, ${answer.text}`,
  )
  process.exitCode = exitCodes.failed
}

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
    const progress = progressOf(log, 'Evaluating rules')
    const report = await gradeRules(new PrometheusClient(prometheus), truth, {
      alerts,
      session,
      grace,
      from,
      until,
      nowSeconds: clock.wallMs() / 1000,
      onProgress: (done, all) => progress(done / all),
    })
    if (format === 'json') console.log(printableLines(JSON.stringify(report, null, 2)))
    else console.log(printableLines(`${headOf(report)}\n\n${gradesText(report.grades)}`))
  } catch (error) {
    if (!(error instanceof PrometheusError)) throw error
    reportFailure(printable(error.message))
  }
}
