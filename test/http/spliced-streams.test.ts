import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codingNames } from '../../src/http/content-coding.ts'
import { formats, manyBulkCodings } from '../../src/http/spliced-streams.ts'

const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

const json = (items: number): Uint8Array =>
  Buffer.from(
    JSON.stringify(Array.from({ length: items }, (_, id) => ({ id, name: `höst-${id}`, load: id / 7 }))),
  )

const noise = (length: number): Uint8Array => {
  let state = 12345
  return Uint8Array.from({ length }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16)
}

const bulks = {
  nothing: new Uint8Array(0),
  'one byte': Uint8Array.of(65),
  'a record': json(10),
  'a megabyte of records': json(25_000),
  'what cannot be compressed': noise(300_000),
  'one byte over and over': new Uint8Array(200_000).fill(65),
  'shared memory': new Uint8Array(new SharedArrayBuffer(5_000)).fill(66),
}

describe.each(codingNames)('%s', (name) => {
  test.each(Object.entries(bulks))(
    'a stream spliced around %s decodes to its three parts',
    async (_, bulk) => {
      const compressed = await formats[name].compress(bulk)
      for (const head of [
        '',
        '{"meta":{"age_ms":7},',
        '{"meta":{"age_ms":123456},',
        'x'.repeat(70_000),
        'y'.repeat(200_000),
      ]) {
        for (const tail of ['', '],"total":3}', 'z'.repeat(70_000)]) {
          const stream = Buffer.concat(
            formats[name].splice(Buffer.from(head), [compressed], Buffer.from(tail)),
          )
          const expected = Buffer.concat([Buffer.from(head), bulk, Buffer.from(tail)])
          expect(decode[name](stream).equals(expected)).toBe(true)
        }
      }
    },
  )

  test('a spliced stream is about as small as one compressed whole', async () => {
    const bulk = json(2_000)
    const spliced = formats[name].splice(
      Buffer.from('{'),
      [await formats[name].compress(bulk)],
      Buffer.from('}'),
    )
    expect(Buffer.concat(spliced).length).toBeLessThan(bulk.length / 2)
  })
})

test.each(manyBulkCodings)(
  '%s: several bulks follow one another, and none at all is fine too',
  async (name) => {
    const chunks = [
      json(100),
      noise(10_000),
      new Uint8Array(0),
      json(100),
      json(3_000),
      noise(70_000),
      json(1),
    ]
    const bulks = await Promise.all(chunks.map((chunk) => formats[name].compress(chunk)))
    for (const count of [0, 2, chunks.length]) {
      const stream = formats[name].splice(Buffer.from('<'), bulks.slice(0, count), Buffer.from('>'))
      const expected = Buffer.concat([Buffer.from('<'), ...chunks.slice(0, count), Buffer.from('>')])
      expect(decode[name as 'gzip' | 'br'](Buffer.concat(stream)).equals(expected)).toBe(true)
    }
  },
)
