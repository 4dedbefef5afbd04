import type { HostRecord } from '../../contract/collections.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { capitalized, counted, listed } from '../../words/phrases.ts'
import { acceleratorWords, contentionWords, serviceWords } from '../../words/vocabulary.ts'
import { asPercent, percentOf } from '../columns.ts'
import { factOf, factRow, factsOf } from '../facts.ts'
import type { Fact } from '../facts.ts'
import { zoneOf } from '../places.ts'
import { bandRank, idText, nameOfZone } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { hostCondition, hostFilters } from './hosts.ts'
import { portCondition } from './ports.ts'

const namesMax = 10

function placeText(host: HostRecord, world: TableWorld): string {
  const zone = zoneOf(host, world)
  const rack = world.rackName(host.rack_id)
  const parts = [
    zone === undefined ? '' : nameOfZone(zone),
    rack === null ? '' : `rack ${rack}`,
    host.start_u === null ? '' : `U${host.start_u}`,
    world.poolName(host.pool_id) === null ? '' : `pool ${world.poolName(host.pool_id)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function unitsText(host: HostRecord, world: TableWorld): string {
  if (host.unit_count === 0) return 'None'
  const names = host.served_customer_ids.map((id) => world.customerName(id)!)
  const services = host.service_classes.map(serviceWords).join(', ')
  return `${counted(host.unit_count, 'unit')} (${services}) of ${listed(names, namesMax)}`
}

function modelText({ sku_name, arch, accelerator, u_size }: HostRecord): string {
  const parts = [sku_name, arch, accelerator === null ? '' : acceleratorWords(accelerator), `${u_size} U`]
  return parts.filter((part) => part !== '').join(', ')
}

const loadText = (host: HostRecord): string =>
  [
    `CPU ${percentOf(host.used_millivcpu / 1000, host.physical_vcpu) ?? 0} % used, contention ${contentionWords(host.contention_state)}`,
    `memory ${Math.round(host.mem_requested_pct)} % allocated`,
    `disk ${Math.round(host.ssd_used_pct)} % allocated`,
  ].join('; ')

function portsText({ ports }: HostRecord): string {
  const bad = ports.filter((port) => portCondition(port).severity >= 3)
  const up = ports.filter(({ link }) => link === 'Up').length
  const trouble = bad.map((port) => `${port.label} ${portCondition(port).state}`)
  return `${up} of ${counted(ports.length, 'port')} up${bad.length === 0 ? '' : `: ${trouble.join(', ')}`}`
}

function factsOfHost(host: HostRecord, world: TableWorld): readonly (Fact | null)[] {
  const { state, severity } = hostCondition(host)
  const [gravest] = world.activeIncidentsOf('host', host.id)
  const isWorn = host.condition_pct < asPercent(thresholds.conditionPoor)
  const troubled = host.ports.some((port) => portCondition(port).severity >= 3)
  return [
    factOf('Host', host.display_name_plain),
    factOf('State', capitalized(state), severity),
    factOf(
      'Incident',
      gravest === undefined ? null : incidentHeadline(gravest),
      bandRank(gravest?.band ?? ''),
    ),
    factOf('Place', placeText(host, world)),
    factOf('Model', modelText(host)),
    factOf('Units', unitsText(host, world)),
    factOf('Stranded', host.stranded_unit_count > 0 ? counted(host.stranded_unit_count, 'unit') : null, 3),
    factOf('Load', loadText(host)),
    factOf('Ports', portsText(host), troubled ? 3 : 0),
    factOf('Power', `${host.power_feeds} of 2 feeds live`, host.power_feeds < 2 ? 2 : 0),
    factOf('Condition', `${host.condition_pct} %`, isWorn ? 2 : 0),
  ]
}

export const host = defineTable({
  name: 'host',
  meaning: 'Hosts fact by fact: state, incident, place, what runs on it, load, ports, power.',
  row: factRow('HostFactRow', 'a host', 'host_id'),
  reads: ['hosts', 'azs', 'incidents', 'resolvedIncidents'],
  items: (world: TableWorld) => factsOf(world.records.all('hosts'), world, factsOfHost),
  byId: {
    filter: 'host',
    items(id, world) {
      const found = world.records.get('hosts', id)
      return found === undefined ? null : factsOf([found], world, factsOfHost)
    },
  },
  filters: filtersVia(hostFilters, ({ thing }: { readonly thing: HostRecord }) => thing),
  toRow: ({ thing, rank, fact }) => ({ host_id: idText(thing.id), rank, ...fact }),
})
