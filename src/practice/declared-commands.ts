/** The declared commands of practice, for the help and the documentation. */
import { actCommand, reportCommand } from './commands/game-day.ts'
import { answerCommand, hintCommand } from './commands/game-days/answer.ts'
import { debriefCommand } from './commands/game-days/debrief.ts'
import { casesCommand } from './commands/labeled-cases/cases.ts'
import { scoreCommand } from './commands/labeled-cases/score.ts'
import { whatIfCommand } from './commands/what-if.ts'

export const practiceCommandsByName = {
  act: actCommand,
  answer: answerCommand,
  hint: hintCommand,
  debrief: debriefCommand,
  cases: casesCommand,
  score: scoreCommand,
  'what-if': whatIfCommand,
  report: reportCommand,
} as const
