/** Imports the dashboards, and the data sources that they read, into a running Grafana by its API. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { askServer } from '../src/command-line/ask-server.ts'
import { printable } from '../src/text/printable.ts'

const usage = `npm run node dashboards/import.ts -- GRAFANA [--prometheus URL] [--mirror URL] [--from FOLDER]

Imports every dashboard into the folder "Data center". Once more brings them up to date.
  GRAFANA           its address, with a user who may administer it: http://admin:admin@127.0.0.1:3000;
                    or without one, and the token of a service account in GRAFANA_TOKEN
  --prometheus URL  adds a Prometheus data source, which the dashboards begin with; left out, they take one that is there
  --mirror URL      adds the Infinity data source for tables and sentences, which needs its plugin
  --from FOLDER     where the dashboards are, dashboards/generated where left out
URL is the address as Grafana reaches it.
`

const infinityPlugin = 'yesoreyeram-infinity-datasource'

interface DataSource {
  readonly uid: string
  readonly name: string
  readonly type: string
  readonly url: string
  readonly jsonData: object
}

interface Variable {
  readonly type: string
  readonly query?: unknown
  current?: object
}

interface DashboardFile {
  readonly uid: string
  readonly templating: { readonly list: readonly Variable[] }
}

const answerTimeoutMs = 30_000
const messageLengthMax = 500

/** The error message in a response. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    return text
  }
}

class Grafana {
  readonly #base: URL
  readonly #headers: Record<string, string> = { 'Content-Type': 'application/json' }

  constructor(address: string, token: string | undefined) {
    if (!/^https?:/.test(address) || !URL.canParse(address))
      throw new Error(
        `Expected the address of a Grafana, such as http://admin:admin@127.0.0.1:3000, got ${JSON.stringify(address)}`,
      )
    this.#base = new URL(address)
    const { username, password } = this.#base
    if (token !== undefined) this.#headers['Authorization'] = `Bearer ${token}`
    else if (username !== '') {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
      this.#headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
    }
    this.#base.username = ''
    this.#base.password = ''
  }

  address(path: string): string {
    return `${this.#base.href.replace(/\/$/, '')}${path}`
  }

  /** The response, or null if the resource does not exist; `known` is another status that is not an error. */
  async ask<T>(method: string, path: string, body?: object, known?: number): Promise<T | null> {
    const { isOk, status, text } = await askServer(this.address(path), {
      method,
      headers: this.#headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: answerTimeoutMs,
    }).catch(({ message }: Error) => {
      throw new Error(`${this.address('')} cannot be reached: ${message}`)
    })
    if (isOk) return this.#parse(text, path) as T
    if (status === 404 || status === known) return null
    throw new Error(`${method} ${this.address(path)}: ${status} ${messageIn(text)}`)
  }

  #parse(text: string, path: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new Error(`${this.address(path)} answers without JSON, so it is no Grafana`)
    }
  }

  /** Adds or changes a data source; returns whether its target answers. */
  async addDataSource(source: DataSource): Promise<string> {
    const path = `/api/datasources/uid/${source.uid}`
    const body = { access: 'proxy', ...source }
    if ((await this.ask('GET', path)) === null) await this.ask('POST', '/api/datasources', body)
    else await this.ask('PUT', path, body)
    const health = await this.ask<{ status: string; message: string }>(
      'GET',
      `${path}/health`,
      undefined,
      400,
    )
    return health?.status === 'OK' ? 'answers' : 'does not answer Grafana'
  }

  async hasPlugin(id: string): Promise<boolean> {
    return (await this.ask('GET', `/api/plugins/${id}/settings`)) !== null
  }
}

const dashboardsIn = (folder: string): DashboardFile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile)

interface Asked {
  readonly prometheus: string | undefined
  readonly mirror: string | undefined
  readonly from: string
}

async function bring(grafana: Grafana, { prometheus, mirror, from }: Asked): Promise<void> {
  if (prometheus !== undefined) {
    const found = await grafana.addDataSource({
      uid: 'dcsim-prometheus',
      name: 'dcsim Prometheus',
      type: 'prometheus',
      url: prometheus,
      jsonData: { httpMethod: 'POST', timeInterval: '15s' },
    })
    console.log(`Data source "dcsim Prometheus": ${prometheus} ${found}.`)
  }
  const canRead = await grafana.hasPlugin(infinityPlugin)
  if (mirror !== undefined && canRead) {
    const found = await grafana.addDataSource({
      uid: 'dcsim-infinity',
      name: 'dcsim mirror',
      type: infinityPlugin,
      url: mirror,
      jsonData: {
        auth_method: 'none',
        allowedHosts: [new URL(mirror).origin],
        // Without this setting the plugin finds every address healthy.
        customHealthCheckEnabled: true,
        customHealthCheckUrl: new URL('/health', mirror).href,
      },
    })
    console.log(`Data source "dcsim mirror": ${mirror} ${found}.`)
  }
  await grafana.ask('POST', '/api/folders', { uid: 'dcsim', title: 'Data center' }, 412)
  const files = dashboardsIn(from)
  for (const dashboard of files) {
    if (prometheus !== undefined)
      for (const variable of dashboard.templating.list)
        if (variable.type === 'datasource' && variable.query === 'prometheus')
          variable.current = { text: 'dcsim Prometheus', value: 'dcsim-prometheus' }
    const message = { dashboard: { ...dashboard, id: null }, folderUid: 'dcsim', overwrite: true }
    await grafana.ask('POST', '/api/dashboards/db', message)
  }
  console.log(`${files.length} dashboards are in the folder "Data center".`)
  if (!canRead)
    console.log(
      `The plugin Infinity is missing, so tables and sentences stay empty: \`grafana cli plugins install ${infinityPlugin}\`, restart Grafana, and import again.`,
    )
  console.log(`Open ${grafana.address('/d/dcsim-session')}.`)
}

const options = {
  prometheus: { type: 'string' },
  mirror: { type: 'string' },
  from: { type: 'string' },
  help: { type: 'boolean' },
} as const

function parsedArguments(): ReturnType<
  typeof parseArgs<{ allowPositionals: true; options: typeof options }>
> | null {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`)
    return null
  }
}

const commandArguments = parsedArguments()
if (commandArguments?.values.help === true) process.stdout.write(usage)
else if (commandArguments?.positionals.length !== 1) {
  if (commandArguments !== null) process.stderr.write('Expected one address: that of a Grafana.\n\n')
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  const { prometheus, mirror, from = join(import.meta.dirname, 'generated') } = commandArguments.values
  try {
    await bring(new Grafana(commandArguments.positionals[0], process.env['GRAFANA_TOKEN']), {
      prometheus,
      mirror,
      from,
    })
  } catch (error) {
    process.stderr.write(
      `${printable(error instanceof Error ? error.message : String(error), messageLengthMax)}\n`,
    )
    process.exitCode = 1
  }
}
