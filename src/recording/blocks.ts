import { crc32 } from 'node:zlib'

/**
 * A recording is a line of text with its version, followed by blocks. A block is written once and never modified: a
 * header, then its content. Integers are little-endian. docs/formats/recording.md describes the format.
 */
const version = 2
export const fileSignature = Buffer.from(`dcsim-mirror recording ${version}\n`)

const headerBytes = 24
const headerChecksumAt = 20
const blockMagic = Buffer.from('DcRB')

/** A header with a greater length is damaged. The largest world needs a tenth of this. */
const contentBytesMax = 1 << 26

/** Contents are verified in pieces of this size. */
const pieceBytes = 1 << 20

/** In the order of their numbers in the file. */
const blockKinds = ['session', 'key', 'delta'] as const
export type BlockKind = (typeof blockKinds)[number]

/** Returns a complete block, header and content. */
export function encodeBlock(kind: BlockKind, number: number, content: Uint8Array): Buffer {
  if (content.length > contentBytesMax)
    throw new RangeError(`A block holds at most ${contentBytesMax} bytes, not ${content.length}.`)
  const block = Buffer.allocUnsafeSlow(headerBytes + content.length)
  blockMagic.copy(block)
  block.writeUInt32LE(blockKinds.indexOf(kind), 4)
  block.writeUInt32LE(number, 8)
  block.writeUInt32LE(content.length, 12)
  block.writeUInt32LE(crc32(content), 16)
  block.writeUInt32LE(crc32(block.subarray(0, headerChecksumAt)), headerChecksumAt)
  block.set(content, headerBytes)
  return block
}

/** The bytes of a recording. The file may grow, but existing bytes do not change. */
export interface RecordingBytes {
  readonly size: number
  /** Fills all of `into` from an offset; the range lies entirely inside. */
  read(into: Uint8Array, at: number): void
}

export interface BlockLocation {
  readonly kind: BlockKind
  readonly number: number
  /** The offsets of this block's header and of the next one's. */
  readonly at: number
  readonly end: number
  readonly contentAt: number
}

/** Bytes that differ from those written. */
export interface Damage {
  readonly at: number
  /** Names the bytes found and the expected ones. */
  readonly reason: string
}

type BlockScan =
  | { readonly is: 'block'; readonly block: BlockLocation }
  | { readonly is: 'end' }
  /** The last block was being written when the recorder was killed. */
  | { readonly is: 'unfinished'; readonly at: number }
  | { readonly is: 'damage'; readonly damage: Damage }

/** The reason why a file is not a recording of this version; null if it is one. */
export function describeForeignFile(bytes: RecordingBytes): string | null {
  const head = Buffer.alloc(Math.min(fileSignature.length, bytes.size))
  bytes.read(head, 0)
  if (head.equals(fileSignature)) return null
  const found = /^dcsim-mirror recording ([0-9]+)\n/.exec(head.toString('latin1'))?.[1]
  return found === undefined
    ? `it does not begin with ${JSON.stringify(fileSignature.toString().trim())}`
    : `it is a recording of version ${found}, and this release reads version ${version}`
}

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

const describeMagic = (bytes: Buffer): string =>
  `expected a block, which begins with 0x${blockMagic.toString('hex')}, found 0x${bytes.toString('hex')}`

/** The reason why a header is invalid; null for a valid one. */
function describeHeaderDamage(header: Buffer, number: number): string | null {
  const magic = header.subarray(0, blockMagic.length)
  if (!magic.equals(blockMagic)) return describeMagic(magic)
  const [stated, actual] = [
    header.readUInt32LE(headerChecksumAt),
    crc32(header.subarray(0, headerChecksumAt)),
  ]
  if (stated !== actual) return `expected a block header with checksum ${hex(stated)}, found ${hex(actual)}`
  const found = header.readUInt32LE(8)
  if (found !== number) return `expected block ${number}, found block ${found}`
  const length = header.readUInt32LE(12)
  if (length > contentBytesMax) return `expected a block of at most ${contentBytesMax} bytes, found ${length}`
  const kind = header.readUInt32LE(4)
  return blockKinds[kind] === undefined ? `found a block of the unknown kind ${kind}` : null
}

function checksumRange(bytes: RecordingBytes, from: number, to: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, to - from))
  let checksum = 0
  for (let at = from; at < to; at += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, to - at))
    bytes.read(piece, at)
    checksum = crc32(piece, checksum)
  }
  return checksum
}

/** Shared by all blocks, since allocating it a million times takes longer than reading a million blocks. */
const wholeHeader = Buffer.alloc(headerBytes)

/** Locates the block at an offset and verifies it entirely. */
export function scanBlockAt(bytes: RecordingBytes, at: number, number: number): BlockScan {
  const left = bytes.size - at
  if (left === 0) return { is: 'end' }
  const damaged = (reason: string): BlockScan => ({ is: 'damage', damage: { at, reason } })
  const header = wholeHeader.subarray(0, left)
  bytes.read(header, at)
  if (left < headerBytes) {
    const magic = header.subarray(0, blockMagic.length)
    const isBegun = magic.equals(blockMagic.subarray(0, magic.length))
    return isBegun ? { is: 'unfinished', at } : damaged(describeMagic(magic))
  }
  const headerDamage = describeHeaderDamage(header, number)
  if (headerDamage !== null) return damaged(headerDamage)
  const contentAt = at + headerBytes
  const end = contentAt + header.readUInt32LE(12)
  if (end > bytes.size) return { is: 'unfinished', at }
  const [stated, actual] = [header.readUInt32LE(16), checksumRange(bytes, contentAt, end)]
  if (stated !== actual) return damaged(`expected content with checksum ${hex(stated)}, found ${hex(actual)}`)
  const kind = blockKinds[header.readUInt32LE(4)]
  return { is: 'block', block: { kind, number, at, end, contentAt } }
}

/** Reads the content of a block, or no more than its first `bytesMax` bytes. */
export function readBlockContent(
  bytes: RecordingBytes,
  { contentAt, end }: BlockLocation,
  bytesMax = contentBytesMax,
): Buffer {
  // Small buffers share memory, so that a million of them cost little.
  const content = Buffer.allocUnsafe(Math.min(end - contentAt, bytesMax))
  bytes.read(content, contentAt)
  return content
}
