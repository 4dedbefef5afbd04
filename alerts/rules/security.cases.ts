import type { AlertCase } from '../alert-case.ts'

const customerInfo = {
  'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}':
    '1x60',
}
const scrubberInfo = {
  'dcsim_appliance_info{appliance="3",name="whm-b-ddos1",az="2",kind="DdosScrubber",sku="Bastion D10"}':
    '1x60',
}
const firewallInfo = {
  'dcsim_appliance_info{appliance="1",name="whm-b-fw1",az="2",kind="Firewall",sku="Bastion F10"}': '1x60',
}
const opens = '/d/dcsim-security?var-session=s&var-instance=a'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s' } as const

export const securityCases = {
  DcsimCustomerBreached: {
    ...atOnce,
    series: { ...customerInfo, 'dcsim_customer_breached{customer="4",tier="Gold"}': '0x3 1x20 0x9' },
    labels: { severity: 'critical', customer: '4', name: 'Bell Media', tier: 'Gold' },
    description: 'Intruders got into the systems of Bell Media (Gold) and are not out yet.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
  DcsimAttackGetsThrough: {
    series: {
      ...scrubberInfo,
      ...firewallInfo,
      'dcsim_customer_attack{customer="4",class="Volumetric"}': '1x60',
      'dcsim_gateway_threat_reaching{gateway="2",class="Volumetric",unit="gbps"}': '10x60',
      'dcsim_gateway_threat_residual{gateway="2",class="Volumetric",unit="gbps"}': '10x60',
      // All of it passes the firewall; of what the scrubber meets, four tenths get through for a while.
      'dcsim_appliance_threat_reaching{appliance="1",class="Volumetric",unit="gbps"}': '10x60',
      'dcsim_appliance_threat_residual{appliance="1",class="Volumetric",unit="gbps"}': '10x60',
      'dcsim_appliance_threat_reaching{appliance="3",class="Volumetric",unit="gbps"}': '10x60',
      'dcsim_appliance_threat_residual{appliance="3",class="Volumetric",unit="gbps"}': '0.4x3 4x20 0x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { severity: 'critical', class: 'Volumetric' },
    description:
      'Of the Volumetric attack on customers of a, 40% gets through all defences. It has been so for 10s of real time or longer.',
    opens,
  },
  DcsimCustomerUnderAttack: {
    ...atOnce,
    series: {
      ...customerInfo,
      'dcsim_customer_attack{customer="4",class="Volumetric"}': '_x4 1x20 stale',
    },
    labels: { severity: 'info', customer: '4', name: 'Bell Media', tier: 'Gold', class: 'Volumetric' },
    description: 'Bell Media (Gold) is under attack. Class of the attack: Volumetric.',
    opens,
  },
  DcsimDefenceNearlyFull: {
    series: {
      ...scrubberInfo,
      'dcsim_appliance_threat_capacity{appliance="3",class="Volumetric",unit="gbps"}': '10x60',
      'dcsim_appliance_threat_mitigated{appliance="3",class="Volumetric",unit="gbps"}': '8x3 9x20 1x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: {
      severity: 'warning',
      appliance: '3',
      az: '2',
      name: 'whm-b-ddos1',
      class: 'Volumetric',
      unit: 'gbps',
    },
    description:
      'whm-b-ddos1 in zone 2 is at 90% of what it can stop of class Volumetric. It has been so for 10s of real time or longer.',
    opens: '/d/dcsim-security?var-session=s&var-instance=a',
  },
  DcsimGatewayFirewallOff: {
    series: {
      'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",sku="Portcullis G20",form="Rack1U",wan_policy="Single"}':
        '1x60',
      'dcsim_gateway_firewall_enabled{gateway="2",az="2"}': '1x3 0x20 1x9',
    },
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '6m15s',
    labels: { severity: 'warning', gateway: '2', az: '2', name: 'whm-b-gw1' },
    description:
      'The built-in firewall of gateway whm-b-gw1 in zone 2 is switched off. It has been so for 20s of real time or longer.',
    opens: '/d/dcsim-security?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
