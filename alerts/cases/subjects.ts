/** The subjects of several cases: info series, the labels that an alert takes from it, and dashboard. */

export const zoneSubject = {
  info: { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' },
  labels: { az: '2', display_name: 'Westholm B', subject: 'Westholm B' },
} as const

export const hostSubject = {
  info: {
    'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",rack_name="B-04",zone="Westholm B",pool="3",sku="Heron M2-64",arch="x86_64"}':
      '1x60',
  },
  labels: {
    az: '2',
    host: '7',
    name: 'whm-b-b04-u01',
    rack: '4',
    rack_name: 'B-04',
    subject: 'whm-b-b04-u01',
    zone: 'Westholm B',
  },
  opens: '/d/dcsim-host?var-session=s&var-instance=a&var-host=7',
} as const

export const switchSubject = {
  info: {
    'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",zone="Westholm B",role="core",sku="Lattice C9"}':
      '1x60',
  },
  labels: {
    az: '2',
    name: 'whm-b-core1',
    rack: '4',
    role: 'core',
    subject: 'whm-b-core1',
    switch: '9',
    zone: 'Westholm B',
  },
  opens: '/d/dcsim-device?var-session=s&var-instance=a&var-device=whm-b-core1',
} as const

export const gatewaySubject = {
  info: {
    'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",rack="4",zone="Westholm B",sku="Portcullis G20",form="Rack1U",wan_policy="ActiveActive"}':
      '1x60',
  },
  labels: { az: '2', gateway: '2', name: 'whm-b-gw1', subject: 'whm-b-gw1', zone: 'Westholm B' },
  opens: '/d/dcsim-device?var-session=s&var-instance=a&var-device=whm-b-gw1',
} as const

export const linkSubject = {
  info: {
    'dcsim_link_info{link="31",kind="Fiber",a="Switch/1",b="Switch/13",name="whm-b-core1–whm-b-b03-edge1",port="Eth1/3",az="2",zone="Westholm B"}':
      '1x60',
  },
  labels: {
    az: '2',
    kind: 'Fiber',
    link: '31',
    name: 'whm-b-core1–whm-b-b03-edge1',
    port: 'Eth1/3',
    subject: 'whm-b-core1–whm-b-b03-edge1',
    zone: 'Westholm B',
  },
} as const

export const customerSubject = {
  info: {
    'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}':
      '1x60',
  },
  opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
} as const

/**
 * Times of a condition that lasts from the first minute to the sixth: for an alert without `for`, and for one with a
 * short `for`.
 */
export const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s' } as const
export const soon = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const
