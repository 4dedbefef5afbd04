import {
  bool,
  id,
  int,
  listOf,
  nested,
  ns,
  num,
  oneOf,
  defineOpenRecord,
  defineRecord,
  str,
  total,
} from '../fields.ts'
import { contentionStates, entityKinds, placementCodes, rootKinds, serviceClasses } from '../vocabularies.ts'

export const DiagnosticCountsSchema = defineRecord('DiagnosticCounts', 'How many there are of everything.', {
  azs: int('Zones.'),
  racks: int('Racks.'),
  hosts: int('Hosts.'),
  hosts_online: int('Hosts that serve.'),
  switches: int('Switches.'),
  gateways: int('Gateways.'),
  appliances: int('Appliances.'),
  patch_panels: int('Patch panels.'),
  cables: int('Cables.'),
  cables_failed: int('Cables that are cut or broken.'),
  ports: int('Ports.'),
  ports_up: int('Ports with a link.'),
  host_pools: int('Host pools.'),
  segments: int('Segments.'),
  subnets: int('Subnets.'),
  customers: int('Customers.'),
  prospects: int('Prospects.'),
  units: int('Units placed.'),
  units_stranded: int('Units on hosts that cannot serve them.'),
  units_unplaced: int('Units that no host could take.'),
  incidents_active: int('Active incidents.'),
  incidents_resolved: int('Resolved incidents that are still kept.'),
  work_orders_open: int('Work orders not finished.'),
  work_orders: int('Work orders kept.'),
  quests: int('Quests.'),
  quests_done: int('Quests done.'),
  staff: int('Members of staff.'),
  staff_on_shift: int('Members of staff on shift now.'),
  events: total('Events since the world began.'),
  incidents_opened: total('Incidents opened since the world began.'),
})

export const LoadedLinkSchema = defineRecord('LoadedLink', 'A link and its load.', {
  cable_id: id('Id of the cable.'),
  label: str('From where to where.'),
  load_gbps: num('Traffic in the busier direction.', 'gbps'),
  capacity_gbps: int('What it carries at most.', 'gbps'),
  load_pct: num('Load against capacity.', 'pct'),
  dropped_gbps: num('Traffic that did not fit.', 'gbps'),
})

const ContendedHostSchema = defineRecord('ContendedHost', "A host whose units get in each other's way.", {
  host_id: id('Id of the host.'),
  display_name: str('Its name.'),
  contention_state: oneOf(contentionStates, 'How badly.'),
  cpu_demand_pct: num('CPU wanted against physical.', 'none'),
  unit_count: int('Units on it.'),
})

const UnplacedServiceSchema = defineRecord(
  'UnplacedService',
  'A service with units that no host could take.',
  {
    customer_id: id('Id of the customer.'),
    customer_name: str('Its name.'),
    class_tag: oneOf(serviceClasses, 'Service class.'),
    gap: int('Units not placed.'),
    code: oneOf(placementCodes, 'What is lacking.'),
  },
)

const FailingPartSchema = defineRecord('FailingPart', 'A part that is broken or about to be.', {
  entity_kind: oneOf(entityKinds, 'What kind of part.'),
  entity_id: id('Its id.'),
  label: str('Its name.'),
  failed: bool('Whether it is broken now.'),
  condition_pct: int('Condition: 100 new, 0 worn out.', 'pct'),
  symptom: str('What shows, in a few words.'),
})

const UnservedDemandSchema = defineRecord('UnservedDemand', 'A customer whose users are turned away.', {
  customer_id: id('Id of the customer.'),
  customer_name: str('Its name.'),
  failed_per_second: num('Requests failing a simulated second.', 'per_second'),
  failed_pct: num('Of all its requests.', 'pct'),
  unserved_gbps: num('Traffic that did not get through.', 'gbps'),
})

export const SimulationFiguresSchema = defineRecord('SimulationFigures', "The simulation's own clock.", {
  seed: total('Seed of the world.', 'none'),
  scale: str('Size that was asked for.'),
  scenario: str('Name of the scenario; empty where there is none.'),
  tick: total('Steps since the world began.'),
  step_ns: ns('Simulated time a step.'),
  sim_time_ns: ns('Simulated time since the world began.'),
  day: int('Simulated day, from 0.', 'index'),
  time_of_day: str('Simulated time of day, HH:MM:SS.'),
  weekday: str('Simulated day of the week.'),
  speed: num('Simulated seconds a wall second that were asked for; 0 is paused.', 'none'),
  paused: bool('Whether the world stands still.'),
})

export const PublishFiguresSchema = defineRecord(
  'PublishFigures',
  'How publishing goes. Not part of the world: it differs from run to run.',
  {
    cadence_ms: int('Wall time between publishes.', 'ms'),
    step_ms: num('Wall time that a step took lately.', 'ms'),
    project_ms: num('Wall time that making records took at the last publish.', 'ms'),
    encode_ms: num('Wall time that encoding took at the last publish.', 'ms'),
    records_encoded: int('Records encoded at the last publish.'),
    records_total: int('Records in the last publish.'),
    bytes_total: total('Bytes of the last publish.', 'bytes'),
    lag_ms: num('How far simulated time is behind where the speed would have it, in wall time.', 'ms'),
  },
)

/** The cap of every list in the diagnostics record; `<list>_total` has the true length. */
export const diagnosticListCap = 20

export const DiagnosticsSchema = defineOpenRecord(
  'Diagnostics',
  'The world and the mirror at a glance, from one snapshot.',
  {
    simulation: nested(SimulationFiguresSchema, "The simulation's own clock."),
    publish: nested(PublishFiguresSchema, 'How publishing goes.'),
    counts: nested(DiagnosticCountsSchema, 'How many there are of everything.'),
    loaded_links: listOf(LoadedLinkSchema, 'The most loaded links, worst first.'),
    loaded_links_total: int('Links over 70 % of their capacity.'),
    contended_hosts: listOf(ContendedHostSchema, 'Contended hosts, worst first.'),
    contended_hosts_total: int('Hosts that are contended or starved.'),
    unplaced_services: listOf(
      UnplacedServiceSchema,
      'Services that could not be placed whole, largest gap first.',
    ),
    unplaced_services_total: int('Services that could not be placed whole.'),
    failing_parts: listOf(FailingPartSchema, 'Broken and worn parts, broken first.'),
    failing_parts_total: int('Parts that are broken or below 15 % condition.'),
    unserved_demand: listOf(UnservedDemandSchema, 'Customers whose requests fail, worst first.'),
    unserved_demand_total: int('Customers of whose requests more than 0.1 % fail.'),
    root_kinds_confirmed: listOf(
      defineRecord('RootKindCount', 'How often a kind of fault was confirmed.', {
        root_kind: oneOf(rootKinds, 'Kind of fault.'),
        count: total('Confirmed incidents since the world began.'),
      }),
      'Confirmed causes since the world began, most frequent first.',
    ),
    root_kinds_confirmed_total: int('Kinds of fault that were ever confirmed.'),
  },
)
