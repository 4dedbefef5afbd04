import { crc32 } from 'node:zlib'

/**
 * A recording is a line of text that says what it is and in which version, and blocks one after the other. A block is
 * written once and never touched again: 24 bytes of header, then what it holds. All integers are little-endian.
 *
 * | at | bytes | |
 * | --- | --- | --- |
 * | 0 | 4 | `DcRB` |
 * | 4 | 4 | what kind of block it is |
 * | 8 | 4 | its number, from 0 |
 * | 12 | 4 | how many bytes it holds |
 * | 16 | 4 | CRC-32 of these bytes |
 * | 20 | 4 | CRC-32 of the 20 bytes before |
 */
export const signature = Buffer.from('dcsim-mirror recording 1\n')

const headerBytes = 24
const headerChecked = 20
const mark = Buffer.from('DcRB')

/** No block holds more. A file that says otherwise is damaged. */
export const blockBytesMax = 1 << 30

/** How much of a block is read and checked at a time. */
const checkedAtOnce = 1 << 20

/** By number in the file. */
export const blockKinds = ['session', 'key', 'delta'] as const
export type BlockKind = (typeof blockKinds)[number]

/** A block as it is written, header and all. */
export function sealBlock(kind: BlockKind, number: number, content: Uint8Array): Buffer {
  if (content.length > blockBytesMax) {
    throw new RangeError(`A block holds at most ${blockBytesMax} bytes, not ${content.length}.`)
  }
  const block = Buffer.allocUnsafeSlow(headerBytes + content.length)
  mark.copy(block)
  block.writeUInt32LE(blockKinds.indexOf(kind), 4)
  block.writeUInt32LE(number, 8)
  block.writeUInt32LE(content.length, 12)
  block.writeUInt32LE(crc32(content), 16)
  block.writeUInt32LE(crc32(block.subarray(0, headerChecked)), headerChecked)
  block.set(content, headerBytes)
  return block
}

/** The bytes of a recording, wherever they lie. They may become more, but never others. */
export interface RecordedBytes {
  readonly size: number
  /** Fills all of `into` from a place that lies wholly inside. */
  read(into: Uint8Array, at: number): void
}

export interface FoundBlock {
  readonly kind: BlockKind
  readonly number: number
  /** Where its header begins, and where the next one does. */
  readonly at: number
  readonly end: number
  readonly contentAt: number
}

/** Bytes that are not what was written. */
export interface Damage {
  readonly at: number
  /** What was found there, and what was expected. */
  readonly found: string
}

/** How a line of blocks goes on. */
export type NextBlock =
  | { readonly is: 'block'; readonly block: FoundBlock }
  | { readonly is: 'end' }
  /** The block at the end of the file was being written when the recorder was killed. */
  | { readonly is: 'unfinished'; readonly at: number }
  | { readonly is: 'damage'; readonly damage: Damage }

/** Why a file is no recording that can be read here; null where it is one. */
export function foreignSignature(bytes: RecordedBytes): string | null {
  const head = Buffer.alloc(Math.min(signature.length, bytes.size))
  bytes.read(head, 0)
  if (head.equals(signature)) return null
  const expected = JSON.stringify(signature.toString().trim())
  const [, version] = /^dcsim-mirror recording ([0-9]+)/.exec(head.toString('latin1')) ?? []
  return version === undefined || version === '1'
    ? `it does not begin with ${expected}`
    : `it is a recording of version ${version}, expected version 1`
}

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

/** What is wrong with a header, or null. */
function headerFault(header: Buffer, number: number): string | null {
  if (!header.subarray(0, 4).equals(mark)) {
    return `${header.subarray(0, 4).toString('hex')} where a block should begin with ${mark.toString('hex')}`
  }
  const [told, counted] = [header.readUInt32LE(headerChecked), crc32(header.subarray(0, headerChecked))]
  if (told !== counted)
    return `a block header with the checksum ${hex(counted)} where ${hex(told)} was written`
  const found = header.readUInt32LE(8)
  if (found !== number) return `block ${found} where block ${number} was expected`
  const length = header.readUInt32LE(12)
  if (length > blockBytesMax) return `a block of ${length} bytes, more than a block may hold`
  const kind = header.readUInt32LE(4)
  return blockKinds[kind] === undefined ? `a block of the unknown kind ${kind}` : null
}

function checksumOf(bytes: RecordedBytes, from: number, to: number): number {
  const piece = Buffer.allocUnsafe(Math.min(checkedAtOnce, to - from))
  let checksum = 0
  for (let at = from; at < to; at += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, to - at))
    bytes.read(part, at)
    checksum = crc32(part, checksum)
  }
  return checksum
}

/** Finds the block that begins at a place, and checks all of it. */
export function nextBlock(bytes: RecordedBytes, at: number, number: number): NextBlock {
  const left = bytes.size - at
  if (left === 0) return { is: 'end' }
  const damage = (found: string): NextBlock => ({ is: 'damage', damage: { at, found } })
  const header = Buffer.alloc(Math.min(headerBytes, left))
  bytes.read(header, at)
  if (left < headerBytes) {
    const begun = header.subarray(0, mark.length)
    if (begun.equals(mark.subarray(0, begun.length))) return { is: 'unfinished', at }
    return damage(`${begun.toString('hex')} where a block should begin with ${mark.toString('hex')}`)
  }
  const fault = headerFault(header, number)
  if (fault !== null) return damage(fault)
  const contentAt = at + headerBytes
  const end = contentAt + header.readUInt32LE(12)
  if (end > bytes.size) return { is: 'unfinished', at }
  const [told, counted] = [header.readUInt32LE(16), checksumOf(bytes, contentAt, end)]
  if (told !== counted)
    return damage(`content with the checksum ${hex(counted)} where ${hex(told)} was written`)
  const kind = blockKinds[header.readUInt32LE(4)]
  return { is: 'block', block: { kind, number, at, end, contentAt } }
}

export function readContent(bytes: RecordedBytes, { contentAt, end }: FoundBlock): Buffer {
  const content = Buffer.allocUnsafeSlow(end - contentAt)
  bytes.read(content, contentAt)
  return content
}
