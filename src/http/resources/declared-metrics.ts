import type { RecordValue } from '../../contract/fields.ts'
import type { DeclaredMetricSchema } from '../../contract/records/service.ts'
import { joinedItems } from '../../encoding/frames/joined-items.ts'
import type { EncodedList } from '../../encoding/frames/frame.ts'

/** The metadata of declared families, constant while the service runs. */
type DeclaredFamilies = ReadonlyMap<
  string,
  Omit<RecordValue<typeof DeclaredMetricSchema>, 'name' | 'labels'> & {
    readonly labels: readonly string[]
  }
>

/** The declared families as a list to page through, ordered by name. */
export function encodeFamilies(families: DeclaredFamilies): EncodedList {
  const items = [...families]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, unit, help, labels }], index) => ({
      id: BigInt(index),
      json: Buffer.from(JSON.stringify({ name, type, unit, help, labels })),
    }))
  return joinedItems(items)
}
