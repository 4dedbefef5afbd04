import { bool, id, int, listOf, num, oneOf, defineOpenRecord, defineRecord, str } from '../fields.ts'
import { coolingStates, powerFeedNames, zoneStatuses } from '../vocabularies.ts'
import { hostCapacity } from './shared.ts'

export const PowerFeedSchema = defineRecord('PowerFeed', 'One of the two power feeds of a zone.', {
  id: id('Id of the feed.'),
  feed: oneOf(powerFeedNames, 'Which of the two.'),
  powered: bool('Whether it is live.'),
  capacity_kw: num('What it can deliver.', 'kw'),
  load_kw: num('What it delivers.', 'kw'),
  load_pct: num('Load against capacity.', 'pct'),
})

export const CoolingUnitSchema = defineRecord('CoolingUnit', 'A cooling unit of a zone.', {
  id: id('Id of the unit.'),
  name: str('Name.'),
  working: bool('Whether it runs.'),
  capacity_kw: num('Heat it can take away.', 'kw'),
  load_kw: num('Heat it takes away.', 'kw'),
  condition_pct: int('Condition: 100 new, 0 worn out.', 'pct'),
})

export const RackSchema = defineRecord('Rack', 'A rack of a zone.', {
  id: id('Id of the rack.'),
  name: str('Name: row and place.'),
  u_size: int('Height.', 'rack_units'),
  used_u: int('Rack units taken.', 'rack_units'),
  host_count: int('Hosts in it.'),
  hosts_online: int('Hosts of it that serve.'),
  power_feeds: int('Power feeds that are live.'),
  power_capacity_kw: num('Power that it may draw.', 'kw'),
  power_draw_kw: num('Power that it draws.', 'kw'),
  inlet_celsius: num('Temperature of the air going in.', 'celsius'),
})

export const ZoneSchema = defineOpenRecord('AzView', 'An availability zone.', {
  id: id('Id of the zone.'),
  name: str('Short name, as in labels.'),
  display_name: str('Name for people.'),
  region_id: id('Region that it belongs to.'),
  region_name: str('Name of the region.'),
  status: oneOf(zoneStatuses, 'How it is doing in one word.'),
  health: num('1 when every device of it works and no link is full, 0 when nothing does.', 'ratio'),
  rack_count: int('Racks.'),
  racks: listOf(RackSchema, 'Its racks.'),
  power_capacity_kw: num('Power that the zone may draw with both feeds.', 'kw'),
  power_draw_kw: num('Power that it draws.', 'kw'),
  power_redundant: bool('Whether one feed alone could carry the draw, and both are live.'),
  power_feeds: listOf(PowerFeedSchema, 'Its feeds.'),
  pue: num('Power drawn in all over power drawn by devices.', 'none'),
  cooling_state: oneOf(coolingStates, 'How cooling copes.'),
  cooling_capacity_kw: num('Heat that the running units can take away.', 'kw'),
  cooling_load_kw: num('Heat to take away.', 'kw'),
  inlet_celsius: num('Mean temperature of the air going into the racks.', 'celsius'),
  cooling_units: listOf(CoolingUnitSchema, 'Its cooling units.'),
  host_count: int('Hosts.'),
  hosts_online: int('Hosts that serve.'),
  switch_count: int('Switches.'),
  gateway_count: int('Gateways.'),
  appliance_count: int('Appliances.'),
  patch_panel_count: int('Patch panels.'),
  customer_count: int('Customers with units here.'),
  unit_count: int('Units placed here.'),
  stranded_unit_count: int('Units that lie on hosts here which cannot serve them.'),
  ...hostCapacity,
  wan_ingress_gbps: num('Traffic from upstream.', 'gbps'),
  wan_egress_gbps: num('Traffic to upstream.', 'gbps'),
  wan_capacity_gbps: int('WAN links that are up, in each direction.', 'gbps'),
  east_west_gbps: num('Traffic between hosts.', 'gbps'),
  dropped_gbps: num('Traffic dropped on links, fabrics and ceilings here.', 'gbps'),
  bgp_advertising: bool('Whether a gateway here announces routes.'),
  active_incident_count: int('Active incidents with a device of this zone as symptom or suspect.'),
  monthly_cost_dollars: num('Running cost a month, facility included.', 'dollars_per_month'),
})
