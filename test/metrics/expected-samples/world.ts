/** The world as a whole, as the diagnostics record describes it. */
import { each, milliseconds, nanoseconds } from './expected-family.ts'
import type { ExpectedFamilies } from './expected-family.ts'

export const expectedClock: ExpectedFamilies = {
  ...each(
    ({ diagnostics }) => [diagnostics.simulation],
    { seed: 'seed', scale: 'scale', scenario: 'scenario' },
    { dcsim_sim_info: () => 1 },
  ),
  ...each(
    ({ diagnostics }) => [diagnostics.simulation],
    {},
    {
      dcsim_sim_time_seconds: ['sim_time_ns', nanoseconds],
      dcsim_sim_speed: 'speed',
      dcsim_sim_paused: 'paused',
      dcsim_sim_steps_total: 'tick',
      dcsim_sim_step_seconds: ['step_ns', nanoseconds],
    },
  ),
  ...each(
    ({ diagnostics }) => [diagnostics.publish],
    {},
    {
      dcsim_mirror_cadence_seconds: ['cadence_ms', milliseconds],
      dcsim_mirror_step_duration_seconds: ['step_ms', milliseconds],
      dcsim_mirror_project_duration_seconds: ['project_ms', milliseconds],
      dcsim_mirror_encode_duration_seconds: ['encode_ms', milliseconds],
      dcsim_mirror_records_encoded: 'records_encoded',
      dcsim_mirror_records: 'records_total',
      dcsim_mirror_sim_lag_seconds: ['lag_ms', milliseconds],
    },
  ),
}

export const expectedFleet: ExpectedFamilies = each(
  ({ diagnostics }) => [diagnostics.counts],
  {},
  {
    dcsim_azs: 'azs',
    dcsim_racks: 'racks',
    dcsim_hosts: 'hosts',
    dcsim_hosts_online: 'hosts_online',
    dcsim_switches: 'switches',
    dcsim_gateways: 'gateways',
    dcsim_appliances: 'appliances',
    dcsim_patch_panels: 'patch_panels',
    dcsim_cables: 'cables',
    dcsim_cables_failed: 'cables_failed',
    dcsim_ports: 'ports',
    dcsim_ports_up: 'ports_up',
    dcsim_host_pools: 'host_pools',
    dcsim_segments: 'segments',
    dcsim_subnets: 'subnets',
    dcsim_customers: 'customers',
    dcsim_prospects: 'prospects',
    dcsim_units: 'units',
    dcsim_units_stranded: 'units_stranded',
    dcsim_units_unplaced: 'units_unplaced',
    dcsim_work_orders_open: 'work_orders_open',
    dcsim_staff: 'staff',
    dcsim_staff_on_shift: 'staff_on_shift',
  },
)
