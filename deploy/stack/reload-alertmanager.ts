/**
 * Has a running Alertmanager read its configuration again: `reload-alertmanager.ts URL PASSWORD_FILE`. Where none runs
 * yet, the one that starts reads it. So a mistake in a channel stops here, and the channels of the running one stay.
 */
import { readFileSync } from 'node:fs'

const timeoutMs = 5_000

const [, , url, passwordFile] = process.argv
const password = readFileSync(passwordFile, 'utf8').trim()
const authorization = `Basic ${Buffer.from(`stack:${password}`).toString('base64')}`
const response = await fetch(`${url}/-/reload`, {
  method: 'POST',
  headers: { authorization },
  signal: AbortSignal.timeout(timeoutMs),
}).catch(() => null)
if (response !== null && !response.ok) {
  console.error(`Alertmanager keeps its channels: ${(await response.text()).trim()}`)
  process.exitCode = 2
}
