import type { AlertCase } from '../alert-case.ts'

const poolInfo = { 'dcsim_pool_info{pool="3",name="GPU x86",arch="x86_64",dedicated="false"}': '1x400' }
const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x400' }
const ofPool = { severity: 'info', pool: '3', name: 'GPU x86' }
const ofZone = { severity: 'info', az: '2', display_name: 'Westholm B' }
const opensPool = '/d/dcsim-compute?var-session=s&var-instance=a&var-pool=3'
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'

/** Ten less each quarter of an hour of the game are 960 less a day: 950 are left from the 66th sample on. */
const fallingFree = '1600-10x85 3000x60'
const risingUse = '400+10x85 0x60'
const times = { silentAt: '18m', firesAt: '18m15s', resolvedAt: '22m' } as const

export const capacityCases = {
  DcsimPoolCpuFillsUp: {
    ...times,
    series: { ...poolInfo, 'dcsim_pool_cpu_free_vcpus{pool="3"}': fallingFree },
    labels: ofPool,
    description:
      'Pool GPU x86: at the present trend, no CPU will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensPool,
  },
  DcsimPoolMemoryFillsUp: {
    ...times,
    series: { ...poolInfo, 'dcsim_pool_memory_free_bytes{pool="3"}': fallingFree },
    labels: ofPool,
    description:
      'Pool GPU x86: at the present trend, no memory will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensPool,
  },
  DcsimPoolDiskFillsUp: {
    ...times,
    series: { ...poolInfo, 'dcsim_pool_disk_free_bytes{pool="3"}': fallingFree },
    labels: ofPool,
    description:
      'Pool GPU x86: at the present trend, no disk will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensPool,
  },
  DcsimPoolGpuFillsUp: {
    ...times,
    series: {
      ...poolInfo,
      'dcsim_pool_gpu_slices{pool="3"}': '2000x200',
      'dcsim_pool_gpu_slices_used{pool="3"}': risingUse,
    },
    labels: ofPool,
    description:
      'Pool GPU x86: at the present trend, no GPU slices will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensPool,
  },
  DcsimZoneCpuFillsUp: {
    ...times,
    series: { ...zoneInfo, 'dcsim_az_cpu_free_vcpus{az="2"}': fallingFree },
    labels: ofZone,
    description:
      'Zone Westholm B: at the present trend, no CPU will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneMemoryFillsUp: {
    ...times,
    series: { ...zoneInfo, 'dcsim_az_memory_free_bytes{az="2"}': fallingFree },
    labels: ofZone,
    description:
      'Zone Westholm B: at the present trend, no memory will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneDiskFillsUp: {
    ...times,
    series: { ...zoneInfo, 'dcsim_az_disk_free_bytes{az="2"}': fallingFree },
    labels: ofZone,
    description:
      'Zone Westholm B: at the present trend, no disk will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneGpuFillsUp: {
    ...times,
    series: {
      ...zoneInfo,
      'dcsim_az_gpu_slices{az="2"}': '2000x200',
      'dcsim_az_gpu_slices_used{az="2"}': risingUse,
    },
    labels: ofZone,
    description:
      'Zone Westholm B: at the present trend, no GPU slices will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneWanFillsUp: {
    ...times,
    series: {
      ...zoneInfo,
      'dcsim_az_wan_capacity_bytes_per_second{az="2"}': '2000x200',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': risingUse,
    },
    labels: ofZone,
    description:
      'Zone Westholm B: at the present trend, no bandwidth of WAN links will be left in 24 hours of the game. It has been so for 2m of real time or longer.',
    opens: '/d/dcsim-network?var-session=s&var-instance=a&var-zone=2',
  },
  DcsimUnitsStranded: {
    series: { ...zoneInfo, 'dcsim_az_units_stranded{az="2"}': '0x3 5x20 0x9' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { ...ofZone, severity: 'warning' },
    description:
      'In zone Westholm B, 5 units lie on hosts that cannot serve them. It has been so for 1m of real time or longer.',
    opens: opensZone,
  },
  DcsimUnitsUnplaced: {
    series: { 'dcsim_units_unplaced_by_lack{lacking="no_vcpu"}': '0x3 4x20 0x9' },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '6m15s',
    labels: { severity: 'info', lacking: 'no_vcpu' },
    description:
      '4 units of a wait for a place. What is lacking: no_vcpu. It has been so for 2m of real time or longer.',
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
    labels: ofPool,
    description:
      'In pool GPU x86, 15% of the hosts are contended or starved. It has been so for 1m of real time or longer.',
    opens: opensPool,
  },
} satisfies Record<string, AlertCase>
