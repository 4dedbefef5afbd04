import { expect, test } from 'vitest'
import { threatClasses } from '../../../../src/contract/vocabularies.ts'
import type { CauseKind, ThreatClass } from '../../../../src/contract/vocabularies.ts'
import type { FaultKind } from '../../../../src/world/simulation/faults/fault-kind.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import type { WorkPlan } from '../../../../src/world/simulation/work/plans.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Differences between the faults of a kind. */
interface Given {
  readonly magnitude?: number
  readonly attackClass?: ThreatClass
}
const variants: Partial<Record<CauseKind, readonly Given[]>> = {
  FanFailure: [{ magnitude: 0.5 }, { magnitude: 1 }],
  Attack: threatClasses.map((attackClass) => ({ attackClass })),
}

/** The different plans of a kind, for all cables and ports, by either outcome of its random draws. */
function plansOf(topology: Topology, name: string, { planRepair, action }: FaultKind): string[] {
  const kind = action?.targets[0] ?? 'Pool'
  const count = kind === 'Cable' ? topology.cables.count : kind === 'Port' ? topology.ports.count : 1
  const targets = Array.from({ length: count }, (_, row) => ({ kind, row }) as FaultTarget)
  const faults = (variants[name as CauseKind] ?? [{}]).flatMap(({ magnitude = 1, attackClass }) => {
    const attack = attackClass === undefined ? null : { class: attackClass, customerId: 1 }
    return targets.map((target) => ({ kind: name, target, magnitude, attack }) as Fault)
  })
  const texts = faults.flatMap((fault) =>
    [0, 0.999].map((draw) => planText(planRepair({ name: 'NAME', fault, topology }, new FixedStream(draw)))),
  )
  return [...new Set(texts)].map((text) => `${name} ${text}`)
}

function planText({ kind, label, skill, skillOptional, onSite, steps }: WorkPlan): string {
  const who = `${skill ?? 'automation'}${skillOptional === true ? ' or any' : ''}`
  const lines = steps.map(
    ({ kind: step, detail, minutes, needs = {} }) =>
      `  ${[`${minutes} min ${step}: ${detail}`, ...Object.values(needs)].join(', ')}\n`,
  )
  return `${kind}: ${label}, ${who}, ${onSite ? 'on site' : 'remote'}\n${lines.join('')}`
}

test('faults are repaired as test/world/simulation/faults/repairs.txt has it', async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { faultKinds } = await import('../../../../src/world/simulation/faults/kinds.ts')
  const { topology } = createQuietWorld(1n).state
  const texts = Object.entries(faultKinds).flatMap(([name, kind]) => plansOf(topology, name, kind))
  await expect(texts.join('\n')).toMatchFileSnapshot('repairs.txt')
})
