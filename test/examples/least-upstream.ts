/** The least upstream with which some dashboards are useful, as docs/your-game.md states it. */
import { fileText } from '../containers/stack-file.ts'

/** Fields of a record, each with those of the records in it. */
interface LeastFields {
  readonly [name: string]: LeastFields
}

/** `` `id`, `racks`: `id`, `name` ``: what follows a colon, up to a semicolon or the end, are fields of the records in a list. */
function fieldsOf(text: string): LeastFields {
  const fields: Record<string, LeastFields> = {}
  for (const part of text.split('; ')) {
    const [own, inner = ''] = part.split(': ')
    const names = [...own.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    for (const name of names) fields[name] = {}
    if (inner !== '') fields[names.at(-1)!] = fieldsOf(inner)
  }
  return fields
}

const rows = fileText('docs/your-game.md').matchAll(/^\| `(\/\S+)` \| (`.+`) \|$/gm)

/** The fields of each route. */
export const leastUpstream: ReadonlyMap<string, LeastFields> = new Map(
  Array.from(rows, ([, route, fields]) => [route, fieldsOf(fields)]),
)

/** The fields of records as a program serves them. */
export function servedFields(records: readonly unknown[]): LeastFields {
  const fields: Record<string, LeastFields> = {}
  for (const record of records)
    for (const [name, value] of Object.entries(record as object)) {
      const inner = Array.isArray(value) && typeof value[0] === 'object' ? servedFields(value) : {}
      fields[name] = { ...fields[name], ...inner }
    }
  return fields
}

/** Every field as a path: `azs racks name` becomes `['racks', 'name']`. */
export function* pathsIn(fields: LeastFields): Generator<readonly string[]> {
  for (const [name, inner] of Object.entries(fields)) {
    yield [name]
    for (const path of pathsIn(inner)) yield [name, ...path]
  }
}
