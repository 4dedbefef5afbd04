/** How records are stored: their own JSON, compressed. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { EventRecord, IncidentRecord, WorkOrderRecord } from '../contract/collections.ts'
import { EngineEventSchema, IncidentSchema, WorkOrderSchema } from '../contract/records/operations.ts'
import { recordReader } from '../encoding/record-reader.ts'

/** With the checksum, a flipped bit is noticed: SQLite checks the structure of its pages only. */
const settings = { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 1 } }
const jsonBytesMax = 4 * 2 ** 20

export const packed = (json: Uint8Array): Uint8Array => zstdCompressSync(json, settings)

/** Throws if the bytes are damaged. */
export const unpacked = (body: Uint8Array): Buffer =>
  zstdDecompressSync(body, { maxOutputLength: jsonBytesMax })

const textOf = (json: Uint8Array): string =>
  Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')

const readers = {
  event: recordReader(EngineEventSchema),
  incident: recordReader(IncidentSchema),
  order: recordReader(WorkOrderSchema),
}

export const readEvent = (json: Uint8Array): EventRecord => readers.event(textOf(json)) as EventRecord
export const readIncident = (json: Uint8Array): IncidentRecord =>
  readers.incident(textOf(json)) as IncidentRecord
export const readOrder = (json: Uint8Array): WorkOrderRecord => readers.order(textOf(json)) as WorkOrderRecord
