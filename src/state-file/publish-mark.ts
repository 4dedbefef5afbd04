import { closeSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openRegularFile } from '../files/regular-file.ts'

/**
 * The last published time of a world, beside its state file and written at each publish: a continued world repeats its
 * steps up to there before it publishes, so that no counter goes back. Two slots are written in turn, so that one is
 * intact whenever the process ends. Nothing is synced: after a loss of power the mark may be some seconds old.
 */
interface PublishMark {
  readonly worldId: string
  readonly publishSeq: number
  readonly simTimeNs: bigint
}

const slotBytes = 80
const slots = 2

const markPath = (statePath: string): string => `${statePath}.published`

const checksum = (content: string): string => crc32(content).toString(16).padStart(8, '0')

function encodeMark({ worldId, publishSeq, simTimeNs }: PublishMark): string {
  const content = `${worldId} ${publishSeq} ${simTimeNs}`
  return `${content} ${checksum(content)}`.padEnd(slotBytes - 1) + '\n'
}

function decodeMark(slot: string): PublishMark | null {
  const [, content, worldId, seq, simTimeNs, sum] =
    /^((\S{1,24}) (\d{1,16}) (\d{1,19})) ([0-9a-f]{8}) *\n$/.exec(slot) ?? []
  if (content === undefined || sum !== checksum(content)) return null
  return { worldId, publishSeq: Number(seq), simTimeNs: BigInt(simTimeNs) }
}

/** The newest mark of a world; null if there is none. */
export function readPublishMark(statePath: string, worldId: string): PublishMark | null {
  const bytes = Buffer.alloc(slotBytes * slots)
  try {
    const file = openRegularFile(markPath(statePath), 'read')
    try {
      readSync(file, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
  const marks = Array.from({ length: slots }, (_, slot) =>
    decodeMark(bytes.toString('latin1', slot * slotBytes, (slot + 1) * slotBytes)),
  )
  return marks.reduce(
    (newest, mark) =>
      mark !== null && mark.worldId === worldId && mark.publishSeq > (newest?.publishSeq ?? -1)
        ? mark
        : newest,
    null,
  )
}

/** Writes marks. The file stays open, as a publish must not wait. */
export class PublishMarkWriter {
  readonly #file: number

  /** Throws the error of the system if the file cannot be written. */
  constructor(statePath: string) {
    this.#file = openRegularFile(markPath(statePath), 'overwrite')
  }

  write(mark: PublishMark): void {
    writeSync(this.#file, encodeMark(mark), (mark.publishSeq % slots) * slotBytes, 'latin1')
  }

  close(): void {
    closeSync(this.#file)
  }
}
