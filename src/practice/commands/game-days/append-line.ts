import { closeSync, fstatSync, readSync } from 'node:fs'
import { appendToFile, openRegularFile } from '../../../files/regular-file.ts'

/** Appends a line to the file of actions that a running mirror watches, after terminating an unterminated last line. */
export function appendLine(path: string, line: string): void {
  appendToFile(path, `${endsAmidLine(path) ? '\n' : ''}${line}\n`)
}

function endsAmidLine(path: string): boolean {
  let file
  try {
    file = openRegularFile(path, 'read')
  } catch {
    return false
  }
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10
  } finally {
    closeSync(file)
  }
}
