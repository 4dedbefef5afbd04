import type { ApplianceRecord, GatewayRecord, ThreatRecord } from '../../contract/collections.ts'
import { BuiltinFirewallSchema } from '../../contract/records/network.ts'
import { ThreatSchema } from '../../contract/records/shared.ts'
import { threatUnits } from '../../contract/vocabularies.ts'
import { conversions } from '../declaration/base-units.ts'
import type { Conversion } from '../declaration/base-units.ts'
import { familiesOf } from '../declaration/family.ts'
import type { Family } from '../declaration/family.ts'
import { rowPerPart } from '../declaration/labeled-rows.ts'

export const packetsPerSecond = { unit: 'packets_per_second', factor: 1 } as const

/** The base unit of each unit in which the contract counts hostile traffic, one for each class. */
const baseUnitOf = {
  gbps: { ...conversions.gbps, unit: 'bytes_per_second' },
  mpps: { unit: 'packets_per_second', factor: 1e6 },
  krps: { unit: 'requests_per_second', factor: 1e3 },
  attempts_per_second: { unit: 'attempts_per_second', factor: 1 },
  probes_per_second: { unit: 'probes_per_second', factor: 1 },
} as const satisfies Record<(typeof threatUnits)[number], Conversion>

export type ThreatUnit = (typeof baseUnitOf)[keyof typeof baseUnitOf]['unit']
export const threatBaseUnits: readonly ThreatUnit[] = threatUnits.map((unit) => baseUnitOf[unit].unit)

const amounts = ['reaching', 'mitigated', 'residual', 'capacity'] as const
type Amount = (typeof amounts)[number]

interface GaugesInUnit<L extends string> {
  gaugeIn(conversion: Conversion, amount: Amount): Family<L>
}

/**
 * A family for each amount and unit. Traffic in a unit that the contract does not know, which an upstream may send, is
 * in none of them.
 */
function perUnit<P extends string, L extends string>(
  prefix: P,
  countedIn: (unit: string) => GaugesInUnit<L>,
): Readonly<Record<`${P}_${Amount}_${ThreatUnit}`, Family<L>>> {
  const declared = threatUnits.flatMap((unit) => {
    const conversion = baseUnitOf[unit]
    const gauges = countedIn(unit)
    return amounts.map((amount) => [
      `${prefix}_${amount}_${conversion.unit}`,
      gauges.gaugeIn(conversion, amount),
    ])
  })
  return Object.fromEntries(declared) as Record<`${P}_${Amount}_${ThreatUnit}`, Family<L>>
}

const threatClass = { class: (threat: ThreatRecord) => threat.class }
const firewallLabels = {
  gateway: (_: unknown, device: GatewayRecord) => device.id,
  class: (firewall: GatewayRecord['builtin_firewall']) => firewall.class_label,
}
const firewall = familiesOf(
  BuiltinFirewallSchema,
  rowPerPart('threats', 'gateways', (device) => [device.builtin_firewall], firewallLabels),
)

export const threatFamilies = {
  ...perUnit('dcsim_gateway_threat', (unit) =>
    familiesOf(
      ThreatSchema,
      rowPerPart('threats', 'gateways', ({ threats }) => threats.filter((threat) => threat.unit === unit), {
        gateway: (_: ThreatRecord, device: GatewayRecord) => device.id,
        ...threatClass,
      }),
    ),
  ),
  dcsim_gateway_firewall_dropped_packets_per_second: firewall.gaugeIn(packetsPerSecond, 'dropped_per_sec'),
  ...perUnit('dcsim_appliance_threat', (unit) =>
    familiesOf(
      ThreatSchema,
      rowPerPart('threats', 'appliances', ({ threats }) => threats.filter((threat) => threat.unit === unit), {
        appliance: (_: ThreatRecord, device: ApplianceRecord) => device.id,
        ...threatClass,
      }),
    ),
  ),
}
