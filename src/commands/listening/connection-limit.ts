import { readTextFile } from '../../files/regular-file.ts'

/** Files that the process opens besides its clients' connections: its own, those of a source, and a few spare. */
const otherFilesMax = 64
const limitsBytesMax = 1 << 16

/**
 * How many connections the process may open by its limit of open files; undefined where that is not known. Beyond the limit
 * the kernel refuses connections without a word, so the server has to stay below it to log what it refuses.
 */
export function connectionLimit(limits: string = readLimits()): number | undefined {
  const [, openFiles] = /^Max open files +(\d+)/m.exec(limits) ?? []
  if (openFiles === undefined) return undefined
  return Math.max(Math.floor(Number(openFiles) / 4), Number(openFiles) - otherFilesMax)
}

/** Node raises the soft limit to the hard one when it starts, so this is what the process has. */
function readLimits(): string {
  try {
    return readTextFile('/proc/self/limits', limitsBytesMax)
  } catch {
    return ''
  }
}
