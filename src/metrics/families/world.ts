import {
  DiagnosticCountsSchema,
  PublishFiguresSchema,
  SimulationFiguresSchema,
} from '../../contract/records/diagnostics.ts'
import { partText } from '../../contract/collections.ts'
import { deriveFamily, familiesOf, infoFamily } from '../declaration/family.ts'
import { singleRow, derivedRows } from '../declaration/labeled-rows.ts'

const simulation = familiesOf(
  SimulationFiguresSchema,
  singleRow('clock', ({ diagnostics }) => diagnostics.simulation),
)
const publish = familiesOf(
  PublishFiguresSchema,
  singleRow('clock', ({ diagnostics }) => diagnostics.publish),
)
const counts = familiesOf(
  DiagnosticCountsSchema,
  singleRow('fleet', ({ diagnostics }) => diagnostics.counts),
)
/** Dashboards find sessions by it, so that a world without diagnostics has it too. */
const worldInfo = derivedRows('clock', null, ({ diagnostics }) => [diagnostics.simulation], {
  seed: (figures) => figures.seed,
  scale: (figures) => figures.scale,
  scenario: (figures) => figures.scenario,
})

/** `patch_panels`, as in paths and names of families. */
const partLabel = (part: string): string => partText(part).replaceAll(' ', '_')

const unknownParts = derivedRows('clock', null, ({ unknown = {} }) => Object.entries(unknown), {
  part: ([part]) => partLabel(part),
  reason: ([, reason]) => reason,
})
const unknownTogether = derivedRows(
  'clock',
  null,
  ({ unknown = {} }) => (Object.keys(unknown).length === 0 ? [] : [Object.keys(unknown)]),
  { parts: (parts) => parts.map(partText).join(', ') },
)
const leftOut = derivedRows('clock', null, ({ leftOut: all = [] }) => all, {
  part: ({ part }) => partLabel(part),
  reason: ({ reason }) => reason,
})

export const clockFamilies = {
  dcsim_mirror_source_unknown_info: infoFamily(
    unknownParts,
    'A part of the world that the source does not report, and why.',
  ),
  dcsim_mirror_source_unknown_parts: deriveFamily(unknownTogether, 'gauge', {
    help: 'How many parts of the world the source does not report, and which; absent where there are none.',
    value: (parts) => parts.length,
  }),
  dcsim_mirror_source_records_left_out: deriveFamily(leftOut, 'gauge', {
    help: 'Records of the source that are left out of the last publish, by what is wrong with them.',
    value: ({ count }) => count,
  }),
  dcsim_sim_info: infoFamily(worldInfo, 'Which world this is.'),
  dcsim_sim_time_seconds: simulation.gauge('sim_time_ns'),
  dcsim_sim_speed_ratio: simulation.gaugeIn({ unit: 'ratio', factor: 1 }, 'speed'),
  dcsim_sim_paused: simulation.gauge('paused'),
  dcsim_sim_steps_total: simulation.counter('tick'),
  dcsim_sim_step_seconds: simulation.gauge('step_ns'),
  dcsim_mirror_cadence_seconds: publish.gauge('cadence_ms'),
  dcsim_mirror_step_duration_seconds: publish.gauge('step_ms'),
  dcsim_mirror_project_duration_seconds: publish.gauge('project_ms'),
  dcsim_mirror_encode_duration_seconds: publish.gauge('encode_ms'),
  dcsim_mirror_records_encoded: publish.gauge('records_encoded'),
  dcsim_mirror_records: publish.gauge('records_total'),
  dcsim_mirror_sim_lag_seconds: publish.gauge('lag_ms'),
}

export const fleetFamilies = {
  dcsim_azs: counts.gauge('azs'),
  dcsim_racks: counts.gauge('racks'),
  dcsim_hosts: counts.gauge('hosts'),
  dcsim_hosts_online: counts.gauge('hosts_online'),
  dcsim_switches: counts.gauge('switches'),
  dcsim_gateways: counts.gauge('gateways'),
  dcsim_appliances: counts.gauge('appliances'),
  dcsim_patch_panels: counts.gauge('patch_panels'),
  dcsim_cables: counts.gauge('cables'),
  dcsim_cables_failed: counts.gauge('cables_failed'),
  dcsim_ports: counts.gauge('ports'),
  dcsim_host_pools: counts.gauge('host_pools'),
  dcsim_segments: counts.gauge('segments'),
  dcsim_subnets: counts.gauge('subnets'),
  dcsim_customers: counts.gauge('customers'),
  dcsim_prospects: counts.gauge('prospects'),
  dcsim_units: counts.gauge('units'),
  dcsim_units_stranded: counts.gauge('units_stranded'),
  dcsim_units_unplaced: counts.gauge('units_unplaced'),
  dcsim_work_orders_open: counts.gauge('work_orders_open'),
  dcsim_staff: counts.gauge('staff'),
  dcsim_staff_on_shift: counts.gauge('staff_on_shift'),
}
