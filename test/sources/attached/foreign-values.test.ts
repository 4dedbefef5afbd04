/** Values of an upstream that are none: what is no record or no number is refused where it counts, and unknown elsewhere. */
import { describe, expect, test } from 'vitest'
import { HistoryUnavailable } from '../../../src/metrics/history/history-reader.ts'
import { envelopeOf, pageRangeOf } from '../../../src/sources/attached/http/envelope.ts'
import type { UpstreamClient } from '../../../src/sources/attached/http/http-client.ts'
import { JsonResponse } from '../../../src/sources/attached/http/json-response.ts'
import { UpstreamDiagnostics } from '../../../src/sources/attached/upstream-diagnostics.ts'
import { UpstreamHistory } from '../../../src/sources/attached/upstream-history.ts'
import { responseOf } from './response-of.ts'

const json = (body: string): JsonResponse => new JsonResponse(responseOf(body))
const historyOf = (body: string, isMissing = false): UpstreamHistory => {
  const client = { get: async () => ({ ...responseOf(body), isMissing }) } as unknown as UpstreamClient
  return new UpstreamHistory({ client, publishSeq: () => 1 })
}
const badValues = ['-1', '1.5', '1e300', '1e999', '"7"', '[]', 'NaN', '9223372036854775808']

test.each(badValues.flatMap((value) => ['total', 'offset', 'count'].map((name) => [name, value])))(
  'a page with %s %s is refused',
  (name, value) => {
    const numbers = { total: '1', offset: '0', count: '1', [name]: value }
    const body = Object.entries(numbers).map(([key, number]) => `"${key}":${number}`)
    expect(() => pageRangeOf(json(`{${body.join()}}`), 0)).toThrow(/ is (?:refused|not)/)
  },
)

test('a page that does not tell its range has none, or the one that was asked for', () => {
  for (const total of ['', '"total":null']) expect(pageRangeOf(json(`{${total}}`), 0)).toBe(null)
  const asked = { total: 1500, offset: 1000, count: 500 }
  expect(pageRangeOf(json('{"total":1500,"offset":null,"count":null}'), 1000)).toEqual(asked)
  expect(pageRangeOf(json('{"total":10}'), 1000)).toEqual({ total: 10, offset: 10, count: 0 })
  expect(() => pageRangeOf(json('{"total":5,"offset":0,"count":3}'), 0)).toThrow('of 5 items')
  expect(() => pageRangeOf(json('{"total":1500,"offset":0,"count":1000}'), 1000)).toThrow(
    'expected offset 1000',
  )
})

test.each(['null', ...badValues.filter((value) => value !== 'NaN')])(
  'an envelope of %s is unknown',
  (value) => {
    const meta = ['age_ms', 'publish_seq', 'sim_time_ns'].map((name) => `"${name}":${value}`).join()
    const unknown = { publishSeq: -1, simTimeNs: null, capturedAtMs: 100 }
    expect(envelopeOf(json(`{"meta":{${meta}}}`))).toEqual(unknown)
  },
)

test.each(['[]', '{"a":1,"a":1}', '{"a":[}', '{"a" 1}', '{"a":1} x', ''])('%s is no object', (body) => {
  expect(() => json(body)).toThrow('It is not a JSON object.')
})

test('empty diagnostics are an object without members', () => {
  const diagnostics = new UpstreamDiagnostics()
  for (const empty of ['{"meta":{}}', '{ "meta":{} }']) {
    diagnostics.read([json(empty)])
    expect(Buffer.from(diagnostics.last.bytes).toString()).toBe('{}')
  }
})

describe('a history', () => {
  const seriesOf = (meta: string, values: string) =>
    historyOf(`{"meta":{${meta}},"path":"a/b","values":${values},"scale":"linear","unit":"count"}`)
  const sound = '"step_ns":10,"last_ns":20'
  test.each([
    ...['"step_ns":null,"last_ns":20', '"step_ns":10,"last_ns":null', '"step_ns":10,"last_ns":-3'].map(
      (meta) => [meta, '[1]'],
    ),
    ['"step_ns":1e300,"last_ns":20', '[1]'],
    ...['{}', 'null', '[1,null]', '[1,"2"]', '[1,]', '[1,1e999]', '[[1],[2]]', '[NaN]', '7'].map((values) => [
      sound,
      values,
    ]),
    [sound, `[${'1,'.repeat(100_000)}null]`],
  ])('with %s and values %.20s is refused', async (meta, values) => {
    await expect(seriesOf(meta, values).series('a/b', 100n)).rejects.toThrow(HistoryUnavailable)
  })

  test.each([
    ['[]', []],
    ['[ ]', []],
    ['[-3,1e-7,0.10]', [-3, 1e-7, 0.1]],
    ['[ 1 , 2 ]', [1, 2]],
    ['[9223372036854775807]', [2 ** 63]],
    [`[${'-1.5,'.repeat(100_000)}2]`, Array.from({ length: 100_000 }, () => -1.5).concat(2)],
  ])('has the values %.20s', async (values, expected) => {
    const series = await seriesOf(sound, values).series('a/b', 100n)
    expect(series!.values).toEqual(expected)
  })

  test.each([
    [60n, [1, 2.5, 1e-7], 60n],
    [59n, [1, 2.5], 40n],
    [40n, [1, 2.5], 40n],
    [20n, [1], 20n],
    [19n, [], 0n],
  ])('as of %s ns has values %s, the last at %s ns', async (atNs, values, lastNs) => {
    const series = await seriesOf('"step_ns":20,"last_ns":60', '[1,2.5,1e-7]').series('a/b', atNs)
    expect([series!.values, series!.lastNs]).toEqual([values, lastNs])
  })

  test.each(['null', '-3', '1e300', '"2"'])('of %s paths is refused', async (total) => {
    const body = `{"paths":["a/b"],"total_paths":${total},"truncated":false}`
    await expect(historyOf(body).paths('')).rejects.toThrow('total_paths')
  })

  test('that is missing has nothing, and one with more paths than it says has those', async () => {
    const missing = historyOf('', true)
    expect([await missing.series('a/b', 100n), await missing.paths('')]).toEqual([
      null,
      { paths: [], total: 0 },
    ])
    const more = historyOf('{"paths":["a/b","a/c","b/c"],"total_paths":1}')
    expect((await more.paths('')).total).toBe(3)
    expect(await more.paths('a/')).toEqual({ paths: ['a/b', 'a/c'], total: 2 })
  })
})
