import type { AlertCase } from './alert-case.ts'

const poolInfo = { 'dcsim_pool_info{pool="3",name="GPU x86",arch="x86_64",dedicated="false"}': '1x400' }
const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x400' }
const opensPool = '/d/dcsim-compute?var-session=s&var-instance=a&var-pool=3'
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'

/** A decrease of 10 per simulated quarter of an hour is 960 a day: 950 are left from the 66th sample on. */
const fallingFree = '1600-10x85 3000x60'
const risingUse = '400+10x85 0x60'
const times = { silentAt: '18m', firesAt: '18m15s', resolvedAt: '22m' } as const

export const capacityCases = {
  DcsimPoolCpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_cpu_free_vcpus{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 is predicted to run out of CPU within 24 simulated hours',
    description:
      'The forecast extends the present trend of free CPU in pool GPU x86. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
    opens: opensPool,
  },
  DcsimPoolMemoryFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_memory_free_bytes{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 is predicted to run out of memory within 24 simulated hours',
    description:
      'The forecast extends the present trend of free memory in pool GPU x86. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
    opens: opensPool,
  },
  DcsimPoolDiskFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...poolInfo, 'dcsim_pool_disk_free_bytes{pool="3"}': fallingFree },
    labels: { name: 'GPU x86', pool: '3', severity: 'info', subject: 'GPU x86' },
    summary: 'Pool GPU x86 is predicted to run out of disk within 24 simulated hours',
    description:
      'The forecast extends the present trend of free disk in pool GPU x86. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
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
    summary: 'Pool GPU x86 is predicted to run out of GPU slices within 24 simulated hours',
    description:
      'The forecast extends the present trend of free GPU slices in pool GPU x86. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
    opens: opensPool,
  },
  DcsimZoneCpuFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_cpu_free_vcpus{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B is predicted to run out of CPU within 24 simulated hours',
    description:
      'The forecast extends the present trend of free CPU in Westholm B. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
    opens: opensZone,
  },
  DcsimZoneMemoryFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_memory_free_bytes{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B is predicted to run out of memory within 24 simulated hours',
    description:
      'The forecast extends the present trend of free memory in Westholm B. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
    opens: opensZone,
  },
  DcsimZoneDiskFillsUp: {
    ...times,
    resolvedAt: '24m15s',
    series: { ...zoneInfo, 'dcsim_az_disk_free_bytes{az="2"}': fallingFree },
    labels: { az: '2', display_name: 'Westholm B', severity: 'info', subject: 'Westholm B' },
    summary: 'Westholm B is predicted to run out of disk within 24 simulated hours',
    description:
      'The forecast extends the present trend of free disk in Westholm B. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
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
    summary: 'Westholm B is predicted to run out of GPU slices within 24 simulated hours',
    description:
      'The forecast extends the present trend of free GPU slices in Westholm B. Order more, or move what grows elsewhere; the Compute dashboard shows the growth.',
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
    summary: 'Westholm B is predicted to run out of WAN bandwidth within 24 simulated hours',
    description:
      'The forecast extends the present trend of free WAN bandwidth in Westholm B. Order more, or move what grows elsewhere; the Network dashboard shows the growth.',
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
      'In Westholm B, 5 units are on hosts that cannot serve them: customers pay for them and get nothing. Bring the hosts back, or make room for the units elsewhere.',
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
      'Customers of session s ordered these units. Add the missing capacity: until then the growth earns nothing.',
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
      'These hosts of pool GPU x86 have more CPU demand than CPU: units on them are slow. Add hosts, or move the largest units elsewhere.',
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
      'The hosts reserved for segment gold-west have only 4% of their CPU or memory left: its members cannot grow. Reserve another host.',
    opens: '/d/dcsim-compute?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
