import { MessageChannel } from 'node:worker_threads'
import type { Clock } from '../contract/clock.ts'
import type { Changes } from '../encoding/frames/changes.ts'
import type { HistoryReader } from '../metrics/history/history-reader.ts'
import { WorldThreadSupply } from '../mirror/world-thread-supply.ts'
import { WorldThreadHistory } from '../sources/world-thread-history.ts'
import { isSavedAtClose, youngGenerationMbOf } from '../sources/registry.ts'
import { ownThread } from '../process/thread.ts'
import type { WorldThreadData } from '../sources/world-thread-data.ts'

/**
 * Supplies frames of a source that runs in a worker thread. `onHistory` receives its history after every restart.
 * With `onChanges`, an archive receives what happens.
 */
export const startWorldThread = (
  data: Omit<WorldThreadData, 'reachNs' | 'historyPort' | 'isArchived'>,
  clock: Clock,
  onHistory: (history: HistoryReader) => void = () => {},
  onChanges?: (changes: Changes) => void,
): WorldThreadSupply =>
  new WorldThreadSupply({
    spawn: (reachNs) => {
      const { port1, port2: historyPort } = new MessageChannel()
      onHistory(new WorldThreadHistory(port1, clock))
      return ownThread('world-thread', {
        workerData: {
          ...data,
          reachNs,
          isArchived: onChanges !== undefined,
          historyPort,
        } satisfies WorldThreadData,
        transferList: [historyPort],
        resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMbOf(data.spec) },
      })
    },
    clock,
    ...(onChanges !== undefined && { onChanges }),
    isSavedAtClose: isSavedAtClose(data.spec),
  })
