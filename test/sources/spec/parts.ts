/** The series and tables that a mirror cannot show without a part of the world. */
import type { Part } from './spec-upstream.ts'

/** The metric families that follow from a part alone. */
const families: Readonly<Partial<Record<Part, RegExp>>> = {
  azs: /^dcsim_(?:az|rack)_/,
  customers: /^dcsim_(?:customer_|customers_by_|service_|services$)/,
  hostPools: /^dcsim_pool_/,
  hosts: /^dcsim_host_(?!pools$)/,
  incidents: /^dcsim_(?:incident_|incidents_active$|incidents_opened_total$|incidents_revenue_)/,
  resolvedIncidents: /^dcsim_incidents_(?:resolved_|time_to_resolve_)/,
  gateways: /^dcsim_gateway_/,
  cables: /^dcsim_link_/,
  segments: /^dcsim_segment_/,
  subnets: /^dcsim_subnet_/,
  appliances: /^dcsim_appliance_/,
  switches: /^dcsim_switch_/,
  prospects: /^dcsim_prospect_/,
  quests: /^dcsim_quests?(?:_|$)/,
  workOrders: /^dcsim_work_order(?:_|s$|s_blocked$)/,
  events: /^dcsim_events_total$/,
}

/** The tables that have no row without a part. */
const tables: Readonly<Partial<Record<Part, readonly string[]>>> = {
  azs: ['zones', 'facility', 'racks', 'rack'],
  customers: ['customers', 'customer', 'services'],
  hostPools: ['pools'],
  hosts: ['hosts', 'host'],
  incidents: ['incident-groups'],
  gateways: ['gateways'],
  cables: ['links'],
  appliances: ['appliances'],
  switches: ['switches'],
  prospects: ['prospects'],
  quests: ['quests'],
  workOrders: ['work', 'work-steps'],
  events: ['events'],
}

export const familiesOfPart = (part: Part): RegExp | undefined => families[part]

export const tablesOfPart = (part: Part): readonly string[] => tables[part] ?? []
