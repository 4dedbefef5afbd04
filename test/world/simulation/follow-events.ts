import type { EventRecord } from '../../../src/contract/collections.ts'
import type { EventLog } from '../../../src/world/simulation/events.ts'

/** Returns a function that returns the events since its last call, or since this one, in their order. */
export function followEvents({ events }: { readonly events: EventLog }): () => readonly EventRecord[] {
  let newest = events.state.window.at(-1)?.at_ns ?? -1n
  return () => {
    const { window } = events.state
    const since = window.slice(window.findLastIndex(({ at_ns }) => at_ns <= newest) + 1)
    newest = since.at(-1)?.at_ns ?? newest
    return since
  }
}
