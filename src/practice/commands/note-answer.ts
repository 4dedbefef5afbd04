import type { AnswerLine } from '../../contract/game-days/answer-line.ts'
import { OptionError } from '../../options/parse-options.ts'
import { processClock as clock } from '../../process/clock.ts'
import { addRow } from '../../store/game-day-rows.ts'
import { addToSessionFile } from '../../store/read-session-file.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'

/** Notes in the file of a session what a team says, or a hint that it takes, with its time. */
export function noteAnswer(path: string, origin: string, answer: Omit<AnswerLine, 'wall_s'>): void {
  const line: AnswerLine = { wall_s: Math.round(clock.wallMs() / 100) / 10, ...answer }
  try {
    addToSessionFile(path, (database) => addRow(database, 'answer', line))
  } catch (error) {
    throw new OptionError(`${origin}: cannot note it in ${JSON.stringify(path)}: ${sqliteErrorText(error)}`)
  }
}
