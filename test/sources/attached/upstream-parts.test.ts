import { describe, expect, test } from 'vitest'
import type { HttpClient } from '../../../src/sources/attached/http/http-client.ts'
import type { PartName } from '../../../src/sources/attached/publish-pieces.ts'
import { UpstreamParts } from '../../../src/sources/attached/upstream-parts.ts'
import { SourceError, StatusError } from '../../../src/sources/source.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'

const cadenceMs = 1_000
const absent = new StatusError(404, 'It has status 404.')
const broken = new SourceError('bad_record', 'It is broken.')
const lost = new SourceError('cut_off', 'It was cut off.')

/** The parts of an upstream whose list of quests answers as `answer` says. */
function parts() {
  const clock = new FakeClock()
  const requests: string[] = []
  const upstream = { answer: (): string => '{"items":[]}' }
  const get = (url: string) => {
    requests.push(url)
    return new Promise((resolve) => {
      resolve({ url, headers: {}, receivedMs: 0, body: Buffer.from(upstream.answer()) })
    })
  }
  const read = new UpstreamParts({ get } as unknown as HttpClient, clock, cadenceMs)
  const isRead = (name: PartName = 'quests') => read.readable.includes(name)
  /** Whether the publish is to be tried again. */
  const costsPublish = (error: SourceError): boolean => {
    try {
      read.failed('quests', error)
      return false
    } catch (thrown) {
      if (thrown !== error) throw thrown
      return true
    }
  }
  /** Whether each of several failures in a row, three cadences at last after the first, costs its publish. */
  const costsUntil = (errors: readonly SourceError[], beganMs = 0): boolean[] =>
    errors.map((error, at) => {
      clock.advanceTo(beganMs + [0, 50, 2_999, 3_000][at])
      return costsPublish(error)
    })
  const probeAt = async (ms: number): Promise<number> => {
    clock.advanceTo(ms)
    read.beginPublish()
    await new Promise(setImmediate)
    return requests.length
  }
  return { read, clock, upstream, requests, isRead, costsPublish, costsUntil, probeAt }
}

test('of an upstream that answers, everything is read and known', () => {
  const { read } = parts()
  expect(read.readable).toHaveLength(18)
  expect(read.readable.slice(-2)).toEqual(['events', 'diagnostics'])
  expect(read.unknown()).toEqual({})
})

describe('a list costs no publish and is unknown at once', () => {
  test.each([404, 405, 410, 501])('with status %d', (status) => {
    const { read, costsPublish, isRead } = parts()
    expect(costsPublish(new StatusError(status, 'Absent.'))).toBe(false)
    expect([isRead(), isRead('hosts'), read.unknown()]).toEqual([false, true, { quests: 'Absent.' }])
  })

  test.each(['bad_status', 'not_json', 'bad_record', 'too_big'] as const)(
    'with the fault %s at the beginning',
    (fault) => {
      const { read, costsPublish } = parts()
      expect(costsPublish(new SourceError(fault, 'Broken.'))).toBe(false)
      expect(read.unknown()).toEqual({ quests: 'Broken.' })
    },
  )
})

describe('a list costs the publishes of three cadences, however many are tried', () => {
  test('whose connection fails from the beginning, and is then unknown', () => {
    const { read, costsUntil } = parts()
    expect(costsUntil([lost, lost, lost, lost])).toEqual([true, true, true, false])
    expect(read.unknown()).toEqual({ quests: 'It was cut off.' })
  })

  test('that was read before, and keeps its state for 60 cadences, then is unknown', () => {
    const { read, clock, costsUntil, isRead } = parts()
    read.succeeded('quests')
    expect(costsUntil([broken, broken, broken, broken])).toEqual([true, true, true, false])
    expect([isRead(), read.reasonOf('quests')]).toEqual([false, null])
    clock.advanceTo(59_999)
    read.beginPublish()
    expect(read.unknown()).toEqual({})
    clock.advanceTo(60_000)
    expect(read.unknown()).toEqual({})
    read.beginPublish()
    expect(read.unknown()).toEqual({ quests: 'It is broken.' })
    expect(read.reasonOf('quests')).toBe(broken)
  })

  test('together with others that fail', () => {
    const { read, costsUntil, isRead } = parts()
    read.succeeded('quests')
    read.succeeded('events')
    expect(costsUntil([broken, broken, broken, broken])).toEqual([true, true, true, false])
    read.failed('events', broken)
    expect([isRead(), isRead('events')]).toEqual([false, false])
    read.published()
    read.succeeded('hosts')
    expect(() => read.failed('hosts', broken)).toThrow(broken)
  })

  test('again after it was read in between', () => {
    const { read, costsUntil } = parts()
    read.succeeded('quests')
    expect(costsUntil([broken, broken, broken])).toEqual([true, true, true])
    read.succeeded('quests')
    read.published()
    expect(costsUntil([broken, broken, broken, broken], 3_000)).toEqual([true, true, true, false])
  })
})

test.each([404, 405, 410, 501])(
  'a list with status %d after it was read costs no publish, and keeps its state for 60 cadences',
  (status) => {
    const { read, clock, costsPublish } = parts()
    read.succeeded('quests')
    expect([costsPublish(new StatusError(status, 'Absent.')), read.unknown()]).toEqual([false, {}])
    clock.advanceTo(60_000)
    read.beginPublish()
    expect(read.unknown()).toEqual({ quests: 'Absent.' })
  },
)

describe('a list that is left out is asked for every 5 cadences', () => {
  test('and is read again with the publish after its answer, and unknown in the one before', async () => {
    const { read, requests, costsPublish, isRead, probeAt } = parts()
    costsPublish(absent)
    expect([await probeAt(4_999), await probeAt(5_000)]).toEqual([0, 1])
    expect(requests).toEqual(['/api/v1/quests?limit=1'])
    expect([isRead(), read.unknown()]).toEqual([false, { quests: expect.any(String) }])
    read.beginPublish()
    expect([isRead(), read.unknown()]).toEqual([true, {}])
    read.succeeded('quests')
    expect([await probeAt(60_000), isRead()]).toEqual([1, true])
  })

  test('and stays out while it does not, with the newest reason', async () => {
    const { read, upstream, costsPublish, isRead, probeAt } = parts()
    costsPublish(absent)
    upstream.answer = () => '{"items":7}'
    expect([await probeAt(5_000), await probeAt(9_999), await probeAt(10_000)]).toEqual([1, 1, 2])
    expect([isRead(), read.unknown()]).toEqual([
      false,
      { quests: expect.stringContaining('items is not a list') },
    ])
    upstream.answer = () => {
      throw lost
    }
    await probeAt(15_000)
    read.beginPublish()
    expect(read.unknown()).toEqual({ quests: expect.stringContaining('items is not a list') })
  })

  test('and waits for those that were asked for before: a simple server refuses many connections at once', async () => {
    const clock = new FakeClock()
    const open: (() => void)[] = []
    const get = () => {
      const { promise, resolve } = Promise.withResolvers<object>()
      open.push(() => resolve({ headers: {}, receivedMs: 0, body: Buffer.from('{"items":[]}') }))
      return promise
    }
    const read = new UpstreamParts({ get } as unknown as HttpClient, clock, cadenceMs)
    for (const name of ['quests', 'prospects', 'events'] as const) read.failed(name, absent)
    clock.advanceTo(5_000)
    for (const requests of [1, 2, 3]) {
      read.beginPublish()
      expect(open).toHaveLength(requests)
      open.at(-1)!()
      await new Promise(setImmediate)
    }
    read.beginPublish()
    expect(read.unknown()).toEqual({})
  })

  test('and is unknown for the same reason until the publish has been read that was begun before', async () => {
    const { read, upstream, costsPublish, probeAt } = parts()
    costsPublish(absent)
    upstream.answer = () => {
      throw broken
    }
    await probeAt(5_000)
    expect(read.reasonOf('quests')).toBe(absent)
    read.beginPublish()
    expect(read.reasonOf('quests')).toBe(broken)
  })

  test('and is left out after one more failure', async () => {
    const { read, costsPublish, costsUntil, isRead, probeAt } = parts()
    read.succeeded('quests')
    costsUntil([broken, broken, broken, broken])
    await probeAt(8_000)
    read.beginPublish()
    expect(isRead()).toBe(true)
    expect([costsPublish(broken), isRead()]).toEqual([false, false])
  })
})
