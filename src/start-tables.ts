import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { processClock as clock } from './process-clock.ts'
import { TablesClient } from './tables/thread/tables-client.ts'
import type { TablesThreadData } from './tables/thread/protocol.ts'

/** The entry of the thread: a source of this checkout, or its compiled form in the package. */
const entry = new URL(`tables-thread${extname(import.meta.url)}`, import.meta.url)

export const startTables = (
  workerData: TablesThreadData,
  { archive, note }: Pick<ConstructorParameters<typeof TablesClient>[0], 'archive' | 'note'>,
): TablesClient => new TablesClient({ spawn: () => new Worker(entry, { workerData }), clock, archive, note })
