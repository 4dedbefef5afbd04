import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codingNames, codings } from '../../src/http/content-coding/codings.ts'
import { limitConcurrency } from '../../src/http/content-coding/content-coding.ts'
import { SegmentCache } from '../../src/http/content-coding/segment-cache.ts'
import { wholeSlice } from '../../src/http/responses/representation.ts'

const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

const json = (items: number): Uint8Array =>
  Buffer.from(
    JSON.stringify(Array.from({ length: items }, (_, id) => ({ id, name: `höst-${id}`, load: id / 7 }))),
  )

const noise = (length: number): Uint8Array => {
  let state = 12345
  return Uint8Array.from({ length }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16)
}

const segments = {
  nothing: new Uint8Array(0),
  'one byte': Uint8Array.of(65),
  'a record': json(10),
  'a megabyte of records': json(25_000),
  'what cannot be compressed': noise(300_000),
  'one byte over and over': new Uint8Array(200_000).fill(65),
  'shared memory': new Uint8Array(new SharedArrayBuffer(5_000)).fill(66),
}

const heads = [
  '',
  '{"meta":{"age_ms":7},',
  '{"meta":{"age_ms":123456},',
  'x'.repeat(70_000),
  'y'.repeat(200_000),
]
const tails = ['', '],"total":3}', 'z'.repeat(70_000)]

test('eight compressions run at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let running = 0
  const all = Array.from({ length: 9 }, () => limitConcurrency(() => (running++, promise)))
  await new Promise(setImmediate)
  expect(running).toBe(8)
  resolve()
  await Promise.all(all)
  expect(running).toBe(9)
})

describe.each(codingNames)('%s', (name) => {
  test.each(Object.entries(segments))(
    'a stream assembled around %s decodes to its parts',
    async (_, plain) => {
      const segment = await codings[name].compress(plain)
      for (const head of heads) {
        for (const tail of tails) {
          const stream = await codings[name].assemble(Buffer.from(head), segment, Buffer.from(tail))
          const expected = Buffer.concat([Buffer.from(head), plain, Buffer.from(tail)])
          expect(decode[name](Buffer.concat(stream)).equals(expected)).toBe(true)
        }
      }
    },
  )

  test('an assembled stream is about as small as one compressed whole', async () => {
    const plain = json(2_000)
    const segment = await codings[name].compress(plain)
    const stream = await codings[name].assemble(Buffer.from('{'), segment, Buffer.from('}'))
    expect(Buffer.concat(stream).length).toBeLessThan(plain.length / 2)
  })

  test('slices of several sources become one segment, however many there are', async () => {
    const cache = new SegmentCache()
    const sources = [
      json(100),
      noise(10_000),
      new Uint8Array(0),
      json(100),
      json(3_000),
      noise(70_000),
      json(1),
    ]
    for (const count of [0, 1, 2, sources.length]) {
      const segment = await cache.segmentOf(name, sources.slice(0, count).map(wholeSlice))
      const stream = await codings[name].assemble(Buffer.from('<'), segment, Buffer.from('>'))
      const expected = Buffer.concat([Buffer.from('<'), ...sources.slice(0, count), Buffer.from('>')])
      expect(decode[name](Buffer.concat(stream)).equals(expected)).toBe(true)
    }
  })
})

test('gzip reuses the segments of slices that did not change', async () => {
  const cache = new SegmentCache()
  const [unchanged, before, after] = [json(100), json(10), json(11)].map(wholeSlice)
  const first = cache.segmentOf('gzip', [unchanged])
  await cache.segmentOf('gzip', [unchanged, before])
  await cache.segmentOf('gzip', [unchanged, after])
  expect(await cache.segmentOf('gzip', [unchanged])).toBe(await first)
})

test('a slice whose compression failed is compressed again', async () => {
  const { gzip } = codings
  let failures = 1
  const compress = (plain: Uint8Array) =>
    failures-- > 0 ? Promise.reject(new Error('no memory')) : gzip.compress(plain)
  const cache = new SegmentCache({ ...codings, gzip: { ...gzip, compress } })
  const slices = [wholeSlice(json(10))]
  await expect(cache.segmentOf('gzip', slices)).rejects.toThrow('no memory')
  await expect(cache.segmentOf('gzip', slices)).resolves.toBeDefined()
})
