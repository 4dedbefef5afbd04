import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCheck } from '../../src/commands/check.ts'
import { listening } from '../fixtures/listening.ts'

/** Bodies by path; a number is a status without one. */
type Game = Readonly<Record<string, object | string | number>>

let printed: string
beforeEach(() => {
  printed = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    printed += `${text}\n`
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

async function checked(game: Game, ...flags: readonly string[]): Promise<{ text: string; code: unknown }> {
  const server = createServer((request, response) => {
    const answer = game[request.url!.split('?')[0]] ?? 404
    response.writeHead(typeof answer === 'number' ? answer : 200)
    response.end(typeof answer === 'object' ? JSON.stringify(answer) : String(answer))
  })
  const origin = `http://127.0.0.1:${await listening(server)}`
  try {
    await runCheck(['check', origin, ...flags].slice(1), {})
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return { text: printed.replaceAll(origin, 'GAME'), code: process.exitCode }
}

const host = { id: 17, az_id: 1, rack_id: 2, start_u: 5, u_size: 1, online: true }

test('a game with one list is shown in part, and each page says what it lacks', async () => {
  const { text, code } = await checked({ '/api/v1/hosts': { items: [host] } })
  expect(code).toBe(3)
  const lines = text.split('\n')
  expect(lines[0]).toBe('A mirror shows it in part: dcsim-mirror --source GAME')
  expect(lines).toContain('    empty: customers (no customers)')
  expect(lines).toContain('    empty: incident (no incidents)')
  expect(text).toMatch(/^ {4}in part: Rack \(no zones, no incidents, /m)
  expect(text).toMatch(/^ {4}empty: Session \(no incidents, no customers, /m)
  expect(lines).toContain('Against the specification, nothing is wrong:')
  expect(lines).toContain(
    '  /api/v1/quests: not served (The response to GAME/api/v1/quests?limit=1000 has status 404, expected 200.)',
  )
  expect(text).toContain('  /api/v1/hosts: 1 record\n    not reported, so unknown: display_name, ')
})

test('faults are named with what came, what was expected, and how often', async () => {
  const game = {
    '/api/v1/hosts': {
      items: [{ ...host, power_feeds: 'two', inv_status: 5 }, { az_id: 1 }, { ...host, arch: 'riscv' }],
    },
    '/api/v1/quests': 'no JSON',
  }
  const { text, code } = await checked(game)
  expect(code).toBe(3)
  const lines = text.split('\n')
  expect(lines).toContain('Against the specification, 2 routes have faults:')
  expect(lines).toContain('  /api/v1/hosts: 3 records, with 3 faults')
  expect(lines).toContain('    power_feeds: got "two", expected an integer (1 of 3 records)')
  expect(lines).toContain('    id: got nothing, expected an integer from 0 to 2^63 - 1 (1 of 3 records)')
  expect(text).toMatch(/^ {4}inv_status: got 5, expected one of \w+, /m)
  // The specification leaves the vocabulary open.
  expect(text).toMatch(/^ {4}arch: got "riscv", expected one of .*: shown as it is$/m)
  expect(lines).toContain(
    '  /api/v1/quests: The response to GAME/api/v1/quests?limit=1000 is not a JSON object.',
  )
  expect(text.split('\n').every((line) => line.length <= 401)).toBe(true)
})

test('JSON has all that lines shorten', async () => {
  const { text } = await checked({ '/api/v1/hosts': { items: [host] } }, '--json')
  const report = JSON.parse(text) as {
    shown: string
    pages: { kind: string; name: string; shown: string; lacks: string[] }[]
    routes: { path: string; fields: object[] }[]
  }
  expect(report.shown).toBe('in part')
  expect(report.pages.find(({ name }) => name === 'SLA')).toMatchObject({ shown: 'empty' })
  expect(report.routes.find(({ path }) => path === '/api/v1/hosts')!.fields.length).toBeGreaterThan(40)
})

test('a game that shows nothing is told so, with the reason', async () => {
  expect(await checked({})).toMatchObject({
    code: 1,
    text: expect.stringContaining('A mirror shows nothing of it: The response to GAME/api/v1/azs?'),
  })
})

test('more items than were asked for are read, too', async () => {
  const items = Array.from({ length: 1_200 }, (_, id) => ({ id }))
  const { text } = await checked({ '/api/v1/subnets': 404, '/api/v1/quests': { items } })
  expect(text).toMatch(/\/api\/v1\/quests: 1,?200 records/)
})
