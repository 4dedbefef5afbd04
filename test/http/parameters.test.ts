import { describe, expect, test } from 'vitest'
import { parameterValidator, parseQuery } from '../../src/http/requests/parameters.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { Problem } from '../../src/http/responses/problems.ts'

const query = (route: RouteName, text: string) => {
  const result = parameterValidator(route, 'querystring')(parseQuery(text))
  return 'value' in result ? result.value : result.error
}
const id = (text: string) => {
  const result = parameterValidator('host', 'params')({ id: text })
  return 'value' in result ? result.value : result.error
}
const since = (text: string) => query('events', `since_ns=${text}`)
const page = (text: string) => query('hosts', text)

describe('ids and cursors are exact over the whole of 0 … 2^63−1', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['7', 7n],
    ['9007199254740991', 9007199254740991n],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['999999999999999999', 999999999999999999n],
    ['1000000000000000000', 1000000000000000000n],
    ['9223372036854775806', 9223372036854775806n],
    ['9223372036854775807', 9223372036854775807n],
    ['00000000000000000000000000009223372036854775807', 9223372036854775807n],
    [`${'0'.repeat(300)}5`, 5n],
  ])('%s', (text, value) => {
    expect(id(text)).toEqual({ id: value })
    expect(since(text)).toEqual({ sinceNs: value, eventLimit: 100 })
  })

  test.each([
    ...'-1 9223372036854775808 18446744073709551615 9999999999999999999 99999999999999999999'.split(' '),
    `-${'9'.repeat(99)}`,
  ])('%s is outside', (text) => {
    expect(id(text)).toBeInstanceOf(Problem)
    expect(since(text)).toBeInstanceOf(Problem)
  })
})

describe('offsets and limits are clamped', () => {
  test.each<[string, number, number]>([
    ['', 0, 100],
    ['offset=5&limit=7', 5, 7],
    ['offset=-5&limit=-7', 0, 1],
    ['offset=9223372036854775807&limit=9223372036854775807', 2 ** 63, 1000],
    ['offset=99999999999999999999999&limit=1000', 2 ** 63, 1000],
    ['offset=-99999999999999999999999&limit=1001', 0, 1000],
    ['offset=000000000000000000000000000012&limit=000000000000000000000000000034', 12, 34],
  ])('%s', (text, offset, limit) => {
    expect(page(text)).toEqual({ offset, limit })
  })
})

describe('text', () => {
  const path = (text: string) => query('metricSeries', text)

  test.each([
    ['path=fleet/rps/1m', 'fleet/rps/1m'],
    ['path=fleet%2Frps%2F1m', 'fleet/rps/1m'],
    ['path=a+b', 'a b'],
    ['path=a%2Bb', 'a+b'],
    ['path=a=b=c', 'a=b=c'],
    ['x=1&path=%C3%A9&y', 'é'],
    ['%70ath=a', 'a'],
  ])('%s', (text, metricPath) => {
    expect(path(text)).toEqual({ metricPath })
  })

  test('names that may be given several times are all read', () => {
    expect(query('metrics', 'name[]=a&name%5B%5D=b&name=c')).toEqual({ familyNames: ['a', 'b'] })
  })
})
