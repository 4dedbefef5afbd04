/** The entry of the archive's thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { Archive } from './archive/archive.ts'
import { movedBuffers } from './archive/protocol.ts'
import type { ArchiveThreadData, ToArchive } from './archive/protocol.ts'
import { processClock as clock } from './process-clock.ts'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread that the service starts.')

const archive = new Archive({
  ...(workerData as ArchiveThreadData),
  clock,
  post: (message) => port.postMessage(message, movedBuffers(message)),
})
port.on('message', (message: ToArchive) => archive.receive(message))
