import type { ApplianceRecord, GatewayRecord, ThreatRecord } from '../../../contract/collections.ts'
import { nullable, num, str } from '../../../contract/fields.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { threatUnitWords } from '../../../words/vocabulary.ts'
import { amountOrNone, asPercent, percentOf, severityFilter, stateColumns } from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { placeColumns, placeFilters } from '../places.ts'
import { column, defineTable } from '../../engine/table.ts'

interface Defender {
  readonly kind: 'gateway' | 'appliance'
  readonly device: GatewayRecord | ApplianceRecord
}

interface Defense extends Defender {
  readonly threat: ThreatRecord
}

const usedPct = ({ threat }: Defense): number | null => percentOf(threat.mitigated, threat.capacity)

export function defenseCondition(defense: Defense): RowState {
  const { threat } = defense
  if (threat.residual > 0 && threat.defense_capable) return { state: 'attacks get past it', severity: 4 }
  if ((usedPct(defense) ?? 0) >= asPercent(thresholds.defenseLoadHigh))
    return { state: 'nearly full', severity: 3 }
  if (threat.mitigated > 0) return { state: 'stopping attacks', severity: 1 }
  if (threat.reaching > 0) return { state: 'passes on', severity: 1 }
  return threat.defense_capable ? { state: 'quiet', severity: 0 } : { state: 'no defense', severity: 0 }
}

const deviceFilter = (wanted: Defender['kind']) => ({
  meaning: `Id or name of ${wanted === 'gateway' ? 'a gateway' : 'an appliance'}.`,
  values: ({ kind, device }: Defense) => (kind === wanted ? [device.id, device.display_name_plain] : []),
})

export const threats = defineTable<Defense, Defender>({
  name: 'threats',
  meaning: 'Hostile traffic at gateways and appliances, one row a device and class of attack.',
  row: ['ThreatRow', 'Hostile traffic of one class at a device.'],
  worldParts: ['gateways', 'appliances'],
  entities: ({ records }) => [
    ...records.all('gateways').map((device) => ({ kind: 'gateway' as const, device })),
    ...records.all('appliances').map((device) => ({ kind: 'appliance' as const, device })),
  ],
  itemsOf: ({ kind, device }) => device.threats.map((threat) => ({ kind, device, threat })),
  filters: {
    device: { meaning: 'Name of a device.', values: ({ device }) => [device.display_name_plain] },
    gateway: deviceFilter('gateway'),
    appliance: deviceFilter('appliance'),
    class: { meaning: 'Class of attack.', values: ({ threat }) => [threat.class, threat.label] },
    ...severityFilter(defenseCondition),
    ...placeFilters(({ device }: Defense) => device),
  },
  columns: {
    device: column(str('Name of the device.'), ({ device }) => device.display_name_plain),
    ...stateColumns(defenseCondition, 'What the device does about it, in words.'),
    class: column(str('Class of attack, in words.'), ({ threat }) => threat.label),
    reaching: column(
      num('What arrives here, in the unit of the row.', 'as_stated'),
      ({ threat }) => threat.reaching,
    ),
    stopped: column(num('What is stopped here.', 'as_stated'), ({ threat }) => threat.mitigated),
    remainder: column(num('What gets through.', 'as_stated'), ({ threat }) => threat.residual),
    capacity: column(num('What can be stopped here at most.', 'as_stated'), ({ threat }) => threat.capacity),
    used_pct: column(amountOrNone('Stopped, of what can be stopped.', 'pct'), usedPct),
    unit: column(nullable(str('Unit of the four figures.')), ({ threat }) => threatUnitWords(threat.unit)),
    ...placeColumns(({ device }: Defense) => device),
  },
})
