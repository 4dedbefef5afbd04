import type { RecordType } from '../contract/fields.ts'
import { exactReader, Refusal } from './exact-reading.ts'
import { compileCheck } from './record-check.ts'

/**
 * Reads records of a type out of their JSON. Most pass one compiled check after an ordinary parse; the others are
 * read exactly, or refused with the field that is wrong.
 */
export function recordReader(type: RecordType): (text: string) => object {
  const check = compileCheck(type, 'plain')
  const readExactly = exactReader(type)
  return (text) => {
    let plain: unknown
    try {
      plain = JSON.parse(text)
    } catch (error) {
      throw new Refusal(`is not JSON: ${(error as Error).message}`)
    }
    return check(plain) ? (plain as object) : readExactly(text)
  }
}
