import { afterAll, expect, test } from 'vitest'
import { encodeRows } from '../../src/tables/engine/formats.ts'
import { TestService } from './test-service.ts'

const service = await TestService.start({ cadenceMs: 3_600_000 })
afterAll(() => service.stop())

const problemAt = async (path: string) => {
  const { status, text } = await service.get(path)
  const { title, detail } = JSON.parse(text) as { title: string; detail: string }
  return [status, title, detail]
}

test.each([
  ['', 'session=evening'],
  ['?from=0', 'session=evening'],
  ['?world=5', 'session=evening&amp;world=5'],
  ['?session=morning', 'session=morning'],
])('incidents of /tables/incidents.html%s lead to the same world', async (query, expected) => {
  const ofSession = await TestService.start({
    session: 'evening',
    tables: {
      async ask(_, { linkQuery }) {
        return encodeRows('html', ['incident_id'], [{ incident_id: '1' }], linkQuery)
      },
    },
  })
  const { text } = await ofSession.get(`/tables/incidents.html${query}`)
  expect(text).toContain(`<a href="incident?incident=1&amp;${expected}">1</a>`)
  await ofSession.stop()
})

test.each([
  ['from=yesterday', 'from: got "yesterday", expected a time in ISO 8601, or milliseconds since 1970.'],
  ['to=2026-13-01', 'to: got "2026-13-01", expected a time in ISO 8601, or milliseconds since 1970.'],
  ['to=-5', 'to: got "-5", expected a time in ISO 8601, or milliseconds since 1970.'],
  ['from=1e3', 'from: got "1e3", expected a time in ISO 8601, or milliseconds since 1970.'],
  ['from=1&from=2', 'from: given 2 times, expected once.'],
  ['world=first', 'world: got "first", expected the number of a world.'],
])('a span is refused: %s', async (query, detail) => {
  expect(await problemAt(`/tables/incidents?${query}`)).toEqual([400, 'Malformed parameter', detail])
})

test.each(
  'from=0 from=2026-11-23 to=2026-11-23T22:00:00Z to=2026-11-23T22:00:00.5%2B01:00 text=fan'.split(' '),
)('a mirror without an archive says so: %s', async (query) => {
  expect(await problemAt(`/tables/events?${query}`)).toEqual([
    503,
    'Archive unavailable',
    'This mirror has no archive.',
  ])
})

test('a table without a past ignores them, as any other parameter', async () => {
  expect((await service.get('/tables/hosts?from=yesterday&text=%22')).status).toBe(200)
})

test('/tables lists them among the filters of the tables that take them', async () => {
  const listed = JSON.parse((await service.get('/tables')).text) as { table: string; filters: string }[]
  const taking = listed.filter(({ filters }) => filters.endsWith('from, to, text, world'))
  expect(taking.map(({ table }) => table)).toEqual(
    'incidents incident causes evidence timeline work work-steps events days'.split(' '),
  )
})
