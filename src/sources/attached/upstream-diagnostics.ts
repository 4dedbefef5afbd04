import type { DiagnosticsRecord } from '../../contract/collections.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { DecodeError, recordReader } from '../../encoding/record-reader.ts'
import { closeObject, skipBlanks } from '../../text/json-scan.ts'
import type { JsonResponse } from './http/json-response.ts'

/** The diagnostics record, and its bytes without `meta`. */
interface ReadDiagnostics {
  readonly bytes: Uint8Array
  readonly record: DiagnosticsRecord
}

const readRecord = recordReader(DiagnosticsSchema)
const noBytes = Buffer.from('{}')
const nothing: ReadDiagnostics = { bytes: noBytes, record: readRecord('{}') as DiagnosticsRecord }

/** The diagnostics of successive publishes. The bytes are the same object as before if they did not change. */
export class UpstreamDiagnostics {
  last = nothing

  read([json]: readonly JsonResponse[]): void {
    const bytes = shortestIfEmpty(json.without('meta'))
    try {
      const record = readRecord(Buffer.from(bytes).toString()) as DiagnosticsRecord
      const isSame = Buffer.from(bytes).equals(this.last.bytes)
      this.last = { bytes: isSame ? this.last.bytes : bytes, record }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      throw json.error('bad_record', `is refused: ${error.message}`)
    }
  }

  clear(): void {
    this.last = nothing
  }
}

/**
 * An empty object in its shortest form: readers of a frame tell from the first bytes of a record whether it has
 * members.
 */
function shortestIfEmpty(bytes: Uint8Array): Uint8Array {
  const openAt = skipBlanks(bytes, 0, bytes.length)
  const isEmpty = bytes[skipBlanks(bytes, openAt + 1, bytes.length)] === closeObject
  return isEmpty ? noBytes : bytes
}
