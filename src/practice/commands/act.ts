/** Injects faults into a running world, and orders repairs. */
import { existsSync } from 'node:fs'
import type { ActionAnswer } from '../../contract/game-days/action-answer.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { actSettings } from '../../options/act-settings.ts'
import { OptionError } from '../../options/parse-options.ts'
import { appendToFile, readTextFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
import { actionLineOf, actionReference } from '../../world/scenario-language.ts'
import { commandFrom, exitCodes } from '../../command-line/command-line.ts'
import { refuseIrregularFile } from '../../command-line/files/check-files.ts'
import { ActionAnswers } from './action-answers.ts'
import { Logger } from '../../command-line/logger.ts'

export const actCommand = {
  name: 'act',
  usage: 'act [OPTIONS] "ACTION [TARGET] [for TIME] [at TIME]"',
  summary:
    'Appends an action to the file that a running mirror watches (--actions), which carries it out at its next step: ' +
    'act "SwitchFailure core count 2 zone 1 for 1h" breaks something, act "replace transceiver NAME" orders a repair. It waits for the answer of the mirror, prints it, and exits with 1 if ' +
    'the action was refused, nothing fits it, or no mirror reads the file.',
  settings: actSettings,
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
