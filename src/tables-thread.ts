/** The entry of the thread that makes tables and pictures and keeps the archive. */
import { parentPort, workerData } from 'node:worker_threads'
import { processClock as clock } from './process/clock.ts'
import type { TablesThreadData, ToTables } from './tables/thread/protocol.ts'
import { TablesThread } from './tables/thread/tables-thread.ts'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread that the service starts.')

const thread = new TablesThread({
  ...(workerData as TablesThreadData),
  clock,
  post: (message, moved) => port.postMessage(message, moved),
})
port.on('message', (message: ToTables) => thread.receive(message))
