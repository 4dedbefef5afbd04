import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFrom } from '../config-file.ts'
import { alertmanagerVersionMin, problems, writeConfiguration } from './configuration.ts'
import { secretsDirectory, withSecrets } from './secrets.ts'

const usage = `npm run node alerts/notifications/main.ts -- DIRECTORY [--secrets FOLDER] [--config FILE] [--template FILE]…

Writes what Alertmanager reads: DIRECTORY/alertmanager.yml, and beside it the templates of messages and a file for each
secret. Notifications go to the channels that variables name; docs/alerts.md has them.
  --secrets FOLDER  where a file may stand for the variable of its name, ${secretsDirectory} where left out
  --config FILE     JSON with what differs from the defaults of the rules
  --template FILE   a template of your own, which may define those of messages again
`

const options = {
  secrets: { type: 'string' },
  config: { type: 'string' },
  template: { type: 'string', multiple: true },
} as const

interface Chosen {
  readonly secrets?: string
  readonly config?: string
  readonly template?: readonly string[]
}

/** The version of an installed Alertmanager that is too old; null for any other, or for none. */
function olderAlertmanager(): string | null {
  const { stdout, stderr } = spawnSync('alertmanager', ['--version'], { encoding: 'utf8', timeout: 5_000 })
  const version = /version (\d+)\.(\d+)[^ ]*/.exec(`${stdout ?? ''}${stderr ?? ''}`)
  if (version === null) return null
  const [major, minor] = alertmanagerVersionMin.split('.').map(Number)
  const [text, itsMajor, itsMinor] = version
  const isOlder = Number(itsMajor) < major || (Number(itsMajor) === major && Number(itsMinor) < minor)
  return isOlder ? text.replace('version ', '') : null
}

function write(directory: string, { secrets, config, template }: Chosen): readonly string[] {
  const read = withSecrets(process.env, secrets ?? secretsDirectory)
  const found = [...read.problems, ...problems(read.environment)]
  if (found.length > 0) return found
  const written = resolve(directory)
  const settings = config === undefined ? null : settingsFrom(config)
  writeConfiguration(written, read.environment, { settings, templates: template ?? [] })
  process.stdout.write(
    `Wrote ${written}/alertmanager.yml for Alertmanager ${alertmanagerVersionMin} or newer.\n`,
  )
  const installed = olderAlertmanager()
  if (installed !== null)
    process.stderr.write(`The alertmanager on the PATH is ${installed}, which will not read it.\n`)
  return []
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [directory] = positionals
  const found = directory === undefined ? [usage.trimEnd()] : write(directory, values)
  if (found.length > 0) {
    process.stderr.write(`${found.join('\n')}\n`)
    process.exitCode = 2
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
