import type { AlertCase } from './alert-case.ts'
import { atOnce, customerSubject, gatewaySubject, soon } from './subjects.ts'

const scrubberInfo = {
  'dcsim_appliance_info{appliance="3",name="whm-b-ddos1",az="2",zone="Westholm B",kind="DdosScrubber",sku="Bastion D10"}':
    '1x60',
}
const firewallInfo = {
  'dcsim_appliance_info{appliance="1",name="whm-b-fw1",az="2",zone="Westholm B",kind="Firewall",sku="Bastion F10"}':
    '1x60',
}
const opens = '/d/dcsim-security?var-session=s&var-instance=a'

export const securityCases = {
  DcsimCustomerBreached: {
    ...atOnce,
    series: { ...customerSubject.info, 'dcsim_customer_breached{customer="4",tier="Gold"}': '0x3 1x20 0x9' },
    labels: { customer: '4', name: 'Bell Media', severity: 'warning', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Intruders are in the systems of Bell Media (Gold)',
    description:
      'The trust of Bell Media and SLA credits are at stake until they are out. Check who cleans up its units, and what let the intruders in.',
    opens: customerSubject.opens,
  },
  DcsimAttackGetsThrough: {
    series: {
      ...scrubberInfo,
      ...firewallInfo,
      'dcsim_customer_attack_info{customer="4",class="Volumetric"}': '1x60',
      'dcsim_gateway_threat_reaching_bytes_per_second{gateway="2",class="Volumetric"}': '10x60',
      'dcsim_gateway_threat_residual_bytes_per_second{gateway="2",class="Volumetric"}': '10x60',
      // All of it passes the firewall; the scrubber lets four tenths through for a while.
      'dcsim_appliance_threat_reaching_bytes_per_second{appliance="1",class="Volumetric"}': '10x60',
      'dcsim_appliance_threat_residual_bytes_per_second{appliance="1",class="Volumetric"}': '10x60',
      'dcsim_appliance_threat_reaching_bytes_per_second{appliance="3",class="Volumetric"}': '10x60',
      'dcsim_appliance_threat_residual_bytes_per_second{appliance="3",class="Volumetric"}': '0.4x3 4x20 0x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '7m30s',
    labels: { class: 'Volumetric', severity: 'info' },
    summary: 'Defenses let 40% of the traffic flood through',
    description:
      'Check on the Security dashboard of session s which defense is full or off, and add to it. The incident shows whom the attack affects.',
    opens,
  },
  DcsimCustomerUnderAttack: {
    ...atOnce,
    resolvedAt: '7m30s',
    series: {
      ...customerSubject.info,
      'dcsim_customer_attack_info{customer="4",class="Volumetric"}': '_x4 1x20 stale',
    },
    labels: {
      class: 'Volumetric',
      customer: '4',
      name: 'Bell Media',
      severity: 'info',
      subject: 'Bell Media',
      tier: 'Gold',
    },
    summary: 'Bell Media (Gold) is under attack: traffic flood',
    description:
      'The Security dashboard shows how much of the attack on Bell Media each defense stops, and what remains.',
    opens,
  },
  DcsimDefenseNearlyFull: {
    series: {
      ...scrubberInfo,
      'dcsim_appliance_threat_capacity_bytes_per_second{appliance="3",class="Volumetric"}': '10x60',
      'dcsim_appliance_threat_mitigated_bytes_per_second{appliance="3",class="Volumetric"}': '8x3 9x20 1x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '7m30s',
    labels: {
      appliance: '3',
      az: '2',
      class: 'Volumetric',
      name: 'whm-b-ddos1',
      severity: 'info',
      subject: 'whm-b-ddos1',
      zone: 'Westholm B',
    },
    summary: 'Appliance whm-b-ddos1 in Westholm B is at 90% of its mitigation capacity: traffic flood',
    description:
      'Attack traffic beyond the capacity of whm-b-ddos1 gets past it. Check how long the attack lasts, and what else stops it.',
    opens: '/d/dcsim-device?var-session=s&var-instance=a&var-device=whm-b-ddos1',
  },
  DcsimGatewayFirewallOff: {
    series: {
      'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",rack="4",zone="Westholm B",sku="Portcullis G20",form="Rack1U",wan_policy="Single"}':
        '1x60',
      'dcsim_gateway_firewall_enabled{gateway="2",az="2"}': '1x3 0x20 1x9',
    },
    ...soon,
    labels: { ...gatewaySubject.labels, severity: 'warning' },
    summary: 'The firewall of gateway whm-b-gw1 in Westholm B is off',
    description:
      'Traffic that the built-in firewall of whm-b-gw1 blocked now gets through. Switch it on, unless this is intended.',
    opens: gatewaySubject.opens,
  },
} satisfies Record<string, AlertCase>
