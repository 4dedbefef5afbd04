import type { HostRecord } from '../../../contract/collections.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { capitalized, counted, listed, longListMax, plain, wholePercent } from '../../../words/phrases.ts'
import { acceleratorWords, contentionWords, serviceWords } from '../../../words/vocabulary.ts'
import { asPercent, idColumn, isTroubled } from '../../engine/columns.ts'
import { defineFactTable, fact, incidentFact } from '../../engine/facts.ts'
import { placeText } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column } from '../../engine/table.ts'
import { cpuUsedPct, hostCondition, hostFilters, hostsOrOne } from './hosts.ts'
import { portCondition } from './ports.ts'

function poolText({ pool_id }: HostRecord, world: TableWorld): string {
  const pool = world.poolName(pool_id)
  return pool === null ? '' : `pool ${pool}`
}

function unitsText(host: HostRecord, world: TableWorld): string {
  if (host.unit_count === 0) return 'None'
  const services = host.service_classes.map(serviceWords).join(', ')
  const names = world.customerNames(host.served_customer_ids)
  return `${counted(host.unit_count, 'unit')} (${services}) of ${listed(names, longListMax)}`
}

function modelText({ sku_name, arch, accelerator, u_size }: HostRecord): string {
  const parts = [
    sku_name,
    arch,
    accelerator === null ? '' : acceleratorWords(accelerator),
    `${plain(u_size)} U`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const loadText = (host: HostRecord): string =>
  [
    `CPU ${plain(cpuUsedPct(host) ?? 0)} % used, contention ${contentionWords(host.contention_state)}`,
    `memory ${wholePercent(host.mem_requested_pct)} allocated`,
    `disk ${wholePercent(host.ssd_used_pct)} allocated`,
  ].join('; ')

const troubledPorts = ({ ports }: HostRecord) => ports.filter((port) => isTroubled(portCondition(port)))

function portsText(host: HostRecord): string {
  const up = host.ports.filter(({ link }) => link === 'Up').length
  const trouble = troubledPorts(host).map((port) => `${port.label} ${portCondition(port).state}`)
  return `${up} of ${counted(host.ports.length, 'port')} up${trouble.length === 0 ? '' : `: ${trouble.join(', ')}`}`
}

export const host = defineFactTable<HostRecord>({
  name: 'host',
  meaning: 'Hosts fact by fact: state, incident, place, what runs on it, load, ports, power.',
  row: ['HostFactRow', 'A fact about a host.'],
  worldParts: ['hosts'],
  ...hostsOrOne,
  identity: { host_id: column(idColumn('host'), ({ id }) => idText(id)) },
  filters: hostFilters,
  facts: [
    fact('Host', ({ display_name_plain }) => display_name_plain),
    fact(
      'State',
      (one) => capitalized(hostCondition(one).state),
      (one) => hostCondition(one).severity,
    ),
    incidentFact((one, world) => world.activeIncidentsOf('host', one.id)[0]),
    fact('Place', (one, world) =>
      [placeText(one, world), poolText(one, world)].filter((part) => part !== '').join(', '),
    ),
    fact('Model', modelText),
    fact('Units', unitsText),
    fact(
      'Stranded',
      (one) => (one.stranded_unit_count > 0 ? counted(one.stranded_unit_count, 'unit') : null),
      () => 3,
    ),
    fact('Load', loadText),
    fact('Ports', portsText, (one) => (troubledPorts(one).length > 0 ? 3 : 0)),
    fact(
      'Power',
      ({ power_feeds }) => `${plain(power_feeds)} of 2 feeds live`,
      ({ power_feeds }) => (power_feeds < 2 ? 2 : 0),
    ),
    fact(
      'Condition',
      ({ condition_pct }) => `${plain(condition_pct)} %`,
      ({ condition_pct }) => (condition_pct < asPercent(thresholds.conditionPoor) ? 2 : 0),
    ),
  ],
})
