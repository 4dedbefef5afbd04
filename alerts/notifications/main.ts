import { resolve } from 'node:path'
import { problems, writeConfiguration } from './configuration.ts'

const usage = `npm run alerts:notifications -- DIRECTORY

Writes what Alertmanager reads: DIRECTORY/alertmanager.yml, and beside it a file for each secret. Notifications go to the
channels that variables name; docs/notifications.md has them.
`

const [directory] = process.argv.slice(2)
const found = problems(process.env)
if (directory === undefined) process.stderr.write(usage)
else if (found.length > 0) process.stderr.write(`${found.join('\n')}\n`)
else writeConfiguration(resolve(directory), process.env)
if (directory === undefined || found.length > 0) process.exitCode = 2
