import type { EvidenceCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'

/** Whether a device with power answers on its console. */
export const consoleCheck = (
  noun: string,
  upOf: (facility: ObservedWorld['facility']) => ArrayLike<number>,
): EvidenceCheck =>
  readingCheck({
    delay: 3 * minute,
    label: (name) => `Console of ${name}`,
    read: ({ facility }, row) => (upOf(facility)[row] === 0 ? 'no answer' : null),
    abnormal: ['It has power, but its console is silent.', 5],
    normal: ['answers', `The ${noun} itself is running.`, 0.12],
  })
