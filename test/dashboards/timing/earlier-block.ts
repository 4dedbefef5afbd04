import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A block of Prometheus once more, as if everything in it had happened earlier. Numbers of milliseconds stand in chunks
 * and index as variable-length integers, which stay as long as they are: for times of our days, six bytes.
 */

const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1
  return rest >>> 0
})

function checksum(bytes: Uint8Array, from: number, until: number): number {
  let sum = 0xffffffff
  for (let at = from; at < until; at++) sum = castagnoli[(sum ^ bytes[at]) & 0xff] ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

class Reader {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  /** Seven bits a byte, the lowest first. */
  varint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++]
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
}

const timeBytes = 6

/** Moves a signed time at a place. Its lowest bit is the sign. */
function moveTime(bytes: Buffer, at: number, byMs: number): void {
  const reader = new Reader(bytes, at)
  let rest = reader.varint() - 2n * BigInt(byMs)
  if (reader.at !== at + timeBytes) throw new Error(`No time of our days stands at ${at}.`)
  for (let index = 0; index < timeBytes; index++) {
    const isLast = index === timeBytes - 1
    bytes[at + index] = Number(rest & 0x7fn) | (isLast ? 0 : 0x80)
    rest >>= 7n
  }
}

const segmentHead = 8
const checksumBytes = 4
const sampleCountBytes = 2

/** Each chunk: its length, an encoding, how many samples there are, the first one's time, the rest, a checksum. */
function moveChunks(bytes: Buffer, byMs: number): void {
  const reader = new Reader(bytes, segmentHead)
  while (reader.at < bytes.length) {
    const length = Number(reader.varint())
    const encoding = reader.at
    const end = encoding + 1 + length
    moveTime(bytes, encoding + 1 + sampleCountBytes, byMs)
    bytes.writeUInt32BE(checksum(bytes, encoding, end), end)
    reader.at = end + checksumBytes
  }
}

const contentsBytes = 52
const seriesAlignment = 16

/** Each series: its length, labels, then its chunks: the first one's time, and what differs of the others. */
function moveSeries(bytes: Buffer, byMs: number): void {
  const contents = bytes.length - contentsBytes
  const [, from, labelIndices, , postings] = [0, 1, 2, 3, 4].map((index) =>
    Number(bytes.readBigUInt64BE(contents + index * 8)),
  )
  const until = labelIndices > from ? labelIndices : postings
  const reader = new Reader(bytes, from)
  while (reader.at < until) {
    reader.at = Math.ceil(reader.at / seriesAlignment) * seriesAlignment
    if (reader.at >= until) return
    const length = Number(reader.varint())
    const begin = reader.at
    for (let label = Number(reader.varint()); label > 0; label--) {
      reader.varint()
      reader.varint()
    }
    if (reader.varint() > 0n) moveTime(bytes, reader.at, byMs)
    bytes.writeUInt32BE(checksum(bytes, begin, begin + length), begin + length)
    reader.at = begin + length + checksumBytes
  }
}

interface Meta {
  ulid: string
  minTime: number
  maxTime: number
  compaction: { sources: string[] }
}

/** Writes the block beside itself, as the one that is so much earlier. `number` tells it from its siblings. */
export function writeEarlier(folder: string, block: string, byMs: number, number: number): void {
  const ulid = block.slice(0, -2) + String(number).padStart(2, '0')
  const [source, target] = [join(folder, block), join(folder, ulid)]
  cpSync(source, target, { recursive: true })
  for (const segment of readdirSync(join(target, 'chunks'))) {
    const path = join(target, 'chunks', segment)
    const bytes = readFileSync(path)
    moveChunks(bytes, byMs)
    writeFileSync(path, bytes)
  }
  const index = readFileSync(join(target, 'index'))
  moveSeries(index, byMs)
  writeFileSync(join(target, 'index'), index)
  const meta = JSON.parse(readFileSync(join(target, 'meta.json'), 'utf8')) as Meta
  meta.ulid = ulid
  meta.minTime -= byMs
  meta.maxTime -= byMs
  meta.compaction.sources = [ulid]
  writeFileSync(join(target, 'meta.json'), JSON.stringify(meta))
}
