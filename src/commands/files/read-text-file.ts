import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'

function typeOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/**
 * Reads a regular file of at most `bytesMax` bytes as UTF-8. Throws for anything else: a directory, a device that never
 * ends, or a pipe that nothing is written to, which an ordinary open would wait for.
 */
export function readTextFile(path: string, bytesMax: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error(`it is ${typeOf(stats)}`)
    // A file may still grow while it is read, and some of the kernel's claim to be empty.
    const bytes = Buffer.alloc(bytesMax + 1)
    let length = 0
    while (length <= bytesMax) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
    }
    if (length > bytesMax) throw new Error(`it is larger than ${bytesMax / 2 ** 20} MiB`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}
