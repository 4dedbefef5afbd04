/** The declared commands, for the documentation and the help. */
import type { CommandName } from '../command-line/command-line.ts'
import type { Command } from '../options/command.ts'
import { practiceCommandsByName } from '../practice/declared-commands.ts'
import { checkCommand } from './check.ts'
import { chronicleCommand, statusCommand } from './chronicle.ts'
import { eventsCommand } from './events.ts'
import { historyCommand } from './history.ts'
import { inspectCommand } from './inspect.ts'
import { pictureCommand } from './picture.ts'
import { recordCommand } from './record.ts'
import { serveCommand } from './serve.ts'
import { targetsCommand } from './targets.ts'

export const commandsByName: Readonly<Record<CommandName, Command>> = {
  serve: serveCommand,
  history: historyCommand,
  record: recordCommand,
  ...practiceCommandsByName,
  inspect: inspectCommand,
  chronicle: chronicleCommand,
  events: eventsCommand,
  check: checkCommand,
  picture: pictureCommand,
  status: statusCommand,
  targets: targetsCommand,
}
