/** The declared commands, for the documentation and the help. */
import type { CommandName } from '../../src/command-line/command-line.ts'
import type { Command } from '../../src/options/command.ts'
import { actCommand } from '../../src/practice/commands/act.ts'
import { reportCommand } from '../../src/practice/commands/report.ts'
import { answerCommand } from '../../src/practice/commands/answer.ts'
import { hintCommand } from '../../src/practice/commands/hint.ts'
import { debriefCommand } from '../../src/practice/commands/debrief.ts'
import { casesCommand } from '../../src/practice/commands/labeled-cases/cases.ts'
import { scoreCommand } from '../../src/practice/commands/labeled-cases/score.ts'
import { whatIfCommand } from '../../src/practice/commands/what-if.ts'
import { checkCommand } from '../../src/commands/check.ts'
import { chronicleCommand } from '../../src/commands/chronicle.ts'
import { statusCommand } from '../../src/commands/status.ts'
import { eventsCommand } from '../../src/commands/events.ts'
import { backfillCommand } from '../../src/commands/backfill.ts'
import { inspectCommand } from '../../src/commands/inspect.ts'
import { recordCommand } from '../../src/commands/record.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { targetsCommand } from '../../src/commands/targets.ts'

export const commandsByName: Readonly<Record<CommandName, Command>> = {
  serve: serveCommand,
  backfill: backfillCommand,
  record: recordCommand,
  act: actCommand,
  answer: answerCommand,
  hint: hintCommand,
  debrief: debriefCommand,
  cases: casesCommand,
  score: scoreCommand,
  'what-if': whatIfCommand,
  report: reportCommand,
  inspect: inspectCommand,
  chronicle: chronicleCommand,
  events: eventsCommand,
  check: checkCommand,
  status: statusCommand,
  targets: targetsCommand,
}
