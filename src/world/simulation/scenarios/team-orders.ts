/** Repairs that a team orders by the names that dashboards show: `replace transceiver` on `tfd-b-b03-edge1 Eth1/15`. */
import type { Fault } from '../faults/model.ts'
import { remedies } from '../faults/remedies.ts'
import type { WorldView } from '../state.ts'
import { nameOf } from '../topology/entities.ts'
import { allTargets } from './target-selection.ts'

export interface TeamOrder {
  /** A key of `remedies`. */
  readonly remedy: string
  /** The name of what it is for. */
  readonly on: string
}

/** Nouns that stand before names in sentences, and need not be written. */
const nouns = /^(?:cable|cooling unit|customer|gateway|host|link|pool|port|power feed|switch) /

/** Names as they are compared: "tfd-a-edge1 port Eth1/15" is "tfd-a-edge1 eth1/15". */
const comparable = (name: string): string =>
  name.trim().toLowerCase().replaceAll('–', '-').replace(nouns, '').replace(' port ', ' ')

interface Found {
  readonly target: Fault['target'] | null
  /** The names of all that the remedy could be for, if none of them was named. */
  readonly names: readonly string[]
}

/** Orders a repair. Whether anything was broken there shows only when the work is done. */
export function orderRemedy(world: WorldView, { remedy, on }: TeamOrder): Found {
  const { kinds, targets } = remedies[remedy]
  const wanted = comparable(on)
  const names: string[] = []
  for (const kind of targets)
    for (const target of allTargets(world, kind)) {
      const name = nameOf(world, target)
      if (comparable(name) === wanted) {
        world.operations.orderRemedy(kinds, target)
        return { target, names: [] }
      }
      names.push(name)
    }
  return { target: null, names }
}
