import type { AlertCase } from '../alert-case.ts'

const poolInfo = { 'dcsim_pool_info{pool="3",name="GPU x86",arch="x86_64",dedicated="false"}': '1x400' }
const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x400' }
const opensPool = '/d/dcsim-compute?var-session=s&var-instance=a&var-pool=3'
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'

/** Ten less each quarter of an hour of the game are 960 less a day: 950 are left from the 66th sample on. */
const fallingFree = '1600-10x85 3000x60'
const risingUse = '400+10x85 0x60'
const times = { silentAt: '18m', firesAt: '18m15s', resolvedAt: '22m' } as const

export const capacityCases = {
  DcsimPoolCpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_cpu_free_vcpus{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 runs out of CPU within 24 game hours',
    description:
      'Pool GPU x86 runs out of CPU within 24 game hours at the present trend. Order CPU, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensPool,
  },
  DcsimPoolMemoryFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_memory_free_bytes{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 runs out of memory within 24 game hours',
    description:
      'Pool GPU x86 runs out of memory within 24 game hours at the present trend. Order memory, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensPool,
  },
  DcsimPoolDiskFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_disk_free_bytes{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 runs out of disk within 24 game hours',
    description:
      'Pool GPU x86 runs out of disk within 24 game hours at the present trend. Order disk, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensPool,
  },
  DcsimPoolGpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: {
      ...poolInfo,
      'dcsim_pool_gpu_slices{pool="3"}': '2000x200',
      'dcsim_pool_gpu_slices_used{pool="3"}': risingUse,
    },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 runs out of GPU slices within 24 game hours',
    description:
      'Pool GPU x86 runs out of GPU slices within 24 game hours at the present trend. Order GPU slices, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensPool,
  },
  DcsimZoneCpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_cpu_free_vcpus{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B runs out of CPU within 24 game hours',
    description:
      'Westholm B runs out of CPU within 24 game hours at the present trend. Order CPU, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensZone,
  },
  DcsimZoneMemoryFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_memory_free_bytes{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B runs out of memory within 24 game hours',
    description:
      'Westholm B runs out of memory within 24 game hours at the present trend. Order memory, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensZone,
  },
  DcsimZoneDiskFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_disk_free_bytes{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B runs out of disk within 24 game hours',
    description:
      'Westholm B runs out of disk within 24 game hours at the present trend. Order disk, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensZone,
  },
  DcsimZoneGpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: {
      ...zoneInfo,
      'dcsim_az_gpu_slices{az="2"}': '2000x200',
      'dcsim_az_gpu_slices_used{az="2"}': risingUse,
    },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B runs out of GPU slices within 24 game hours',
    description:
      'Westholm B runs out of GPU slices within 24 game hours at the present trend. Order GPU slices, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: opensZone,
  },
  DcsimZoneWanFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: {
      ...zoneInfo,
      'dcsim_az_wan_capacity_bytes_per_second{az="2"}': '2000x200',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': risingUse,
    },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B runs out of WAN bandwidth within 24 game hours',
    description:
      'Westholm B runs out of WAN bandwidth within 24 game hours at the present trend. Order WAN bandwidth, or move what grows elsewhere; the Compute dashboard shows since when it has grown.',
    opens: '/d/dcsim-network?var-session=s&var-instance=a&var-zone=2',
  },
  DcsimUnitsStranded: {
    series: { ...zoneInfo, 'dcsim_az_units_stranded{az="2"}': '0x3 5x20 0x9' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { az: '2', display_name: 'Westholm B', severity: 'warning', subject: 'Westholm B' },
    summary: '5 units stranded in Westholm B',
    description:
      'In Westholm B, 5 units are on hosts that cannot serve them: the customers get nothing for them. Get the hosts back, or room for the units elsewhere.',
    opens: opensZone,
  },
  DcsimUnitsUnplaced: {
    series: { 'dcsim_units_unplaced_by_lack{lacking="no_vcpu"}': '0x3 4x20 0x9' },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '6m15s',
    labels: { lacking: 'no_vcpu', severity: 'info' },
    summary: '4 units wait for a host: no host has enough CPU',
    description:
      'In session s, 4 units that customers ordered wait for a host: no host has enough CPU. Add what is lacking; until then their growth brings nothing.',
    opens: '/d/dcsim-compute?var-session=s&var-instance=a',
  },
  DcsimPoolContended: {
    series: {
      ...poolInfo,
      'dcsim_pool_hosts{pool="3"}': '20x60',
      'dcsim_pool_hosts_contended{pool="3"}': '2x3 3x20 2x9',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: '15% of the hosts in pool GPU x86 are contended',
    description:
      'In pool GPU x86, 15% of the hosts have more CPU demand than CPU: units there are slow. Add hosts, or move the largest units elsewhere.',
    opens: opensPool,
  },
  DcsimSegmentFull: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    series: {
      'dcsim_segment_info{segment="6",name="gold-west"}': '1x60',
      'dcsim_segment_dedicated_cpu_vcpus{segment="6"}': '200x60',
      'dcsim_segment_dedicated_cpu_free_vcpus{segment="6"}': '90x3 8x20 90x30',
    },
    labels: { name: 'gold-west', segment: '6', severity: 'info', subject: 'gold-west' },
    summary: 'Segment gold-west is nearly full',
    description:
      'The hosts reserved for segment gold-west have 4% of their CPU or memory left, whichever it is: its members cannot grow. Reserve another host.',
    opens: '/d/dcsim-compute?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
