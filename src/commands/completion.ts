/** Writes a script that completes the commands, flags and values of this program in a shell. */
import { commonInfoFlags } from '../options/command.ts'
import type { Command } from '../options/command.ts'
import { OptionError, parseCommand } from '../options/parse-options.ts'
import { practiceCommandsByName } from '../practice/declared-commands.ts'
import { actionVocabulary, listScenarios } from '../world/scenario-language.ts'
import { checkCommand } from './check.ts'
import { chronicleCommand, statusCommand } from './chronicle.ts'
import { answerInfoFlag, commandNames } from '../command-line/command-line.ts'
import type { CommandName } from '../command-line/command-line.ts'
import { eventsCommand } from './events.ts'
import { historyCommand } from './history.ts'
import { inspectCommand } from './inspect.ts'
import { recordCommand } from './record.ts'
import { serveCommand } from './serve.ts'
import { pictureCommand } from './picture.ts'
import { targetsCommand } from './targets.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

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
    'dcsim-mirror completion powershell | Out-String | Invoke-Expression',
  ],
  argument: { placeholder: 'SHELL', help: `One of ${shells.join(', ')}.` },
} as const

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
  completion: completionCommand,
}
const commands = Object.values(commandsByName)

const program = 'dcsim-mirror'
const nameOf = ({ name = 'serve' }: Command): string => name
const flagsOf = ({ settings, infoFlags }: Command): string[] =>
  [...Object.keys(settings), ...Object.keys(infoFlags)].map((name) => `--${name}`)

/** Words that the argument of a command may consist of. */
const wordsOf = ({ name }: Command): readonly string[] =>
  name === 'act' || name === 'what-if' ? actionVocabulary : []

/** The values that a flag takes, where they can be listed. */
function choicesByFlag(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>([['scenario', listScenarios().map(({ name }) => name)]])
  for (const { settings } of commands) {
    for (const [name, { choices }] of Object.entries(settings))
      if (choices !== undefined) all.set(name, choices)
  }
  return all
}

/** Words that are offered behind a word. */
const wordsAfter = (): ReadonlyArray<readonly [word: string, words: string]> => [
  ...Array.from(choicesByFlag(), ([flag, choices]) => [`--${flag}`, choices.join(' ')] as const),
  ['completion', shells.join(' ')],
  ['help', commandNames.join(' ')],
]

/** Words that are offered elsewhere in the line of a command. */
const wordsByCommand = (): ReadonlyArray<readonly [name: string, words: string]> =>
  commands.map((command) => {
    const names = command === serveCommand ? [...commandNames, 'help'] : []
    return [nameOf(command), [...names, ...wordsOf(command), ...flagsOf(command)].join(' ')]
  })

function bashScript(): string {
  const cases = (entries: ReturnType<typeof wordsAfter>, indent: string): string[] =>
    entries.map(([word, words]) => `${indent}${word}) words='${words}' ;;`)
  return [
    '_dcsim_mirror() {',
    '  local command=serve words= i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    case \${COMP_WORDS[i]} in ${commandNames.join('|')}) command=\${COMP_WORDS[i]} ;; esac`,
    '  done',
    '  case ${COMP_WORDS[COMP_CWORD - 1]} in',
    ...cases(wordsAfter(), '    '),
    '    *)',
    '      case $command in',
    ...cases(wordsByCommand(), '        '),
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
    `complete -c ${program} -n '__fish_seen_subcommand_from act' -x -a '${actionVocabulary.join(' ')}'`,
    `complete -c ${program} -n '__fish_seen_subcommand_from completion' -x -a '${shells.join(' ')}'`,
  ].join('\n')
}

function powershellScript(): string {
  const table = (entries: ReturnType<typeof wordsAfter>): string[] =>
    entries.map(([word, words]) => `    '${word}' = '${words}'`)
  return [
    `Register-ArgumentCompleter -Native -CommandName ${program}, ${program}.exe -ScriptBlock {`,
    '  param($word, $line, $cursor)',
    '  $after = @{',
    ...table(wordsAfter()),
    '  }',
    '  $byCommand = @{',
    ...table(wordsByCommand()),
    '  }',
    '  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })',
    "  $command = @('serve') + $before | Where-Object { $byCommand.ContainsKey($_) } | Select-Object -Last 1",
    '  $words = $after[$before[-1]]',
    '  if (-not $words) { $words = $byCommand[$command] }',
    `  $words -split ' ' | Where-Object { $_ -like "$word*" } |`,
    '    ForEach-Object { [Management.Automation.CompletionResult]::new($_) }',
    '}',
  ].join('\n')
}

const scripts: Readonly<Record<(typeof shells)[number], () => string>> = {
  bash: bashScript,
  zsh: () => `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript()}`,
  fish: fishScript,
  powershell: powershellScript,
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
