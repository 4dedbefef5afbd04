import { closeSync } from 'node:fs'
import { openRegularFile, writeAll } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'

/** Writes the result of a command. Returns a sentence about what failed; null if nothing did. */
export function writeTextFile(path: string, text: string): string | null {
  try {
    const file = openRegularFile(path, 'replace')
    writeAll(file, Buffer.from(text))
    closeSync(file)
    return null
  } catch (error) {
    return `Cannot write ${path}: ${writeErrorText(path, error)}.`
  }
}
