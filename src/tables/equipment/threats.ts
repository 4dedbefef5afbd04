import type { ApplianceRecord, GatewayRecord, ThreatRecord } from '../../contract/collections.ts'
import { bool, defineRecord, nullable, oneOf, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { entityWords, threatUnitWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  asPercent,
  percentOf,
  placeColumns,
  severityColumn,
} from '../columns.ts'
import { placeCells, placeFilters } from '../places.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { RowState } from './hosts.ts'

interface Defense {
  readonly kind: 'Gateway' | 'Appliance'
  readonly device: GatewayRecord | ApplianceRecord
  readonly threat: ThreatRecord
}

function conditionOf({ threat }: Defense): RowState {
  if (threat.residual > 0 && threat.defense_capable) return { state: 'attacks get through', severity: 4 }
  if ((percentOf(threat.mitigated, threat.capacity) ?? 0) >= asPercent(thresholds.defenseLoadHigh))
    return { state: 'nearly full', severity: 3 }
  if (threat.mitigated > 0) return { state: 'stopping attacks', severity: 1 }
  if (threat.reaching > 0) return { state: 'passes on', severity: 1 }
  return threat.defense_capable ? { state: 'quiet', severity: 0 } : { state: 'no defense', severity: 0 }
}

const deviceFilter = (kind: Defense['kind']) => ({
  meaning: `Id or name of ${kind === 'Gateway' ? 'a gateway' : 'an appliance'}.`,
  values: ({ kind: own, device }: Defense) => (own === kind ? [device.id, device.display_name_plain] : []),
})

export const threats = defineTable({
  name: 'threats',
  meaning: 'Hostile traffic at gateways and appliances, one row a device and class of attack.',
  row: defineRecord('ThreatRow', 'Hostile traffic of one class at a device.', {
    device_kind: oneOf(['gateway', 'appliance'], 'What kind of device.'),
    device_id: idColumn('device among its kind'),
    device: str('Name of the device.'),
    severity: severityColumn,
    state: str('What the device does about it, in words.'),
    class: str('Class of attack, in words.'),
    class_detail: str('The same as engineers call it.'),
    reaching: amount('What arrives here, in the unit of the row.', 'as_stated'),
    stopped: amount('What is stopped here.', 'as_stated'),
    remainder: amount('What gets through.', 'as_stated'),
    capacity: amount('What can be stopped here at most.', 'as_stated'),
    used_pct: amountOrNone('Stopped, of what can be stopped.', 'pct'),
    unit: nullable(str('Unit of the four figures.')),
    defends: bool('Whether the device can stop this class at all.'),
    ...placeColumns,
  }),
  reads: ['gateways', 'appliances', 'azs'],
  items: ({ records }: TableWorld): readonly Defense[] => [
    ...records
      .all('gateways')
      .flatMap((device) => device.threats.map((threat) => ({ kind: 'Gateway' as const, device, threat }))),
    ...records
      .all('appliances')
      .flatMap((device) => device.threats.map((threat) => ({ kind: 'Appliance' as const, device, threat }))),
  ],
  filters: {
    device: { meaning: 'Name of a device.', values: ({ device }) => [device.display_name_plain] },
    gateway: deviceFilter('Gateway'),
    appliance: deviceFilter('Appliance'),
    class: { meaning: 'Class of attack.', values: ({ threat }) => [threat.class, threat.label] },
    severity: { meaning: 'Its severity, 0 to 4.', values: (defense) => [conditionOf(defense).severity] },
    ...placeFilters(({ device }: Defense) => device),
  },
  toRow(defense, world) {
    const { kind, device, threat } = defense
    const { severity, state } = conditionOf(defense)
    return {
      device_kind: entityWords(kind) as 'gateway' | 'appliance',
      device_id: idText(device.id),
      device: device.display_name_plain,
      severity,
      state,
      class: threat.label,
      class_detail: threat.label_eng,
      reaching: threat.reaching,
      stopped: threat.mitigated,
      remainder: threat.residual,
      capacity: threat.capacity,
      used_pct: percentOf(threat.mitigated, threat.capacity),
      unit: threatUnitWords(threat.unit),
      defends: threat.defense_capable,
      ...placeCells(device, world),
    }
  },
})
