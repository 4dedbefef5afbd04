import { by, compare, share } from '../../promql/expressions.ts'
import { link, preservedQueryParams } from '../layout/links.ts'
import { gauge, withNames, gaugeSum } from '../queries/series.ts'
import type { GaugeWith } from '../queries/series.ts'
import { instantQuery } from '../queries/targets.ts'
import { attention, fallingSteps, noneExpected, okColor, unit } from '../style/look.ts'
import { texts } from '../style/states.ts'
import { cpuSteps, hostsOnlineSteps } from '../style/threshold-steps.ts'
import { stat } from '../visualizations/stat.ts'
import { table } from '../visualizations/tables.ts'
import { displayThresholds } from '../../src/contract/thresholds.ts'

const routeTexts = texts({ 1: ['Announced', okColor], 0: ['Withdrawn', attention] })

const of = (name: GaugeWith<'az'>) => by('max', gauge<typeof name>(name), ['az'])
const count = (name: GaugeWith<'az'>, title: string, width = 90) =>
  ({ expr: of(name), title, unit: unit.number, width }) as const

const zoneName = {
  label: 'display_name',
  title: 'Zone',
  links: [
    link(
      'Show its racks',
      `/d/dcsim-floor/floor?${preservedQueryParams}&var-instance=\${__data.fields.instance}&var-zone=\${__data.fields.az}`,
    ),
  ],
}

/** Zones side by side. It needs no plugin, and also shows the past. */
export const zonesPanel = table({
  title: 'Zones',
  description: 'How each zone is doing and whom it serves. Health: 100 % when all works.',
  labels: [
    zoneName,
    { label: 'az', title: 'Id', hidden: true },
    { label: 'state', title: 'State', width: 90 },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(compare(gauge('dcsim_az_status'), '==', 1), 'dcsim_az_info', ['az'], ['display_name']),
        ['az', 'display_name', 'state'],
      ),
      title: 'In state',
      hidden: true,
    },
    {
      expr: of('dcsim_az_health_ratio'),
      title: 'Health',
      unit: unit.share,
      decimals: 1,
      width: 75,
      steps: fallingSteps(displayThresholds.zoneHealthDegraded, displayThresholds.zoneHealthImpaired),
    },
    { ...count('dcsim_az_incidents_active', 'Incidents'), steps: noneExpected },
    {
      expr: share(
        by('max', gauge('dcsim_az_hosts_online'), ['az']),
        by('max', gauge('dcsim_az_hosts'), ['az']),
      ),
      title: 'Hosts online',
      unit: unit.share,
      decimals: 1,
      width: 100,
      steps: hostsOnlineSteps,
    },
    {
      expr: share(
        by('max', gauge('dcsim_az_cpu_used_vcpus'), ['az']),
        by('max', gauge('dcsim_az_cpu_physical_vcpus'), ['az']),
      ),
      title: 'CPU used',
      unit: unit.share,
      decimals: 0,
      width: 85,
      steps: cpuSteps,
    },
    { expr: of('dcsim_az_bgp_advertising'), title: 'Routes', mappings: routeTexts, width: 95 },
    {
      expr: by('max', gauge('dcsim_az_cooling_status', { state: 'Normal' }), ['az']),
      title: 'Cooling',
      mappings: texts({ 1: ['Normal', okColor], 0: ['Short', attention] }),
      width: 75,
    },
    count('dcsim_az_customers', 'Customers'),
    count('dcsim_az_units', 'Units', 60),
    { ...count('dcsim_az_units_stranded', 'Stranded'), steps: noneExpected },
  ],
  sortBy: 'Zone',
  ascending: true,
})

/** The equipment of each zone. */
export const equipmentPanel = table({
  title: 'Equipment of zones',
  description: 'What stands in each zone.',
  labels: [zoneName, { label: 'az', title: 'Id', hidden: true }],
  values: [
    {
      ...count('dcsim_az_racks', 'Racks', 150),
      expr: by('max', withNames(gauge('dcsim_az_racks'), 'dcsim_az_info', ['az'], ['display_name']), [
        'az',
        'display_name',
      ]),
    },
    count('dcsim_az_switches', 'Switches', 150),
    count('dcsim_az_gateways', 'Gateways', 150),
    count('dcsim_az_appliances', 'Appliances', 150),
    count('dcsim_az_patch_panels', 'Patch panels', 150),
  ],
  sortBy: 'Zone',
  ascending: true,
})

/** The inventory of the world. */
export const inventory = stat({
  title: 'Inventory',
  description: 'How much there is of everything: how large the world is, not how it is doing.',
  unit: unit.number,
  withName: true,
  targets: [
    instantQuery(gaugeSum('dcsim_azs'), 'Zones'),
    instantQuery(gaugeSum('dcsim_racks'), 'Racks'),
    instantQuery(gaugeSum('dcsim_hosts'), 'Hosts'),
    instantQuery(gaugeSum('dcsim_host_pools'), 'Pools'),
    instantQuery(gaugeSum('dcsim_switches'), 'Switches'),
    instantQuery(gaugeSum('dcsim_gateways'), 'Gateways'),
    instantQuery(gaugeSum('dcsim_appliances'), 'Appliances'),
    instantQuery(gaugeSum('dcsim_patch_panels'), 'Patch panels'),
    instantQuery(gaugeSum('dcsim_cables'), 'Cables'),
    instantQuery(gaugeSum('dcsim_ports'), 'Ports'),
    instantQuery(gaugeSum('dcsim_subnets'), 'Subnets'),
    instantQuery(gaugeSum('dcsim_segments'), 'Segments'),
  ],
})
