/** Writes the sessions of a mirror as targets, for the file-based service discovery of Prometheus. */
import { sessionParameter } from '../contract/session.ts'
import { commonInfoFlags } from '../options/command.ts'
import { outSetting, sessionSettings, targetSetting } from '../options/session-settings.ts'
import { worldSettings } from '../options/world-settings.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'
import { writeTextFile } from '../command-line/files/write-text-file.ts'
import { resolveSessions, validators } from '../command-line/select-source.ts'
import { sessionNameOf } from './sessions/session-name.ts'

export const targetsCommand = {
  name: 'targets',
  usage: 'targets [OPTIONS]',
  summary:
    'Writes the sessions of a mirror with these options as targets of Prometheus, for file_sd_configs.',
  settings: { ...sessionSettings, target: targetSetting, out: outSetting, ...worldSettings },
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror targets --target 127.0.0.1:9740 --out targets.json'],
} as const

/**
 * All sessions of a mirror share its address. `__param_…` becomes a query parameter of every scrape, which names the
 * session to the mirror.
 */
const targetGroup = (target: string, session: string) => ({
  targets: [target],
  labels: { session, [`__param_${sessionParameter}`]: session },
})

export async function runTargets(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(targetsCommand, words, environment, { validators })
  if (command === null) return
  const { options } = command
  const listed = resolveSessions(options.sessions).map(({ name }) => name)
  const names = listed.length > 0 ? listed : [sessionNameOf(options)]
  const groups = names.map((name) => targetGroup(options.target, name))
  const text = JSON.stringify(groups, null, 2)
  if (options.out === '') return console.log(text)
  const problem = writeTextFile(options.out, `${text}\n`)
  if (problem === null) return console.log(`Wrote ${options.out}.`)
  reportFailure(problem)
}
