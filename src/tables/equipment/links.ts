import type { CableRecord, PortRecord } from '../../contract/collections.ts'
import { int, nullable, str } from '../../contract/fields.ts'
import { entityWords, plainWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  severityFilter,
  stateColumns,
  sumOf,
  worstOf,
} from '../columns.ts'
import type { RowState } from '../columns.ts'
import { zoneColumns, zoneOf, zoneValues } from '../places.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { DeviceRecord, TableWorld } from '../table-world.ts'
import { column, defineTable } from '../table.ts'
import type { Columns } from '../table.ts'
import { loadPct, portCondition } from './ports.ts'

/** One end of a cable; an upstream line has neither device nor port there. */
interface End {
  readonly kind: string | null
  readonly id: string | null
  readonly device: DeviceRecord | undefined
  readonly port: PortRecord | undefined
}

interface Link {
  readonly cable: CableRecord
  readonly a: End
  readonly b: End
}

function endOf(end: CableRecord['a'], world: TableWorld): End {
  if (end === null) return { kind: null, id: null, device: undefined, port: undefined }
  const device = world.device(end.device_kind, end.device_id)
  const port = device?.ports.find(({ port_id }) => port_id === end.port_id)
  return { kind: end.device_kind, id: idOrNull(end.device_id), device, port }
}

const portsOf = ({ a, b }: Link): readonly PortRecord[] =>
  [a.port, b.port].filter((port) => port !== undefined)

function linkCondition(link: Link): RowState {
  if (link.cable.is_failed) return { state: 'cut', severity: 4 }
  if (link.cable.dangling_end !== null) return { state: 'not plugged in', severity: 1 }
  return worstOf(portsOf(link).map(portCondition)) ?? { state: 'up', severity: 0 }
}

/** The name of an end; for an upstream's line the peer name that the other end's port has. */
function endName({ kind, device, port }: End, other: End, world: TableWorld): string {
  if (device !== undefined) return [world.nameOfDevice(device), port?.label].filter(Boolean).join(' ')
  return other.port?.peer?.label ?? (kind === null ? 'nothing' : entityWords(kind))
}

const nameOfA = ({ a, b }: Link, world: TableWorld): string => endName(a, b, world)
const nameOfB = ({ a, b }: Link, world: TableWorld): string => endName(b, a, world)

function zoneOfLink({ a, b }: Link, world: TableWorld) {
  const device = a.device ?? b.device
  return device === undefined ? undefined : zoneOf(device, world)
}

const endColumns = (end: 'a' | 'b'): Columns<Link> => ({
  [`${end}_kind`]: column(nullable(str(`What kind of device is at end ${end}, in words.`)), (link) => {
    const { kind } = link[end]
    return kind === null ? null : entityWords(kind)
  }),
  [`${end}_id`]: column(idOrNone(`device at end ${end}`), (link) => link[end].id),
})

export const links = defineTable<Link, CableRecord>({
  name: 'links',
  meaning: 'Cables in the order of their ids, with the state and the load of their ports.',
  row: ['LinkRow', 'A cable between two ports.'],
  things: ({ records }) => records.all('cables'),
  itemsOf: (cable, world) => [{ cable, a: endOf(cable.a, world), b: endOf(cable.b, world) }],
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
      (link, world) => `${nameOfA(link, world)} – ${nameOfB(link, world)}`,
    ),
    ...stateColumns(linkCondition, 'How it is doing, in words.'),
    kind: column(str('Build, in words.'), ({ cable }) => plainWords(cable.kind)),
    a: column(str('Device and port at the first end.'), nameOfA),
    b: column(str('Device and port at the second end.'), nameOfB),
    ...endColumns('a'),
    ...endColumns('b'),
    capacity_gbps: column(
      amountOrNone('What it carries in each direction.', 'gbps'),
      ({ a, b }) => (a.port ?? b.port)?.link_capacity_gbps ?? null,
    ),
    a_to_b_gbps: column(
      amountOrNone('Traffic from the first end to the second.', 'gbps'),
      ({ a, b }) => a.port?.gbps_tx ?? b.port?.gbps_rx ?? null,
    ),
    b_to_a_gbps: column(
      amountOrNone('Traffic from the second end to the first.', 'gbps'),
      ({ a, b }) => a.port?.gbps_rx ?? b.port?.gbps_tx ?? null,
    ),
    load_pct: column(amountOrNone('Load of the fuller direction.', 'pct'), ({ a, b }) => {
      const near = a.port ?? b.port
      return near === undefined ? null : loadPct(near)
    }),
    errors: column(int('Frames lost to errors at its ports.'), (link) =>
      sumOf(portsOf(link), ({ error_count }) => error_count),
    ),
    flaps: column(int('How often it went down and came back.'), (link) =>
      Math.max(0, ...portsOf(link).map(({ link_flaps }) => link_flaps)),
    ),
    length_m: column(amount('Length.', 'm'), ({ cable }) => cable.length_m),
    color: column(str('Color of the jacket.'), ({ cable }) => cable.color),
    group_id: column(idOrNone('link aggregation group'), ({ cable }) => idOrNull(cable.lag_id)),
    ...zoneColumns(zoneOfLink),
  },
})
