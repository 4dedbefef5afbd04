import { readTextFile } from '../../files/regular-file.ts'

/** File descriptors beside those of client connections: the process's own, those of a source, and a few spare. */
const otherFilesMax = 64

/**
 * The number of connections that the limit of open files leaves; undefined where that limit is unknown. Beyond it the
 * kernel refuses connections silently, so the server stays below it to log every refusal.
 */
export function connectionLimit(limits: string = readLimits()): number | undefined {
  const [, openFiles] = /^Max open files +(\d+)/m.exec(limits) ?? []
  if (openFiles === undefined) return undefined
  return Math.max(Math.floor(Number(openFiles) / 4), Number(openFiles) - otherFilesMax)
}

/** Node raises the soft limit to the hard one when it starts, so this is the effective limit. */
function readLimits(): string {
  try {
    return readTextFile('/proc/self/limits')
  } catch {
    return ''
  }
}
