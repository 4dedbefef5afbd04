import { messageText } from '../../../../src/contract/messages/catalog.ts'
import type { OperatorContext } from '../../../../src/world/simulation/operator/context.ts'
import { createOperator } from '../../../../src/world/simulation/operator/operator.ts'
import type { BuildableWorld } from '../../../../src/world/simulation/step.ts'
import { createHostCosts } from '../../../../src/world/simulation/tenants/billing/host-costs.ts'
import { createCapacity } from '../../../../src/world/simulation/tenants/placement/capacity.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import type { Works } from '../../../../src/world/simulation/topology/works.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Notes the price changes that the operator asks for. */
const createTariffFixture = () => {
  const asked: [string, number][] = []
  return {
    asked,
    level: 1,
    changeList: (share: number): void => void asked.push(['list', share]),
    raiseAll: (share: number): void => void asked.push(['all', share]),
    promote: (span: number): void => void asked.push(['promote', span]),
  }
}

/**
 * A rich operator of a site without events, with new equipment only. The small site has two zones of 12 hosts, with
 * feeds of 10 and 15 kW each and two cooling units of 6 and of 9 kW.
 */
export function createPlanningFixture(scale: number | ScaleName = 'small') {
  const { state, work } = createQuietWorld(1n, scale)
  const world = state as BuildableWorld
  const { topology, site, condition } = world
  for (const table of [topology.hosts, topology.switches, topology.gateways, topology.appliances])
    table.installed.fill(0)
  condition.hostWear.fill(0)
  const built: Works[] = []
  const tariff = createTariffFixture()
  const given = {
    world,
    site,
    capacity: createCapacity(topology),
    costs: createHostCosts(topology),
    operations: work,
    construct: (works: Works): void => void built.push(works),
    tariff,
  }
  const operator = createOperator(given)
  Object.assign(operator.state, { reserves: 1e9, marginPerHour: 1e6 })
  const chance = new FixedStream(0.5)
  const context: OperatorContext = { ...given, state: operator.state, deliveries: chance, chance }
  return {
    world,
    context,
    built,
    tariff,
    operations: work,
    state: operator.state,
    /** Works on order with their price in whole dollars, oldest first. */
    ordered: () =>
      operator.state.purchases.map(({ works, dollars }) => {
        const texts = works.map(({ kind, ...rest }) => [kind, ...Object.entries(rest).flat()].join(' '))
        return `${texts.join(' + ')}, $${Math.round(dollars)}`
      }),
    texts: () => world.events.state.window.map(({ msg_key, msg_args }) => messageText(msg_key, msg_args)),
  }
}

/** Demand of a customer that was turned away. */
export function demand({ tenants }: BuildableWorld, wanted: object): void {
  ;(tenants.unservedDemand as Map<number, object>).set(1, { vcpu: 0, memMb: 0, slices: 0, ...wanted })
}
