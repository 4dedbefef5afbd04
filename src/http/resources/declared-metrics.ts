import type { RecordValue } from '../../contract/fields.ts'
import type { DeclaredMetricSchema } from '../../contract/records/service.ts'
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
    .map(([name, { type, unit, help, labels }]) =>
      Buffer.from(JSON.stringify({ name, type, unit, help, labels })),
    )
  const starts = new Uint32Array(items.length + 1)
  for (const [index, item] of items.entries()) starts[index + 1] = starts[index] + item.length + 1
  const bytes = Buffer.concat(
    items.flatMap((item, index) => (index === 0 ? [item] : [Buffer.from(','), item])),
  )
  return { bytes, starts }
}
