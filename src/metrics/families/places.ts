import { nameOfZone } from '../../words/places.ts'
import type { CollectionName, Collections, Snapshot } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import type { CollectorName } from '../declaration/collectors.ts'
import { derivedParts } from '../declaration/labeled-rows.ts'
import type { Family, LabeledRows } from '../declaration/family.ts'

/** The location of a device, by names. */
interface Place {
  readonly zone: string | null
  readonly rackName: string | null
}

interface Placed {
  readonly az_id: Int64
  readonly rack_id: Int64 | null
}
type PlacedCollection = {
  [C in CollectionName]: Collections[C][number] extends Placed ? C : never
}[CollectionName]

const nowhere: Place = { zone: null, rackName: null }

/** The locations in a snapshot by the ids of racks and of zones. */
function placesOf({ collections }: Snapshot) {
  const byRack = new Map<Int64, Place>()
  const byZone = new Map<Int64, Place>()
  for (const zone of collections.azs) {
    const name = nameOfZone(zone)
    byZone.set(zone.id, { zone: name, rackName: null })
    for (const rack of zone.racks) byRack.set(rack.id, { zone: name, rackName: rack.name })
  }
  return ({ az_id, rack_id }: Placed): Place =>
    (rack_id === null ? undefined : byRack.get(rack_id)) ?? byZone.get(az_id) ?? nowhere
}

type Readers<R, L extends string> = Readonly<Record<L, LabeledRows<R, Place>['readers'][number]>>

/** A row for every device of a collection, with the names of its zone and rack. */
export function placedRows<C extends PlacedCollection, L extends string>(
  collector: CollectorName,
  collection: C,
  readers: Readers<Collections[C][number], L>,
): LabeledRows<Collections[C][number], Place, L | 'zone' | 'rack_name'> {
  const all: Readers<Collections[C][number], L | 'zone' | 'rack_name'> = {
    ...readers,
    zone: (_: unknown, { zone }: Place) => zone,
    rack_name: (_: unknown, { rackName }: Place) => rackName,
  }
  const rows = (snapshot: Snapshot) => {
    const items = snapshot.collections[collection] as Collections[C][number][]
    const placeOf = placesOf(snapshot)
    return { items, parents: items.map((item) => placeOf(item as Placed)) }
  }
  return derivedParts(collector, collection, rows, all)
}

interface PortSums<L extends string> {
  readonly sumCounter: (
    list: 'ports',
    field: 'bytes_ingress_total' | 'bytes_egress_total',
    help: string,
  ) => Family<L>
}

/** The bytes over all ports of a device. */
export const portTotals = <P extends string, L extends string>(prefix: P, { sumCounter }: PortSums<L>) =>
  ({
    [`${prefix}_receive_bytes_total`]: sumCounter(
      'ports',
      'bytes_ingress_total',
      'Bytes received over all ports since it was installed.',
    ),
    [`${prefix}_transmit_bytes_total`]: sumCounter(
      'ports',
      'bytes_egress_total',
      'Bytes sent over all ports since it was installed.',
    ),
  }) as Readonly<Record<`${P}_${'receive' | 'transmit'}_bytes_total`, Family<L>>>
