import { existsSync } from 'node:fs'
import { appendToFile, readTextFile } from '../../../files/regular-file.ts'

/** Appends a line to the file of actions that a running mirror watches, after terminating an unterminated last line. */
export function appendLine(path: string, line: string): void {
  const isAmidLine = existsSync(path) && /[^\n]$/.test(readTextFile(path).slice(-1))
  appendToFile(path, `${isAmidLine ? '\n' : ''}${line}\n`)
}
