import { numberText } from '../../../../../contract/messages/catalog.ts'
import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultTarget } from '../../../topology/fault-target.ts'
import type { ShortageKind } from '../../fault-kind.ts'
import { applianceCeilingGbps } from '../../../network/view.ts'
import { relieve } from '../../repair.ts'
import type { ShortageReports, ShortageSearch } from '../../shortages.ts'
import { droppedGbpsMin, droppedShareMin } from './link-saturation.ts'

const findFullFabrics: ShortageSearch = (world, reports) => {
  const { topology, network } = world
  const { report } = reports
  for (let row = 0; row < topology.switches.count; row++) {
    const capacity = topology.switchSkus[topology.switches.sku[row]].fabricGbps
    const dropped = network.switchDroppedGbps[row]
    if (dropped > droppedShareMin * capacity) report({ kind: 'Switch', row }, dropped)
  }
  for (let row = 0; row < topology.gateways.count; row++) {
    const dropped = network.gatewayDroppedGbps[row]
    if (dropped > droppedShareMin * network.gatewayCeilingGbps[row]) report({ kind: 'Gateway', row }, dropped)
  }
  reportFullAppliances(world, reports)
}

function reportFullAppliances(world: ObservedWorld, { report }: ShortageReports): void {
  const { topology } = world
  for (let row = 0; row < topology.appliances.count; row++) {
    const dropped = droppedGbps(world, { kind: 'Appliance', row })
    if (dropped > droppedShareMin * applianceCeilingGbps(topology, row))
      report({ kind: 'Appliance', row }, dropped)
  }
}

function droppedGbps({ network }: ObservedWorld, target: FaultTarget): number {
  if (target.kind === 'Switch') return network.switchDroppedGbps[target.row]
  if (target.kind === 'Gateway') return network.gatewayDroppedGbps[target.row]
  if (target.kind !== 'Appliance') return 0
  // Traffic dropped by rules is not a lack of capacity.
  return network.applianceDroppedGbps[target.row] - network.applianceRefusedGbps[target.row]
}

export const fabricSaturation: ShortageKind = {
  origin: { type: 'shortage', search: findFullFabrics },
  effects: {},
  diagnosis: {
    article: article('fabric-saturation', 'When a **fabric** is too small'),
    lookAt: 'Compare fabric load with capacity',
    suspicions: [
      suspicion(subjectItself, {
        'switch-dropping': 0.3,
        'gateway-throttled': 0.15,
        'gateway-dropping': 0.3,
        'appliance-dropping': 0.3,
      }),
    ],
    checks: [
      {
        delay: 3 * minute,
        observe(world, target) {
          const label = `Fabric of **${nameOf(world, target)}**`
          const dropped = droppedGbps(world, target)
          if (dropped <= droppedGbpsMin) return normal(label, 'keeps up', 'The fabric has headroom.', 0.15)
          const value = `${numberText(dropped)} Gbit/s dropped`
          return abnormal(label, value, 'Traffic exceeds the fabric capacity.', 2)
        },
      },
    ],
  },
  remedy: 'relieve',
  planRepair: relieve,
  action: null,
}
