/** How much of an upstream the dashboards, pictures, tables and alerts of this package show. */
import type { UnknownParts, WorldPart } from '../contract/collections.ts'
import { partText } from '../contract/collections.ts'
import { families } from '../metrics/families/all.ts'
import type { Family } from '../metrics/declaration/family.ts'
import { packageFiles } from '../process/package-files.ts'
import { isMissing } from '../sources/attached/check/route-report.ts'
import type { RouteReport } from '../sources/attached/check/route-report.ts'
import type { UpstreamReport } from '../sources/attached/check/upstream-check.ts'
import { tables } from '../tables/catalog.ts'
import { pictureParts } from '../tables/drawings/pictures.ts'

/** How much of a page, a table, a picture or a group of alerts there is, and what it lacks. */
export interface ShownPage {
  readonly kind: 'dashboard' | 'picture' | 'table' | 'alerts'
  readonly name: string
  readonly shown: 'whole' | 'in part' | 'empty'
  readonly lacks: readonly string[]
}

const declared: Readonly<Record<string, Family>> = families

/** The families of the world that a text names. A histogram is named by its parts. */
function familiesIn(text: string): readonly string[] {
  const names = new Set(text.match(/\bdcsim_[a-z0-9_]+/g) ?? [])
  return [...names]
    .map((name) => (Object.hasOwn(declared, name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')))
    .filter((name) => Object.hasOwn(declared, name))
}

const partsOfTables = (text: string): readonly WorldPart[] =>
  [...text.matchAll(/\/tables\/([a-z-]+)/g)].flatMap(([, name]) => tables.get(name)?.worldParts ?? [])

/** The field that a family reads; null for one that is derived from several. */
function fieldOf({ source }: Family): string | null {
  if (source.kind === 'derived') return null
  return source.kind === 'sum' ? source.list : source.field
}

/** Whether none of the records of a route has a field, in itself or in a part of it. */
const lacksField = ({ fields, records }: RouteReport, name: string): boolean =>
  fields.some(
    (difference) =>
      isMissing(difference) &&
      difference.count >= (records ?? 1) &&
      difference.field.split('.').at(-1)!.replace('[]', '') === name,
  )

class Lacks {
  readonly #unknown: UnknownParts
  readonly #present: ReadonlySet<string>
  readonly #routeOf: ReadonlyMap<WorldPart | null, RouteReport>

  constructor({ unknown, families: present, routes }: UpstreamReport) {
    this.#unknown = unknown
    this.#present = new Set(present)
    this.#routeOf = new Map(routes.map((route) => [route.part, route]))
  }

  ofPart(part: WorldPart): string | null {
    return this.#unknown[part] === undefined ? null : `no ${partText(part)}`
  }

  /** Null for a family with samples, or one of which there is nothing now. */
  ofFamily(name: string): string | null {
    const family = declared[name]
    const { part } = family.subject
    if (part !== null && this.#unknown[part] !== undefined) return this.ofPart(part)
    const field = fieldOf(family)
    if (this.#present.has(name) || field === null) return null
    const route = this.#routeOf.get(part ?? 'diagnostics')
    const text = part === null ? 'diagnostics' : partText(part)
    return route !== undefined && lacksField(route, field) ? `${text} without ${field}` : null
  }
}

/** Something that a page shows: the reason why it is missing, and whether it is of a part of the world. */
interface Need {
  readonly lack: string | null
  readonly isOfPart: boolean
}

/** A page is empty if all of what it shows of parts of the world is missing. */
function shownPage(kind: ShownPage['kind'], name: string, needs: readonly Need[]): ShownPage {
  const lacks = [...new Set(needs.flatMap(({ lack }) => lack ?? []))]
  const own = needs.filter(({ isOfPart }) => isOfPart)
  const isEmpty = own.length > 0 && own.every(({ lack }) => lack !== null)
  return { kind, name, shown: lacks.length === 0 ? 'whole' : isEmpty ? 'empty' : 'in part', lacks }
}

interface GeneratedDashboard {
  readonly title: string
}

/** Every page, in the order of the kinds. */
export function shownPages(report: UpstreamReport): ShownPage[] {
  const lacks = new Lacks(report)
  const ofPart = (part: WorldPart): Need => ({ lack: lacks.ofPart(part), isOfPart: true })
  const ofFamily = (name: string): Need => ({
    lack: lacks.ofFamily(name),
    isOfPart: declared[name].subject.part !== null,
  })
  const needsOf = (text: string): Need[] => [
    ...familiesIn(text).map(ofFamily),
    ...partsOfTables(text).map(ofPart),
  ]
  const ofParts = (
    kind: 'table' | 'picture',
    parts: Iterable<readonly [name: string, own: readonly WorldPart[]]>,
  ): ShownPage[] => Array.from(parts, ([name, own]) => shownPage(kind, name, own.map(ofPart)))
  const dashboards = [...packageFiles('dashboards/generated/', '.json').values()].map((text) =>
    shownPage('dashboard', (JSON.parse(text) as GeneratedDashboard).title, needsOf(text)),
  )
  const alerts = Array.from(packageFiles('alerts/generated/', '.rules.yaml'), ([name, text]) =>
    shownPage('alerts', name, needsOf(text)),
  )
  const ofTables = Array.from(tables.values(), ({ name, worldParts }) => [name, worldParts] as const)
  const pictures = ofParts('picture', Object.entries(pictureParts))
  return [...dashboards, ...pictures, ...ofParts('table', ofTables), ...alerts]
}
