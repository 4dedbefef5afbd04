import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { askServer } from '../../src/command-line/ask-server.ts'
import { gradeRules } from '../../src/practice/commands/report/grade-rules.ts'
import { PrometheusClient } from '../../src/practice/commands/report/prometheus-client.ts'
import type { TruthLine } from '../../src/contract/game-days/truth-line.ts'
import { listening } from '../fixtures/listening.ts'

type Respond = (path: string) => unknown

let respond: Respond = () => ''
/** If positive, the server sends this number of bytes and never ends the response. */
let endless = 0
const server = createServer((request, response) => {
  if (endless > 0) response.write(Buffer.alloc(endless))
  else {
    const body = respond(request.url!.split('?')[0])
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
})
let url = ''
beforeAll(async () => {
  url = `http://127.0.0.1:${await listening(server)}`
})
afterEach(() => {
  endless = 0
})
afterAll(() => server.closeAllConnections())

describe('a server is asked', () => {
  test('for as long as it may take', async () => {
    endless = 1
    await expect(askServer(url, { timeoutMs: 100 })).rejects.toThrow('no answer within 0.1 s')
  })

  test('for as much as it may send', async () => {
    endless = 2 ** 27 + 1
    const asking = askServer(url, { timeoutMs: 10_000 })
    await expect(asking).rejects.toThrow('its answer is larger than 128 MiB')
  })

  test('and its answer is whole', async () => {
    respond = () => 'ä'.repeat(2 ** 19)
    expect(await askServer(url, { timeoutMs: 10_000 })).toEqual({
      isOk: true,
      status: 200,
      text: 'ä'.repeat(2 ** 19),
    })
  })

  test('and the reason is that of the system where it cannot be reached', async () => {
    const asking = askServer('http://127.0.0.1:1', { timeoutMs: 10_000 })
    await expect(asking).rejects.toThrow(/ECONNREFUSED|bad port/)
  })
})

const rule = { name: 'Down', query: 'up == 0', duration: 60, labels: { severity: 'warning' } }
const rulesAnswer = (changed: object = {}, group: object = {}): object => ({
  data: { groups: [{ interval: 15, rules: [{ ...rule, ...changed }], ...group }] },
})
const seriesAnswer = (values: unknown, metric: unknown = {}): object => ({
  data: { result: [{ metric, values }] },
})

describe('a server that is not a Prometheus is reported as such, with its answer', () => {
  test.each([
    ['', 'rules answers 200 without JSON'],
    [null, 'rules answers 200 without JSON'],
    [[], 'rules answers 200 without JSON'],
    [{ data: null }, 'in rules, expected rules, found null'],
    [{ data: {} }, 'in rules, expected groups of rules, found nothing'],
    [{ data: { groups: [null] } }, 'in rules, expected a group of rules, found null'],
    [rulesAnswer({}, { interval: 0 }), 'in rules, expected an interval above 0, found 0'],
    [rulesAnswer({}, { interval: -5 }), 'in rules, expected an interval in seconds, found -5'],
    [rulesAnswer({}, { interval: null }), 'in rules, expected an interval in seconds, found null'],
    [rulesAnswer({}, { rules: null }), 'in rules, expected rules, found null'],
    [rulesAnswer({ name: 7 }), 'in rules, expected the name of a rule, found 7'],
    [rulesAnswer({ query: null }), 'in rules, expected the expression of a rule, found null'],
    [rulesAnswer({ duration: '1m' }), 'in rules, expected a duration in seconds, found "1m"'],
    [rulesAnswer({ labels: null }), 'in rules, expected labels, found null'],
    [rulesAnswer({ labels: { severity: {} } }), 'in rules, expected the text of a label, found {}'],
  ])('%j', async (answer, reason) => {
    respond = () => answer ?? 'null'
    await expect(new PrometheusClient(url).rules()).rejects.toThrow(`${url} is no Prometheus: ${reason}.`)
  })

  test.each([
    [{ data: {} }, 'expected series, found nothing'],
    [seriesAnswer(null), 'expected values, found null'],
    [seriesAnswer([], null), 'expected labels, found null'],
    [seriesAnswer([[1]]), 'expected a value as text, found nothing'],
    [seriesAnswer([['1', '2']]), 'expected a time, found "1"'],
    [seriesAnswer([null]), 'expected a time and a value, found null'],
  ])('%j', async (answer, reason) => {
    respond = () => answer
    const asking = new PrometheusClient(url).range('up', 0, 60, 15)
    await expect(asking).rejects.toThrow(`${url} is no Prometheus: in query_range, ${reason}.`)
  })

  test('and its own reason is passed on', async () => {
    respond = () => ({ status: 'error', error: 'out of\u001b[2J disk' })
    await expect(new PrometheusClient(url).rules()).rejects.toThrow('refuses a query: out of\u001b[2J disk.')
  })
})

test.each([
  [
    { type: 'about:blank', title: 'Not found', status: 404, detail: 'There is nothing at /api/v1/rules.' },
    'is no Prometheus: rules answers 200, "Not found: There is nothing at /api/v1/rules.". Name the Prometheus',
  ],
  [
    { status: 'success' },
    'is no Prometheus: rules answers 200. Name the Prometheus that scrapes the mirror, such as',
  ],
  [
    { status: 'error', error: 'found duplicate series for the match group {customer="29"}' },
    'Series that have ended in a history are still shown with those that replaced them: begin after the history (--from)',
  ],
])('an answer without data is explained: %j', async (answer, reason) => {
  respond = () => answer
  await expect(new PrometheusClient(url).rules()).rejects.toThrow(reason)
})

describe('a session', () => {
  const began = { sim_s: 0, wall_s: 2_000 }
  const inSession = (begin: number, end: number | null, ended: number | null = null): TruthLine => ({
    ...fault(begin, end),
    touched: { host: ['1'] },
    session: { began, ended: ended === null ? null : { sim_s: 0, wall_s: ended } },
  })
  const report = (truth: readonly TruthLine[], firesAt: number, more: object = {}) => {
    let queries = 0
    respond = (path) => {
      if (path.endsWith('/rules'))
        return rulesAnswer({ duration: 0, labels: { severity: 'critical' } }, { interval: 10 })
      // The first one asks for which time there are samples.
      return queries++ === 0
        ? seriesAnswer([
            [1_000, '1'],
            [3_000, '1'],
          ])
        : seriesAnswer([[firesAt, '1']], { host: '1' })
    }
    const times = { from: null, until: null, nowSeconds: 3_000 }
    const options = { alerts: /./, session: '', grace: 90, ...times, onProgress: () => {}, ...more }
    return gradeRules(new PrometheusClient(url), truth, options)
  }

  test('is graded without the warm-up before it', async () => {
    const truth = [inSession(1_100, 1_200, 3_000), inSession(2_100, 2_200, 3_000)]
    expect(await report(truth, 2_150)).toMatchObject({
      from: 2_000,
      left_out: 1,
      lasting: 0,
      grades: { faults: 1 },
    })
    expect(await report(truth, 1_150, { from: 1_000 })).toMatchObject({
      from: 1_000,
      left_out: 0,
      grades: { faults: 2, sets: [{ fired: 1, rightly: 1 }] },
    })
  })

  test('has right alerts about faults that last, or began in the warm-up', async () => {
    const lasting = await report([inSession(2_100, null)], 2_990)
    expect(lasting).toMatchObject({ lasting: 1, until: 3_000, grades: { sets: [{ fired: 1, rightly: 1 }] } })
    const earlier = await report([inSession(1_100, 2_500, 3_000), inSession(2_800, 2_900, 3_000)], 2_400)
    expect(earlier).toMatchObject({ grades: { faults: 1, sets: [{ fired: 1, rightly: 1 }] } })
    expect((await report([inSession(2_100, null, 3_000)], 2_400)).lasting).toBe(0)
  })
})

function fault(begin: number, end: number | null): TruthLine {
  return {
    world: 'w',
    fault: begin,
    kind: 'HostFailure',
    begin: { sim_s: 0, wall_s: begin },
    end: end === null ? null : { sim_s: 0, wall_s: end },
    touched: {},
    customers: [],
  } as unknown as TruthLine
}

describe('a report without bounds is refused', () => {
  const graded = (truth: readonly TruthLine[], interval: number, at: readonly number[]) => {
    respond = (path) =>
      path.endsWith('/rules')
        ? rulesAnswer({}, { interval })
        : seriesAnswer(at.map((second) => [second, '1']))
    const times = { from: null, until: null, nowSeconds: 0 }
    const options = { alerts: /./, session: '', grace: 90, ...times, onProgress: () => {} }
    return gradeRules(new PrometheusClient(url), truth, options)
  }

  test('evaluations', async () => {
    await expect(graded([fault(1_000, 11_000)], 0.001, [1_000, 11_000])).rejects.toThrow(
      'The rule Down has 10011000 evaluations, 0.001 s apart, expected at most 1000000.',
    )
  })

  test('days', async () => {
    const days = 86_400 * 401
    await expect(graded([fault(1_000, 1_000 + days)], 15, [1_000])).rejects.toThrow(
      'The truth is about 401 days, expected at most 400.',
    )
  })

  test('a Prometheus without samples', async () => {
    await expect(graded([fault(1_000, null)], 15, [])).rejects.toThrow('Prometheus has no samples of')
  })

  test('but not many faults', async () => {
    const truth = Array.from({ length: 200_000 }, (_, nth) => fault(1_000 + nth / 1_000, 1_300))
    const { grades } = await graded(truth, 15, [1_000, 1_400])
    expect(grades.faults).toBe(200_000)
  })
})
