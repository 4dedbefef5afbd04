import { afterAll, expect, test } from 'vitest'
import { incidentLines } from '../../src/commands/status.ts'
import { TestService } from '../http/test-service.ts'
import { run } from './run.ts'

const service = await TestService.start()
afterAll(() => service.stop())

test('status prints the state, each incident, and the last events', async () => {
  const command = run(['status', '--url', `http://127.0.0.1:${service.port}`])
  expect([await command.ended, command.err]).toEqual([[0, null], ''])
  expect(command.out).toMatch(
    /^day 7, 00:00: 3 incidents: 3 Watch\. 3 customers are below their SLA this period\.\n\nWatch incident /,
  )
  expect(command.out).toMatch(/\n {2}Opened .+; cause unknown\.\n/)
  expect(command.out).toMatch(/\nLast:\n(?: {2}day .+\n){4}$/)
})

const onHold = 'On hold because no spare part is in stock: Replace edge1.'

test.each([
  [`Cause known: Switch edge1 has failed. ${onHold}`, []],
  ['Cause known: Switch edge1 has failed.', [`  Work: ${onHold}`]],
])('what is next says once what is being done: %s', (hint, work) => {
  const row = { incident_id: '7', headline: 'Watch incident 7', hint }
  const lines = incidentLines(row, [{ incident_id: '7', work: onHold }])
  expect(lines.filter((line) => /^ {2}(?:Work|Next): /.test(line))).toEqual([...work, `  Next: ${hint}`])
})

test('a group is named once: its headline says what it is', () => {
  const what = '3 hosts run hot: h1, h2 and h3.'
  const row = {
    headline: 'Watch: 3 hosts run hot: h1, h2 and h3',
    what,
    opened: '2 min ago',
    cause_state: 'unknown',
  }
  expect(incidentLines(row, []).slice(0, 3)).toEqual(['', row.headline, '  Opened 2 min ago; cause unknown.'])
  const single = {
    ...row,
    headline: 'Watch incident 7: overheating, h1',
    what: 'Host h1 is running at 70 °C.',
  }
  expect(incidentLines(single, [])[2]).toBe('  Host h1 is running at 70 °C.')
})

test('status says that no mirror answers, and how to name one', async () => {
  const command = run(['status', '--url', 'http://127.0.0.1:1'])
  expect((await command.ended)[0]).toBe(1)
  expect(command.err).toMatch(
    /^No mirror answers at http:\/\/127\.0\.0\.1:1: .+\. Start one, or name another with --url\.\n$/,
  )
})
