import { Worker } from 'node:worker_threads'
import { ArchiveClient } from '../../archive/archive-client.ts'
import type { ArchiveThreadData } from '../../archive/protocol.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import { processClock as clock } from '../../process-clock.ts'
import type { Logger } from '../logger.ts'

/** The entry of the thread: a source of this checkout, or its compiled form in the package. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../archive-thread.ts' : '../../archive-thread.js',
  import.meta.url,
)

export const startArchive = (
  data: ArchiveThreadData,
  frame: () => Frame | null,
  log: Logger,
): ArchiveClient =>
  new ArchiveClient({
    spawn: () => new Worker(entry, { workerData: data }),
    clock,
    frame,
    note: (isProblem, message) => (isProblem ? log.error(message) : log.info(message)),
  })
