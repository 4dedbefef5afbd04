/** How records are stored: a checksum and their own JSON, compressed if it is long. */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { EventRecord, IncidentRecord, WorkOrderRecord } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { EngineEventSchema, IncidentSchema, WorkOrderSchema } from '../../contract/records/operations.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import { bandRank } from '../../words/vocabulary.ts'

const settings = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const jsonBytesMax = 4 * 2 ** 20
/** Compressing shorter JSON, as events have, takes longer than storing it. */
const plainBytesMax = 1_024
const headBytes = 5
const [plain, compressed] = [0, 1]

/** With the checksum, a flipped bit is noticed: SQLite checks the structure of its pages only. */
export function packed(json: Uint8Array, isPlain = json.length <= plainBytesMax): Uint8Array {
  const content = isPlain ? json : zstdCompressSync(json, settings)
  const body = Buffer.allocUnsafe(headBytes + content.length)
  body[0] = isPlain ? plain : compressed
  body.writeUInt32LE(crc32(json), 1)
  body.set(content, headBytes)
  return body
}

/** Throws if the bytes are damaged. */
export function unpacked(body: Uint8Array): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const content = bytes.subarray(headBytes)
  const json = bytes[0] === plain ? content : zstdDecompressSync(content, { maxOutputLength: jsonBytesMax })
  if (crc32(json) !== bytes.readUInt32LE(1)) throw new RangeError('the checksum does not match')
  return json
}

export function isReadable(body: Uint8Array): boolean {
  try {
    unpacked(body)
    return true
  } catch {
    return false
  }
}

const textOf = (json: Uint8Array): string =>
  Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')

function readerOf(type: RecordType): (json: Uint8Array) => object {
  const read = recordReader(type)
  return (json) => read(textOf(json))
}

export const readEvent = readerOf(EngineEventSchema) as (json: Uint8Array) => EventRecord
export const readIncident = readerOf(IncidentSchema) as (json: Uint8Array) => IncidentRecord
export const readOrder = readerOf(WorkOrderSchema) as (json: Uint8Array) => WorkOrderRecord

const bandField = /("band"\s*:\s*)"(\w*)"/

/** An incident with the graver one of its band and that of an earlier record of it. */
export function atItsWorst(json: Uint8Array, earlier: Uint8Array): Uint8Array {
  const [former, text] = [bandField.exec(textOf(earlier))?.[2], textOf(json)]
  const band = bandField.exec(text)?.[2]
  return former !== undefined && band !== undefined && bandRank(former) > bandRank(band)
    ? Buffer.from(text.replace(bandField, `$1"${former}"`))
    : json
}
