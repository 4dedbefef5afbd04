import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { alertmanagerVersionMin, problems, writeConfiguration } from './configuration.ts'
import { secretsDirectory, withSecrets } from './secrets.ts'

const usage = `npm run alerts:notifications -- DIRECTORY [SECRETS]

Writes what Alertmanager reads: DIRECTORY/alertmanager.yml, and beside it a file for each secret. Notifications go to the
channels that variables name; docs/alerts.md has them. Instead of a variable, the directory SECRETS may have a file
of its name; ${secretsDirectory} where left out.
`

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

const [directory, secrets = secretsDirectory] = process.argv.slice(2)
const read = withSecrets(process.env, secrets)
const found = [...read.problems, ...problems(read.environment)]
if (directory === undefined) process.stderr.write(usage)
else if (found.length > 0) process.stderr.write(`${found.join('\n')}\n`)
else {
  const written = resolve(directory)
  writeConfiguration(written, read.environment)
  process.stdout.write(
    `Wrote ${written}/alertmanager.yml for Alertmanager ${alertmanagerVersionMin} or newer.\n`,
  )
  const installed = olderAlertmanager()
  if (installed !== null)
    process.stderr.write(`The alertmanager on the PATH is ${installed}, which will not read it.\n`)
}
if (directory === undefined || found.length > 0) process.exitCode = 2
