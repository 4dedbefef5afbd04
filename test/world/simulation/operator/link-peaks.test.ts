import { expect, test } from 'vitest'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import { linksByRole } from '../../../../src/world/simulation/operator/links.ts'
import { linkIndex, recordPeaks } from '../../../../src/world/simulation/operator/observation.ts'
import { upgradableRoles } from '../../../../src/world/simulation/topology/works.ts'

test('full links of load balancers are not hidden by idle ones of scrubbers', () => {
  const { state, parts } = createSimulation({
    seed: 1n,
    scale: 'small',
    scenario: null,
    warmUp: 0,
    speed: 60,
  })
  const { topology, network } = state
  const { cables, ports, appliances } = topology
  const at = linkIndex(0, upgradableRoles.indexOf('ApplianceOneArm'))
  const groups = linksByRole(topology)[at]
  const kindOf = (cable: number): string => appliances.kind[ports.device[cables.a[cable]]]
  expect(groups.map((group) => new Set(group.map(kindOf)).size)).toEqual(groups.map(() => 1))
  for (const cable of groups.flat()) {
    const port = cables.a[cable]
    network.portUp[port] = 1
    network.portTxGbps[port] = kindOf(cable) === 'LoadBalancer' ? 0.9 * ports.capacityGbps[port] : 0
    network.portRxGbps[port] = 0
  }
  for (let hours = 0; hours < 100; hours++) recordPeaks(parts.operator.state, state)
  expect(parts.operator.state.linkPeak[at]).toBeGreaterThan(0.8)
})
