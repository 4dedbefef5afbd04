import { resolve } from 'node:path'
import { problems, writeConfiguration } from './configuration.ts'
import { secretsDirectory, withSecrets } from './secrets.ts'

const usage = `npm run alerts:notifications -- DIRECTORY [SECRETS]

Writes what Alertmanager reads: DIRECTORY/alertmanager.yml, and beside it a file for each secret. Notifications go to the
channels that variables name; docs/alerts.md has them. Instead of a variable, the directory SECRETS may have a file
of its name; ${secretsDirectory} where left out.
`

const [directory, secrets = secretsDirectory] = process.argv.slice(2)
const read = withSecrets(process.env, secrets)
const found = [...read.problems, ...problems(read.environment)]
if (directory === undefined) process.stderr.write(usage)
else if (found.length > 0) process.stderr.write(`${found.join('\n')}\n`)
else writeConfiguration(resolve(directory), read.environment)
if (directory === undefined || found.length > 0) process.exitCode = 2
