/** Writes a script that completes the commands, flags and values of this program in a shell. */
import { commonInfoFlags } from '../options/command.ts'
import type { Command } from '../options/command.ts'
import { OptionError, parseCommand } from '../options/parse-options.ts'
import { actionVocabulary, listScenarios } from '../world/scenario-language.ts'
import { answerCommand, hintCommand } from './game-days/answer.ts'
import { checkCommand } from './check.ts'
import { casesCommand } from './labeled-cases/cases.ts'
import { scoreCommand } from './labeled-cases/score.ts'
import { chronicleCommand } from './chronicle.ts'
import { answerInfoFlag, commandNames } from './command-line.ts'
import type { CommandName } from './command-line.ts'
import { actCommand, reportCommand } from './game-day.ts'
import { debriefCommand } from './game-days/debrief.ts'
import { eventsCommand } from './events.ts'
import { historyCommand } from './history.ts'
import { inspectCommand } from './inspect.ts'
import { recordCommand } from './record.ts'
import { serveCommand } from './serve.ts'
import { pictureCommand } from './picture.ts'
import { statusCommand } from './remote/status.ts'
import { targetsCommand } from './targets.ts'
import { whatIfCommand } from './what-if.ts'

const shells = ['bash', 'zsh', 'fish'] as const

const completionCommand = {
  name: 'completion',
  usage: `completion ${shells.join('|')}`,
  summary: 'Writes a script that completes commands, flags and values in a shell.',
  settings: {},
  infoFlags: commonInfoFlags,
  examples: [
    'source <(dcsim-mirror completion bash)',
    'source <(dcsim-mirror completion zsh)',
    'dcsim-mirror completion fish | source',
  ],
  argument: { placeholder: 'SHELL', help: `One of ${shells.join(', ')}.` },
} as const

export const commandsByName: Readonly<Record<CommandName, Command>> = {
  serve: serveCommand,
  history: historyCommand,
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
  picture: pictureCommand,
  status: statusCommand,
  targets: targetsCommand,
  completion: completionCommand,
}
const commands = Object.values(commandsByName)

const program = 'dcsim-mirror'
const nameOf = ({ name = 'serve' }: Command): string => name
const flagsOf = ({ settings, infoFlags }: Command): string[] =>
  [...Object.keys(settings), ...Object.keys(infoFlags)].map((name) => `--${name}`)

/** Words that the argument of a command may consist of. */
const wordsOf = ({ name }: Command): readonly string[] =>
  name === actCommand.name || name === whatIfCommand.name ? actionVocabulary : []

/** The values that a flag takes, where they can be listed. */
function choicesByFlag(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>([['scenario', listScenarios().map(({ name }) => name)]])
  for (const { settings } of commands) {
    for (const [name, { choices }] of Object.entries(settings))
      if (choices !== undefined) all.set(name, choices)
  }
  return all
}

function bashScript(): string {
  const values = Array.from(
    choicesByFlag(),
    ([flag, choices]) => `    --${flag}) words='${choices.join(' ')}' ;;`,
  )
  const flags = commands.map((command) => {
    const names = command === serveCommand ? [...commandNames, 'help'] : []
    const words = [...names, ...wordsOf(command), ...flagsOf(command)]
    return `        ${nameOf(command)}) words='${words.join(' ')}' ;;`
  })
  return [
    '_dcsim_mirror() {',
    '  local command=serve words= i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    case \${COMP_WORDS[i]} in ${commandNames.join('|')}) command=\${COMP_WORDS[i]} ;; esac`,
    '  done',
    '  case ${COMP_WORDS[COMP_CWORD - 1]} in',
    ...values,
    `    completion) words='${shells.join(' ')}' ;;`,
    `    help) words='${commandNames.join(' ')}' ;;`,
    '    *)',
    '      case $command in',
    ...flags,
    '      esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `complete -o default -F _dcsim_mirror ${program}`,
  ].join('\n')
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fishScript(): string {
  const choices = choicesByFlag()
  const otherCommands = commandNames.filter((name) => name !== 'serve').join(' ')
  const lines = commands.flatMap((command) => {
    const name = nameOf(command)
    const when =
      command === serveCommand
        ? `'not __fish_seen_subcommand_from ${otherCommands}'`
        : `'__fish_seen_subcommand_from ${name}'`
    const flag = (long: string, help: string, more: string): string =>
      `complete -c ${program} -n ${when} -l ${long}${more} -d ${fishQuoted(help)}`
    const valued = Object.entries(command.settings).map(([long, { help }]) => {
      const listed = choices.get(long)
      return flag(long, help, listed === undefined ? ' -r' : ` -x -a '${listed.join(' ')}'`)
    })
    const plain = Object.entries(command.infoFlags).map(([long, help]) => flag(long, help, ''))
    const self = `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${fishQuoted(command.summary)}`
    return [self].concat(valued, plain)
  })
  return [
    ...lines,
    `complete -c ${program} -n __fish_use_subcommand -a help -d 'Describes a command.'`,
    `complete -c ${program} -n '__fish_seen_subcommand_from help' -x -a '${commandNames.join(' ')}'`,
    `complete -c ${program} -n '__fish_seen_subcommand_from act' -x -a '${wordsOf(actCommand).join(' ')}'`,
    `complete -c ${program} -n '__fish_seen_subcommand_from completion' -x -a '${shells.join(' ')}'`,
  ].join('\n')
}

const scripts: Readonly<Record<(typeof shells)[number], () => string>> = {
  bash: bashScript,
  zsh: () => `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript()}`,
  fish: fishScript,
}

export async function runCompletion(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = parseCommand(completionCommand, words, environment)
  if (typeof command === 'string') {
    console.log(answerInfoFlag(completionCommand, command))
    return
  }
  const shell = shells.find((name) => name === command.argument)
  if (shell === undefined)
    throw new OptionError(`SHELL: got "${command.argument}", expected one of ${shells.join(', ')}`)
  console.log(scripts[shell]())
}
