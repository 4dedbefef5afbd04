/** The templates for authors of games: served, written, mirrored and shown as docs/your-game.md says. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import { fileText } from '../containers/stack-file.ts'
import { freePort } from '../fixtures/free-port.ts'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { hasTool } from '../fixtures/tools.ts'
import { until } from '../metrics/real-prometheus.ts'
import { pathOf } from '../sources/attached/fake-upstream.ts'
import { leastUpstream, servedFields } from './least-upstream.ts'
import { TemplateProcess, templates } from './template-process.ts'

const linesMax = 120

describe.each(templates.map((template) => [template.file, template] as const))('%s', (file, template) => {
  const isThere = template.program === process.execPath || hasTool(template.program)

  test('has less than 120 lines, and imports nothing that has to be installed', () => {
    const text = fileText(file)
    expect(text.trimEnd().split('\n').length).toBeLessThan(linesMax)
    const imported = [...text.matchAll(/^(?:import|from) .*?([\w.:]+)'?(?: import .*)?$/gm)].map(
      ([, name]) => name,
    )
    const own = /^(?:node:\w+|json|math|os|sys|time|http\.server|BaseHTTPRequestHandler)$/
    expect(imported.length).toBeGreaterThan(1)
    expect(imported.filter((name) => !own.test(name))).toEqual([])
  })

  describe.skipIf(!isThere)(`run (skipped without ${template.program})`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-template-'))
    const written = join(folder, 'world.json')
    const processes: { stop(): Promise<void> }[] = []
    let origin: string

    beforeAll(async () => {
      const port = await freePort()
      origin = `http://127.0.0.1:${port}`
      processes.push(await TemplateProcess.start(template, String(port)))
      processes.push(await TemplateProcess.start(template, written))
      await until('an incident', async () => {
        const { incidents } = JSON.parse(readFileSync(written, 'utf8')) as { incidents: readonly unknown[] }
        return incidents.length > 0 && (await itemsOf('/api/v1/incidents')).length > 0
      })
    })
    afterAll(async () => {
      for (const one of processes) await one.stop()
      rmSync(folder, { recursive: true })
    })

    const jsonOf = async (path: string): Promise<Record<string, unknown>> => {
      const response = await fetch(`${origin}${path}`)
      expect([path, response.status]).toEqual([path, 200])
      return (await response.json()) as Record<string, unknown>
    }
    const itemsOf = async (path: string) => (await jsonOf(path))['items'] as readonly unknown[]

    test('serves the fields that the page lists, and no others', async () => {
      for (const [path, fields] of leastUpstream) {
        const isHealth = path === '/health'
        const served = servedFields(isHealth ? [await jsonOf(path)] : await itemsOf(path))
        expect({ path, served }).toEqual({ path, served: fields })
      }
    })

    test('has no list but those of the page', async () => {
      const others = collectionNames
        .map((name) => pathOf.get(name)!)
        .filter((path) => !leastUpstream.has(path))
      expect(others.length).toBeGreaterThan(5)
      for (const path of others) expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 404])
    })

    test('writes the same lists into a file, by their routes', () => {
      const { publish_seq, sim_time_ns, ...lists } = JSON.parse(readFileSync(written, 'utf8')) as Record<
        string,
        readonly unknown[]
      >
      expect([typeof publish_seq, typeof sim_time_ns]).toEqual(['number', 'number'])
      const paths = [...leastUpstream.keys()].filter((path) => path !== '/health')
      expect(
        Object.keys(lists)
          .map((name) => `/api/v1/${name}`)
          .toSorted(),
      ).toEqual(paths.toSorted())
      for (const [name, records] of Object.entries(lists))
        expect(servedFields(records)).toEqual(leastUpstream.get(`/api/v1/${name}`))
    })

    test.each(['over HTTP', 'from the file'])('is shown %s', async (way) => {
      const mirror = await MirrorProcess.start(['--source', way === 'over HTTP' ? origin : written])
      processes.push(mirror)
      const rows = async (table: string) => JSON.parse(await mirror.text(`/tables/${table}`)) as unknown[]
      expect(await rows('incident-groups')).toMatchObject([
        {
          headline: 'Critical incident 4: power lost, Rack 2 (2 customers, $40/h at risk)',
          what: 'Rack 2 has no power.',
          place: 'Rack 2, Server room',
          hit: 'Bluebell Books and 1 more',
        },
      ])
      expect(await rows('events')).toMatchObject([{ what: 'Incident 4 began.', level: 'Error' }])
      const hosts = (await rows('hosts?rack=2')) as { state: string }[]
      expect(new Set(hosts.map(({ state }) => state))).toEqual(new Set(['down']))
      expect(await mirror.text('/pictures/floor.svg')).toMatch(/Rack 2[^<]*0 of 6 hosts online/)
      expect(await mirror.metric('dcsim_host_online')).toBe(12)
      expect(await mirror.metric('dcsim_incidents_active', 'band="Critical"')).toBe(1)
    })
  })
})
