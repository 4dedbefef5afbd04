/**
 * Copies the history that load-backfill.sh loaded into Prometheus to the long-term store, once.
 *
 * node store-backfill.ts PROMETHEUS READ WRITE SPAN PASSWORD
 *
 * READ and WRITE are the addresses of the store, which are equal for VictoriaMetrics' single server. SPAN is the file
 * with the start and the end of the history, PASSWORD the one with the password that the servers of the stack ask for. The clock of the world is copied last: it marks a complete copy. If the
 * history cannot be copied, the script reports that and succeeds: the store starts with the present.
 */
import { readFileSync } from 'node:fs'

const clock = 'dcsim_sim_time_seconds'

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

/** `fetch` as the user that the servers of the stack know. */
function asStack(url: string, init: RequestInit = {}): Promise<Response> {
  const user = Buffer.from(`stack:${readFileSync(passwordFile, 'utf8')}`).toString('base64')
  return fetch(url, { ...init, headers: { authorization: `Basic ${user}` } })
}

async function ask<T>(url: string): Promise<T> {
  const response = await asStack(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

/** Samples in the text format of Prometheus, with timestamps. */
function sampleLines({ metric: { __name__: name, ...labels }, values }: Series): string {
  const list = Object.entries(labels).map(([label, value]) => `${label}=${quoted(value)}`)
  const series = `${name}{${list.join(',')}}`
  return values.map(([seconds, value]) => `${series} ${value} ${Math.round(seconds * 1000)}\n`).join('')
}

interface Copying {
  readonly prometheus: string
  readonly read: string
  readonly write: string
  readonly from: number
  readonly to: number
}

async function copy({ prometheus, read, write, from, to }: Copying): Promise<string> {
  const inSpan = async (server: string, selector: string): Promise<readonly Series[]> => {
    const query = new URLSearchParams({ query: `${selector}[${to - from + 1}s]`, time: `${to}` })
    const { result } = await ask<{ result: readonly Series[] }>(`${server}/api/v1/query?${query.toString()}`)
    return result
  }
  if ((await inSpan(read, clock)).length > 0) return 'The long-term store has the history already.'
  const listed = new URLSearchParams({ 'match[]': '{job="dcsim"}', start: `${from}`, end: `${to}` })
  const names = await ask<readonly string[]>(
    `${prometheus}/api/v1/label/__name__/values?${listed.toString()}`,
  )
  let count = 0
  for (const name of [...names.filter((one) => one !== clock), clock]) {
    const series = await inSpan(prometheus, `${name}{job="dcsim"}`)
    const body = series.map(sampleLines).join('')
    const response = await asStack(`${write}/api/v1/import/prometheus`, { method: 'POST', body })
    if (!response.ok) throw new Error(`${write}: ${response.status} ${await response.text()}`)
    count += series.reduce((sum, { values }) => sum + values.length, 0)
  }
  // The store's cached results for that time are outdated.
  await asStack(`${read.replace(/\/select\/.*/, '')}/internal/resetRollupResultCache`)
  return `The history is in the long-term store: ${count.toLocaleString('en')} samples.`
}

function spanIn(file: string): readonly number[] {
  try {
    return readFileSync(file, 'utf8').trim().split(' ').map(Number)
  } catch {
    return []
  }
}

const [prometheus, read, write, file, passwordFile] = process.argv.slice(2)
const [from, to] = spanIn(file)
if (to === undefined) console.log('There is no history to copy to the long-term store.')
else
  try {
    console.log(await copy({ prometheus, read, write, from, to }))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    console.error('The history was not copied to the long-term store, which starts with the present.')
  }
