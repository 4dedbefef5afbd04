import { ownThread } from './own-thread.ts'
import { processClock as clock } from './process-clock.ts'
import { TablesClient } from './tables/thread/tables-client.ts'
import type { TablesThreadData } from './tables/thread/protocol.ts'

export const startTables = (
  workerData: TablesThreadData,
  { archive, note }: Pick<ConstructorParameters<typeof TablesClient>[0], 'archive' | 'note'>,
): TablesClient =>
  new TablesClient({ spawn: () => ownThread('tables-thread', { workerData }), clock, archive, note })
