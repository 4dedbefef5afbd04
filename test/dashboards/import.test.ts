import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Run } from '../commands/run.ts'
import { committedFiles } from './dashboard-json.ts'
import { listening } from '../fixtures/listening.ts'

interface Asked {
  readonly line: string
  readonly authorization: string | undefined
  readonly body: string
}

interface Import {
  readonly dashboard: { uid: string; id: null; templating: { list: { query?: unknown; current?: object }[] } }
  readonly folderUid: string
  readonly overwrite: boolean
}

const infinity = 'yesoreyeram-infinity-datasource'

/** A server with the responses of Grafana's API. */
let plugins: readonly string[] = []
let healthy = true
const known = new Set<string>()
const requests: Asked[] = []

function answer(line: string, body: string): readonly [status: number, body: object] {
  if (line === 'POST /api/folders') return known.has('folder') ? [412, {}] : (known.add('folder'), [200, {}])
  if (line === 'POST /api/datasources') known.add((JSON.parse(body) as { uid: string }).uid)
  const plugin = /^GET \/api\/plugins\/(.+)\/settings$/.exec(line)
  if (plugin !== null) return [plugins.includes(plugin[1]) ? 200 : 404, {}]
  if (line.endsWith('/health')) return healthy ? [200, { status: 'OK' }] : [400, { status: 'ERROR' }]
  const source = /^GET \/api\/datasources\/uid\/(.+)$/.exec(line)
  return source !== null && !known.has(source[1]) ? [404, {}] : [200, {}]
}

let server: Server
let address = ''

beforeAll(async () => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const line = `${request.method} ${request.url}`
    const { authorization } = request.headers
    requests.push({ line, authorization, body })
    const refusal = [401, { message: 'Unauthorized' }] as const
    const [status, message] = authorization === undefined ? refusal : answer(line, body)
    response.writeHead(status).end(JSON.stringify(message))
  }
  server = createServer((request, response) => void respond(request, response))
  address = `127.0.0.1:${await listening(server)}`
})
afterAll(() => server.close())
beforeEach(() => {
  plugins = [infinity]
  healthy = true
  known.clear()
  requests.length = 0
})

async function imported(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const ran = new Run(words, {}, [process.execPath, 'dashboards/import.ts'])
  const [code] = await ran.ended
  return { code, out: ran.out, err: ran.err }
}

const sent = (line: string): string[] => requests.filter((one) => one.line === line).map(({ body }) => body)
const imports = (): Import[] => sent('POST /api/dashboards/db').map((body) => JSON.parse(body) as Import)

test('brings data sources and all dashboards, which begin with them', async () => {
  const words = ['--prometheus', 'http://127.0.0.1:9090', '--mirror', 'http://127.0.0.1:9740']
  const { code, out } = await imported(`http://admin:a%40b@${address}`, ...words)
  expect(out).toBe(`Data source "dcsim Prometheus": http://127.0.0.1:9090 answers.
Data source "dcsim mirror": http://127.0.0.1:9740 answers.
${committedFiles.size} dashboards are in the folder "Data center".
Open http://${address}/d/dcsim-session.
`)
  expect(code).toBe(0)
  expect(new Set(requests.map(({ authorization }) => authorization))).toStrictEqual(
    new Set([`Basic ${Buffer.from('admin:a@b').toString('base64')}`]),
  )
  const sources = sent('POST /api/datasources').map((body) => JSON.parse(body) as object)
  expect(sources).toMatchObject([
    { uid: 'dcsim-prometheus', type: 'prometheus', url: 'http://127.0.0.1:9090', access: 'proxy' },
    { uid: 'dcsim-infinity', type: infinity, jsonData: { allowedHosts: ['http://127.0.0.1:9740'] } },
  ])
  expect(new Set(imports().map(({ dashboard }) => `${dashboard.uid}.json`))).toStrictEqual(
    new Set(committedFiles.keys()),
  )
  for (const { dashboard, folderUid, overwrite } of imports()) {
    expect([dashboard.id, folderUid, overwrite]).toStrictEqual([null, 'dcsim', true])
    const chosen = dashboard.templating.list.filter(({ query }) => query === 'prometheus')
    expect(chosen.length).toBeGreaterThan(0)
    for (const { current } of chosen) expect(current).toMatchObject({ value: 'dcsim-prometheus' })
  }
})

test('a second import updates the dashboards', async () => {
  const words = [`http://admin:admin@${address}`, '--prometheus', 'http://127.0.0.1:9090']
  await imported(...words)
  requests.length = 0
  const { code } = await imported(...words)
  expect(code).toBe(0)
  expect(sent('POST /api/datasources')).toHaveLength(0)
  expect(sent('PUT /api/datasources/uid/dcsim-prometheus')).toHaveLength(1)
})

test('reports missing requirements', async () => {
  plugins = []
  healthy = false
  const words = ['--prometheus', 'http://127.0.0.1:9091', '--mirror', 'http://127.0.0.1:9740']
  const { code, out } = await imported(`http://admin:admin@${address}`, ...words)
  expect(code).toBe(0)
  expect(out).toContain('http://127.0.0.1:9091 does not answer Grafana.')
  expect(out).toContain(`The plugin Infinity is missing, so tables and sentences stay empty`)
  expect(sent('POST /api/datasources')).toHaveLength(1)
})

test('without data sources, leaves the choice to Grafana', async () => {
  await imported(`http://admin:admin@${address}`)
  expect(sent('POST /api/datasources')).toHaveLength(0)
  const list = imports().flatMap(({ dashboard }) => dashboard.templating.list)
  expect(JSON.stringify(list)).not.toContain('dcsim-prometheus')
})

test('ends with one line where Grafana cannot be reached or refuses the user', async () => {
  const refused = await imported(`http://${address}`)
  expect([refused.code, refused.err]).toStrictEqual([
    1,
    `GET http://${address}/api/plugins/${infinity}/settings: 401 Unauthorized\n`,
  ])
  const missing = await imported('http://127.0.0.1:1')
  expect([missing.code, missing.err]).toStrictEqual([1, expect.stringMatching(/cannot be reached: .*\n$/)])
  const noAddress = await imported('127.0.0.1:3000')
  expect([noAddress.code, noAddress.err]).toStrictEqual([
    1,
    'Expected the address of a Grafana, such as http://admin:admin@127.0.0.1:3000, got "127.0.0.1:3000"\n',
  ])
  const nothing = await imported()
  expect([nothing.code, nothing.err]).toStrictEqual([
    2,
    expect.stringMatching(
      /^Expected one address: that of a Grafana\.\n\nnpm run node dashboards\/import.ts -- GRAFANA /,
    ),
  ])
  expect((await imported('--unknown')).code).toBe(2)
})

test('a server that is no Grafana is said to be none, in printable text', async () => {
  const strange = createServer((_, response) => response.end('no JSON'))
  const at = `127.0.0.1:${await listening(strange)}`
  const { code, err } = await imported(`http://admin:secret@${at}`)
  expect(code).toBe(1)
  expect(err).toBe(
    `http://${at}/api/plugins/${infinity}/settings answers without JSON, so it is no Grafana\n`,
  )
  strange.removeAllListeners('request')
  strange.on('request', (_, response: ServerResponse) =>
    response.writeHead(500).end(JSON.stringify({ message: '\u001b[2J'.repeat(400) })),
  )
  const refused = await imported(`http://admin:secret@${at}`)
  expect(refused.err).toContain('500 \\u001b[2J\\u001b[2J')
  expect(refused.err).not.toContain('\u001b')
  expect(refused.err).not.toContain('secret')
  expect(refused.err.length).toBeLessThan(1_500)
  strange.closeAllConnections()
  strange.close()
})
