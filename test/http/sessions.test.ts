import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../src/tables/catalog.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import { TestService } from './test-service.ts'

const paths = ['/', '/health', '/metrics', '/openapi.json', '/api/v1/hosts', '/api/v1/hosts/7', '/nowhere']

describe('a mirror of a session with a name', () => {
  let service: TestService
  beforeAll(async () => {
    service = await TestService.start({ session: 'evening' })
  })
  afterAll(() => service.stop())

  test.each(paths)('answers %s the same whether the session is named, empty or left out', async (path) => {
    const { status } = await service.get(path)
    expect((await service.get(`${path}?session=evening`)).status).toBe(status)
    expect((await service.get(`${path}?x=1&session=`)).status).toBe(status)
  })

  test.each(paths)('refuses %s of another session, in a line that names both', async (path) => {
    const { status, text } = await service.get(`${path}?limit=5&session=pl%61nt`)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({
      title: 'No such session',
      detail:
        'session: got "plant", expected "evening". To rename a session, start its mirror with --session.',
    })
  })

  test('refuses a session that is given twice', async () => {
    const { status, text } = await service.get('/health?session=evening&session=plant')
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ detail: 'session: given 2 times, expected once.' })
  })

  const pages = [
    ...'/ /tables /pictures /runbooks /runbooks/DcsimIncidentCritical'.split(' '),
    ...Array.from(tables.keys(), (name) => `/tables/${name}.html`),
    ...pictureNames.map((name) => `/pictures/${name}.svg`),
  ]

  test.each(pages)('keeps the session in every link of %s', async (path) => {
    const { text } = await service.get(path, { accept: 'text/html' })
    const links = Array.from(text.matchAll(/ (?:href|src|srcset)=["']([^"']+)["']/g), ([, link]) => link)
    const own = links.filter((link) => !/^(?:data:|https?:|#)/.test(link))
    const addresses = own.map((link) => new URL(link.replaceAll('&amp;', '&'), `http://mirror${path}`))
    expect(
      addresses.filter(({ searchParams }) => searchParams.getAll('session').join() !== 'evening'),
    ).toEqual([])
    const statuses = addresses
      .slice(0, 1)
      .map(async (one) => (await service.get(one.pathname + one.search)).status)
    expect(new Set(await Promise.all(statuses)).difference(new Set([200]))).toEqual(new Set())
  })

  test('takes a foreign host for the first fault', async () => {
    expect((await service.get('/health?session=plant', { host: 'example.org' })).status).toBe(403)
  })
})

test('a mirror without a name answers for every session', async () => {
  const service = await TestService.start()
  expect((await service.get('/api/v1/hosts?session=plant')).status).toBe(200)
  await service.stop()
})
