import type { EvidenceCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'

interface DeviceColumns {
  readonly up: ArrayLike<number>
  readonly feeds: ArrayLike<number>
}

/** Whether a device has power but does not answer on its console. */
export const consoleCheck = (
  noun: string,
  columnsOf: (world: ObservedWorld) => DeviceColumns,
): EvidenceCheck =>
  readingCheck({
    delay: 3 * minute,
    label: (name) => `Console of ${name}`,
    read(world, row) {
      const { up, feeds } = columnsOf(world)
      return up[row] === 0 && feeds[row] > 0 ? 'no answer' : null
    },
    abnormal: ['It has power, but its console is silent.', 5],
    normal: ['answers', `The ${noun} itself is running.`, 0.12],
  })
