import type { CableRecord, PortRecord } from '../../contract/collections.ts'
import { defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { entityWords, plainWords } from '../../words/vocabulary.ts'
import { amount, amountOrNone, idColumn, idOrNone, severityColumn } from '../columns.ts'
import { zoneOf, zoneValues } from '../places.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { DeviceRecord, TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { RowState } from './hosts.ts'
import { loadPct, portCondition } from './ports.ts'

type CableEnd = CableRecord['a']

const deviceOf = (end: CableEnd, world: TableWorld): DeviceRecord | undefined =>
  end === null ? undefined : world.device(end.device_kind, end.device_id)

function portOf(end: CableEnd, world: TableWorld): PortRecord | undefined {
  const port = deviceOf(end, world)?.ports.find(({ port_id }) => port_id === end?.port_id)
  return port
}

/** The ends that are ports of the world; upstream has none. */
const portsOf = ({ a, b }: CableRecord, world: TableWorld): readonly PortRecord[] =>
  [a, b].map((end) => portOf(end, world)).filter((port) => port !== undefined)

function linkCondition(cable: CableRecord, world: TableWorld): RowState {
  if (cable.is_failed) return { state: 'cut', severity: 4 }
  if (cable.dangling_end !== null) return { state: 'not plugged in', severity: 1 }
  const conditions = portsOf(cable, world).map(portCondition)
  const [worst] = conditions.toSorted((one, other) => other.severity - one.severity)
  return worst ?? { state: 'up', severity: 0 }
}

const endColumns = (end: string) => ({
  [`${end}_kind`]: nullable(str(`What kind of device is at end ${end}, in words.`)),
  [`${end}_id`]: idOrNone(`device at end ${end}`),
})

export const links = defineTable({
  name: 'links',
  meaning: 'Cables in the order of their ids, with the state and the load of their ports.',
  row: defineRecord('LinkRow', 'A cable between two ports.', {
    cable_id: idColumn('cable'),
    link: str('Devices and ports at its two ends.'),
    severity: severityColumn,
    state: str('How it is doing, in words.'),
    kind: str('Build, in words.'),
    a: str('Device and port at the first end.'),
    b: str('Device and port at the second end.'),
    ...endColumns('a'),
    ...endColumns('b'),
    capacity_gbps: amountOrNone('What it carries in each direction.', 'gbps'),
    a_to_b_gbps: amountOrNone('Traffic from the first end to the second.', 'gbps'),
    b_to_a_gbps: amountOrNone('Traffic from the second end to the first.', 'gbps'),
    load_pct: amountOrNone('Load of the fuller direction.', 'pct'),
    errors: int('Frames lost to errors at its ports.'),
    flaps: int('How often it went down and came back.'),
    length_m: amount('Length.', 'm'),
    color: str('Color of the jacket.'),
    group_id: idOrNone('link aggregation group'),
    zone_id: idOrNone('zone'),
    zone: nullable(str('Name of the zone.')),
  }),
  reads: ['azs', 'gateways', 'switches', 'appliances', 'patchPanels', 'hosts', 'cables'],
  items: ({ records }: TableWorld) => records.all('cables'),
  filters: {
    cable: { meaning: 'Id of a cable.', values: ({ id }) => [id] },
    device: {
      meaning: 'Name of a device at one end.',
      values: ({ a, b }, world) =>
        [a, b].map((end) => {
          const device = deviceOf(end, world)
          return device === undefined ? null : world.nameOfDevice(device)
        }),
    },
    state: {
      meaning: 'State in words, such as cut.',
      values: (cable, world) => [linkCondition(cable, world).state],
    },
    severity: {
      meaning: 'Its severity, 0 to 4.',
      values: (cable, world) => [linkCondition(cable, world).severity],
    },
    zone: {
      meaning: 'Id or name of a zone.',
      values: ({ a, b }, world) =>
        [a, b].flatMap((end) => {
          const device = deviceOf(end, world)
          return device === undefined ? [] : zoneValues(zoneOf(device, world))
        }),
    },
  },
  toRow(cable, world) {
    const { severity, state } = linkCondition(cable, world)
    const [first, second] = [portOf(cable.a, world), portOf(cable.b, world)]
    const near = first ?? second
    const device = deviceOf(cable.a, world) ?? deviceOf(cable.b, world)
    const zone = device === undefined ? undefined : zoneOf(device, world)
    const [a, b] = endNames(cable, world)
    return {
      cable_id: idText(cable.id),
      link: `${a} – ${b}`,
      severity,
      state,
      kind: plainWords(cable.kind),
      a,
      b,
      a_kind: cable.a === null ? null : entityWords(cable.a.device_kind),
      a_id: idOrNull(cable.a?.device_id),
      b_kind: cable.b === null ? null : entityWords(cable.b.device_kind),
      b_id: idOrNull(cable.b?.device_id),
      capacity_gbps: near?.link_capacity_gbps ?? null,
      a_to_b_gbps: first?.gbps_tx ?? second?.gbps_rx ?? null,
      b_to_a_gbps: first?.gbps_rx ?? second?.gbps_tx ?? null,
      load_pct: near === undefined ? null : loadPct(near),
      errors: [first, second].reduce((sum, port) => sum + (port?.error_count ?? 0), 0),
      flaps: Math.max(first?.link_flaps ?? 0, second?.link_flaps ?? 0),
      length_m: cable.length_m,
      color: cable.color,
      group_id: idOrNull(cable.lag_id),
      zone_id: idOrNull(zone?.id),
      zone: world.zoneName(zone?.id ?? null),
    }
  },
})

/** The ends by name; that of an upstream's line by what the port at this end calls it. */
function endNames(cable: CableRecord, world: TableWorld): [string, string] {
  const nameOf = (end: CableEnd, other: CableEnd): string => {
    const device = deviceOf(end, world)
    const port = portOf(end, world)
    if (device !== undefined) return [world.nameOfDevice(device), port?.label].filter(Boolean).join(' ')
    return portOf(other, world)?.peer?.label ?? (end === null ? 'nothing' : entityWords(end.device_kind))
  }
  return [nameOf(cable.a, cable.b), nameOf(cable.b, cable.a)]
}
