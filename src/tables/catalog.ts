import type { WorldPart } from '../contract/collections.ts'
import { device } from './equipment/device.ts'
import { appliances, gateways, switches } from './equipment/devices.ts'
import { host } from './equipment/host.ts'
import { hosts } from './equipment/hosts.ts'
import { links } from './equipment/links.ts'
import { hostPorts, ports } from './equipment/ports.ts'
import { rack } from './equipment/rack.ts'
import { racks } from './equipment/racks.ts'
import { threats } from './equipment/threats.ts'
import { facility, zones } from './equipment/zones.ts'
import { causes, evidence, timeline } from './incidents/diagnosis.ts'
import { incident } from './incidents/incident.ts'
import { incidentGroups } from './incidents/groups.ts'
import { incidents } from './incidents/incidents.ts'
import { days, worlds } from './operations/days.ts'
import { events } from './operations/events.ts'
import { quests } from './operations/quests.ts'
import { series } from './operations/series.ts'
import { tasks } from './operations/tasks.ts'
import { work, workSteps } from './operations/work.ts'
import { world } from './operations/world.ts'
import { pictures } from './pictures/pictures.ts'
import type { AnyTable } from './table.ts'
import { customer } from './tenants/customer.ts'
import { customers } from './tenants/customers.ts'
import { pools } from './tenants/pools.ts'
import { prospects } from './tenants/prospects.ts'
import { services } from './tenants/services.ts'

const all: readonly AnyTable[] = [
  world,
  incidents,
  incidentGroups,
  incident,
  causes,
  evidence,
  timeline,
  work,
  workSteps,
  events,
  days,
  worlds,
  quests,
  tasks,
  zones,
  facility,
  racks,
  rack,
  hosts,
  host,
  hostPorts,
  switches,
  gateways,
  appliances,
  device,
  threats,
  ports,
  links,
  pools,
  customers,
  customer,
  services,
  prospects,
  series,
  pictures,
]

/** Every table by its name. */
export const tables: ReadonlyMap<string, AnyTable> = new Map(all.map((table) => [table.name, table]))

const devices = ['hosts', 'switches', 'gateways', 'appliances', 'patchPanels'] as const

/**
 * The parts of a world that each table's rows are of. Where all of them are unknown, it has no row. Other parts add
 * columns, which are null without them.
 */
export const tableParts: Readonly<Record<string, readonly WorldPart[]>> = {
  world: [],
  incidents: ['incidents'],
  'incident-groups': ['incidents'],
  incident: ['incidents'],
  causes: ['incidents'],
  evidence: ['incidents'],
  timeline: ['incidents'],
  work: ['workOrders'],
  'work-steps': ['workOrders'],
  events: ['events'],
  days: [],
  worlds: [],
  quests: ['quests'],
  tasks: ['incidents', 'workOrders', 'prospects', 'quests'],
  zones: ['azs'],
  facility: ['azs'],
  racks: ['azs'],
  rack: devices,
  hosts: ['hosts'],
  host: ['hosts'],
  'host-ports': ['hosts'],
  switches: ['switches'],
  gateways: ['gateways'],
  appliances: ['appliances'],
  device: devices,
  threats: ['gateways', 'appliances'],
  ports: ['switches', 'gateways', 'appliances'],
  links: ['cables'],
  pools: ['hostPools'],
  customers: ['customers'],
  customer: ['customers'],
  services: ['customers'],
  prospects: ['prospects'],
  series: [],
  pictures: [],
}
