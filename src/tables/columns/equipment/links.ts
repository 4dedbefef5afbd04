import type { CableRecord, PortRecord } from '../../../contract/collections.ts'
import { int, str } from '../../../contract/fields.ts'
import { entityWords } from '../../../words/vocabulary.ts'
import { amountOrNone, idColumn, severityFilter, stateColumns, sumOf, worstOf } from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { zoneColumns, zoneOf, zoneValues } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import type { DeviceRecord, TableWorld } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'
import { loadPct, portCondition } from './ports.ts'

/** One end of a cable; an upstream line has neither device nor port there. */
export interface End {
  readonly kind: string | null
  readonly device: DeviceRecord | undefined
  readonly port: PortRecord | undefined
}

interface Link {
  readonly cable: CableRecord
  readonly a: End
  readonly b: End
}

export function cableEnd(end: CableRecord['a'], world: TableWorld): End {
  if (end === null) return { kind: null, device: undefined, port: undefined }
  const device = world.device(end.device_kind, end.device_id)
  const port = device?.ports.find(({ port_id }) => port_id === end.port_id)
  return { kind: end.device_kind, device, port }
}

const portsOf = ({ a, b }: Link): readonly PortRecord[] =>
  [a.port, b.port].filter((port) => port !== undefined)

export function linkCondition(link: Link): RowState {
  if (link.cable.is_failed) return { state: 'cut', severity: 4 }
  if (link.cable.dangling_end !== null) return { state: 'not plugged in', severity: 1 }
  return worstOf(portsOf(link).map(portCondition)) ?? { state: 'up', severity: 0 }
}

/** The name of an end; for an upstream's line the peer name that the other end's port has. */
export function endName({ kind, device, port }: End, other: End, world: TableWorld): string {
  if (device !== undefined) return [world.nameOfDevice(device), port?.label].filter(Boolean).join(' ')
  return other.port?.peer?.label ?? (kind === null ? 'nothing' : entityWords(kind))
}

function zoneOfLink({ a, b }: Link, world: TableWorld) {
  const device = a.device ?? b.device
  return device === undefined ? undefined : zoneOf(device, world)
}

export const links = defineTable<Link, CableRecord>({
  name: 'links',
  meaning: 'Cables in the order of their ids, with the state and the load of their ports.',
  row: ['LinkRow', 'A cable between two ports.'],
  worldParts: ['cables'],
  entities: ({ records }) => records.all('cables'),
  itemsOf: (cable, world) => [{ cable, a: cableEnd(cable.a, world), b: cableEnd(cable.b, world) }],
  filters: {
    cable: { meaning: 'Id of a cable.', values: ({ cable: { id } }) => [id] },
    device: {
      meaning: 'Name of a device at one end.',
      values: ({ a, b }, world) =>
        [a.device, b.device].map((device) => (device === undefined ? null : world.nameOfDevice(device))),
    },
    state: { meaning: 'State in words, such as cut.', values: (link) => [linkCondition(link).state] },
    ...severityFilter(linkCondition),
    zone: {
      meaning: 'Id or name of a zone.',
      values: ({ a, b }, world) =>
        [a.device, b.device].flatMap((device) =>
          device === undefined ? [] : zoneValues(zoneOf(device, world)),
        ),
    },
  },
  columns: {
    cable_id: column(idColumn('cable'), ({ cable }) => idText(cable.id)),
    link: column(
      str('Devices and ports at its two ends.'),
      ({ a, b }, world) => `${endName(a, b, world)} – ${endName(b, a, world)}`,
    ),
    ...stateColumns(linkCondition, 'How it is doing, in words.'),
    capacity_gbps: column(
      amountOrNone('What it carries in each direction.', 'gbps'),
      ({ a, b }) => (a.port ?? b.port)?.link_capacity_gbps ?? null,
    ),
    load_pct: column(amountOrNone('Load of the fuller direction.', 'pct'), ({ a, b }) => {
      const near = a.port ?? b.port
      return near === undefined ? null : loadPct(near)
    }),
    errors: column(int('Frames lost to errors at its ports.'), (link) =>
      sumOf(portsOf(link), ({ error_count }) => error_count),
    ),
    ...zoneColumns(zoneOfLink),
  },
})
