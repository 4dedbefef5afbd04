import { device } from './columns/equipment/device.ts'
import { appliances, gateways, switches } from './columns/equipment/devices.ts'
import { host } from './columns/equipment/host.ts'
import { hosts } from './columns/equipment/hosts.ts'
import { links } from './columns/equipment/links.ts'
import { ports } from './columns/equipment/ports.ts'
import { rack } from './columns/equipment/rack.ts'
import { racks } from './columns/equipment/racks.ts'
import { threats } from './columns/equipment/threats.ts'
import { facility, zones } from './columns/equipment/zones.ts'
import { causes, evidence, timeline } from './columns/incidents/diagnosis.ts'
import { incident } from './columns/incidents/incident.ts'
import { incidentGroups } from './columns/incidents/groups.ts'
import { incidents } from './columns/incidents/incidents.ts'
import { calendar } from './columns/operations/calendar.ts'
import { days, worlds } from './columns/operations/days.ts'
import { events } from './columns/operations/events.ts'
import { quests } from './columns/operations/quests.ts'
import { series } from './columns/operations/series.ts'
import { tasks } from './columns/operations/tasks.ts'
import { work, workSteps } from './columns/operations/work.ts'
import { world } from './columns/operations/world.ts'
import { pictures } from './drawings/pictures.ts'
import type { AnyTable } from './engine/table.ts'
import { customer } from './columns/tenants/customer.ts'
import { customers } from './columns/tenants/customers.ts'
import { pools } from './columns/tenants/pools.ts'
import { prospects } from './columns/tenants/prospects.ts'
import { services } from './columns/tenants/services.ts'

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
  calendar,
  zones,
  facility,
  racks,
  rack,
  hosts,
  host,
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
