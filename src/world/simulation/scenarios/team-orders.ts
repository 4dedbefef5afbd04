/** Repairs that a team orders by the names that dashboards show: `replace transceiver` on `tfd-b-b03-edge1 Eth1/15`. */
import type { Fault } from '../faults/model.ts'
import { remedies } from '../faults/remedies.ts'
import type { WorldView } from '../state.ts'
import { nameOf } from '../topology/entities.ts'
import { comparableName } from './target-names.ts'
import { allTargets } from './target-selection.ts'

export interface TeamOrder {
  /** A key of `remedies`. */
  readonly remedy: string
  /** The name of what it is for. */
  readonly on: string
}

interface Found {
  readonly target: Fault['target'] | null
  /** The names of all that the remedy could be for, if none of them was named. */
  readonly names: readonly string[]
  /** The open order of a team that does the same there, so that none was added. */
  readonly open: ReturnType<WorldView['operations']['orderRemedy']>
}

/** Orders a repair. Whether anything was broken there shows only when the work is done. */
export function orderRemedy(world: WorldView, { remedy, on }: TeamOrder): Found {
  const { kinds, targets } = remedies[remedy]
  const wanted = comparableName(on)
  const names: string[] = []
  for (const kind of targets)
    for (const target of allTargets(world, kind)) {
      const name = nameOf(world, target)
      if (comparableName(name) === wanted) {
        const open = world.operations.orderRemedy(kinds, target)
        return { target: open === null ? target : null, names: [], open }
      }
      names.push(name)
    }
  return { target: null, names, open: null }
}
