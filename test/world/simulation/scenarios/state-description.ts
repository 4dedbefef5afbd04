import type { Snapshot } from '../../../../src/contract/collections.ts'

/**
 * The states of links, power, connectivity, units and incidents as texts by name. Traffic and load, which vary from
 * step to step, are left out. Names are without the region, so that `whm-a-core1` is `a-core1`.
 */
export function describeStates({ collections }: Snapshot): Map<string, string> {
  const facts = new Map<string, string>()
  for (const device of [...collections.switches, ...collections.gateways, ...collections.appliances]) {
    const name = shortName(device.display_name_plain)
    facts.set(name, `${device.inv_status}, ${feeds(device.power_feeds)}`)
    addPorts(facts, name, device.ports)
  }
  for (const host of collections.hosts) {
    const name = shortName(host.display_name_plain)
    facts.set(
      name,
      `${host.online ? 'online' : 'out of reach'}, ${host.inv_status}, ${feeds(host.power_feeds)}`,
    )
    facts.set(`${name} units`, `${host.unit_count}, ${host.stranded_unit_count} stranded`)
    addPorts(facts, name, host.ports)
  }
  for (const gateway of collections.gateways) {
    facts.set(
      `${shortName(gateway.display_name_plain)} routes`,
      gateway.bgp_advertising ? 'announced' : 'none',
    )
  }
  for (const cable of collections.cables) facts.set(`cable ${cable.id}`, cable.is_failed ? 'failed' : 'whole')
  for (const zone of collections.azs) {
    const name = `zone ${shortName(zone.name)}`
    facts.set(name, zone.status)
    facts.set(`${name} hosts`, `${zone.hosts_online} of ${zone.host_count}`)
    facts.set(`${name} power`, zone.power_redundant ? 'redundant' : 'no spare')
    facts.set(`${name} wan`, `${zone.wan_capacity_gbps} Gbit/s`)
    for (const feed of zone.power_feeds)
      facts.set(`${name} feed ${feed.feed}`, feed.powered ? 'live' : 'dead')
    for (const rack of zone.racks) {
      facts.set(`${name} rack ${rack.name}`, `${rack.hosts_online} online, ${feeds(rack.power_feeds)}`)
    }
  }
  for (const customer of collections.customers) {
    facts.set(`${customer.name} promises`, `unmet ${customer.requirements_unmet_mask}`)
    facts.set(`${customer.name} units`, `${customer.unit_count}, ${customer.stranded_unit_count} stranded`)
  }
  for (const incident of [...collections.incidents, ...collections.resolvedIncidents]) {
    const [about] = incident.symptom_msg_args
    const promise = incident.redundancy_promise_broken ? ', a promise broken' : ''
    facts.set(
      `incident ${incident.id}`,
      `${incident.symptom_kind} at ${shortName(about.text)}, ${incident.band}${promise}`,
    )
  }
  return facts
}

export const shortName = (name: string): string => name.replaceAll(/(?<![a-z])[a-z]{2,6}-(?=[a-z]\b)/g, '')

const feeds = (count: number): string => `${count} ${count === 1 ? 'feed' : 'feeds'}`

interface PortFacts {
  readonly label: string
  readonly link: string
  readonly state: string
}

function addPorts(facts: Map<string, string>, device: string, ports: readonly PortFacts[]): void {
  for (const { label, link, state } of ports) facts.set(`${device} ${label}`, `${link}, ${state}`)
}

/** The differences, as `before → now`. */
export function changes(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): Record<string, string> {
  const names = new Set([...before.keys(), ...now.keys()])
  return Object.fromEntries(
    [...names]
      .filter((name) => before.get(name) !== now.get(name))
      .map((name) => [name, `${before.get(name) ?? 'none'} → ${now.get(name) ?? 'none'}`]),
  )
}
