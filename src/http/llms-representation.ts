import { routeNames, routes } from '../contract/routes.ts'
import type { Route } from '../contract/routes.ts'
import { tables } from '../tables/catalog.ts'
import { plainTextMediaType } from './responses/media-types.ts'
import { wholeBody, wholeSlice } from './responses/representation.ts'
import type { Representation } from './responses/representation.ts'

const opening = `# dcsim-mirror

> A read-only HTTP mirror of a running data-center simulation: zones, racks, hosts, network, customers, incidents and
> work, one snapshot a second. Every route is a GET, without authentication. Nothing here changes the world.

To answer a question about the world, read a table first: flat rows with names, sentences and units, as JSON or, with
.csv at the end of the path, as CSV. A column is also a filter where /tables says so, and one of a closed set refuses
other values; the header X-Ignored-Parameters names what a table does not know. sort=-column puts the highest first,
limit=N takes N rows. What is wrong now: /tables/incidents?state=active. Everything about one incident:
/tables/incident?incident=ID, /tables/evidence?incident=ID, /tables/timeline?incident=ID.

The records under /api/v1 carry the same facts with ids. Ids and *_ns are 64-bit integers and may exceed 2^53. Simulated
time is in nanoseconds since the start of the world; meta.age_ms says how old the snapshot is. All routes, fields, units
and errors: /openapi.json. With several sessions, ?session=NAME selects one on every route.
`

const item = (path: string, text: string): string => `- [${path}](${path}): ${text}`

/** An overview of the service for language models, in the form of https://llmstxt.org. */
function llmsText(): string {
  const all: Route[] = routeNames.map((name) => routes[name])
  const records = all.filter(({ path }) => path.startsWith('/api/'))
  const other = all.filter(({ path }) => !path.startsWith('/api/'))
  return [
    opening,
    '## Tables\n',
    ...Array.from(tables.values(), ({ name, meaning }) => item(`/tables/${name}`, meaning)),
    '\n## Service\n',
    ...other.map(({ path, summary }) => item(path, summary)),
    '\n## Records\n',
    ...records.map(({ path, summary }) => item(path, summary)),
    '',
  ].join('\n')
}

export const llmsRepresentation = (): Representation =>
  wholeBody('llms', plainTextMediaType, [wholeSlice(Buffer.from(llmsText()))])
