/** The series, tables and pictures of a mirror, held against those of a mirror of the whole world. */
import { clockFamilies, fleetFamilies } from '../../../src/metrics/families/world.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { pictureNames } from '../../../src/tables/drawings/pictures.ts'
import { parseExposition } from '../../metrics/parsed-exposition.ts'
import type { ParsedFamily } from '../../metrics/parsed-exposition.ts'
import type { SpecCase } from './spec-case.ts'
import { shortened, unknownHeader } from './checks.ts'
import type { Rows } from './checks.ts'
import { familiesOfPart, tablesOfPart } from './parts.ts'
import type { Json } from './plain-world.ts'
import type { Part } from './spec-upstream.ts'

type Form = Pick<SpecCase, 'isSparse' | 'isReworded' | 'isTimeless'>
type Families = ReadonlyMap<string, ParsedFamily>

/** The series and tables of a mirror. */
export interface Shown {
  readonly families: Families
  readonly tables: ReadonlyMap<string, Rows>
}

export async function familiesAt(origin: string): Promise<Families> {
  const response = await fetch(`${origin}/metrics`)
  return parseExposition(await response.text())
}

async function tablesAt(origin: string): Promise<ReadonlyMap<string, Rows>> {
  const found = new Map<string, Rows>()
  for (const name of tables.keys()) {
    const response = await fetch(`${origin}/tables/${name}`)
    if (response.status !== 200) throw new Error(`/tables/${name} has status ${response.status}.`)
    found.set(name, (await response.json()) as Rows)
  }
  return found
}

export const shownAt = async (origin: string): Promise<Shown> => ({
  families: await familiesAt(origin),
  tables: await tablesAt(origin),
})

/** Some figures that an upstream may leave out are derived, and not rounded as in records. */
const isNearly = (value: unknown, expected: unknown): boolean =>
  value === expected ||
  (typeof value === 'number' &&
    typeof expected === 'number' &&
    Math.abs(value - expected) <= 0.001 * Math.abs(expected))

const timeFamily = 'dcsim_sim_time_seconds'
const summaries = { ...clockFamilies, ...fleetFamilies }

/** The mirror's own families are of no world. */
const isOfWorld = (family: string): boolean => /^dcsim_(?!mirror_)/.test(family)

/** A label whose value is from a vocabulary: a world of other words has no sample of 1 for it. */
const wordLabel = /[{,](?:state|lifecycle|kind|blocking)="/

/** No family of what is unknown is there, and all others are. */
export function familyFailures(
  families: Families,
  truth: Shown,
  unknown: ReadonlySet<Part>,
  { isSparse }: Form,
): string[] {
  const isUnknown = (family: string): boolean =>
    [...unknown].some((part) => familiesOfPart(part)?.test(family) === true)
  // Counts of what there is are of diagnostics, or else of what can be counted.
  const mayLack = (family: string): boolean =>
    isSparse === true || (unknown.has('diagnostics') && Object.hasOwn(summaries, family))
  return [...truth.families].flatMap(([name, { samples }]) => {
    const isThere = families.has(name)
    if (isUnknown(name)) return isThere ? [`/metrics has ${name} of what is unknown`] : []
    return isThere || samples.size === 0 || !isOfWorld(name) || mayLack(name)
      ? []
      : [`/metrics lacks ${name}`]
  })
}

/** No sample says anything but the truth: unknown values have none. Returns one of each family. */
export function untrueSamples(families: Families, truth: Shown, { isReworded, isTimeless }: Form): string[] {
  return [...families].flatMap(([name, { samples }]) => {
    if (!isOfWorld(name) || (isTimeless === true && name === timeFamily)) return []
    const expected = truth.families.get(name)?.samples
    const untrue = [...samples].find(([sample, value]) => {
      const inTruth = expected?.get(sample)
      if (inTruth === undefined || (isReworded === true && wordLabel.test(sample))) return false
      return !isNearly(value, inTruth)
    })
    if (untrue === undefined) return []
    return [`/metrics: ${untrue[0]} is ${untrue[1]}, in truth ${expected?.get(untrue[0])}`]
  })
}

/** Columns of times until, or since, now. */
const untilNow = /seconds/

/** The size of a drawing follows from what is known. */
const drawn = 'pictures'

/** The cells of a row that tell a number, or yes or no, which is not that of any true row of the same name. */
function untrueCells(row: Json, candidates: Rows, { isReworded, isTimeless }: Form): string[] {
  return Object.entries(row).flatMap(([column, value]) => {
    if (typeof value !== 'number' && typeof value !== 'boolean') return []
    if (isTimeless === true && untilNow.test(column)) return []
    if (column === 'severity') {
      // The meaning of another word is not known: it may be a trouble.
      if (isReworded === true || candidates.some(({ severity }) => Number(severity) >= Number(value)))
        return []
    }
    return candidates.some((candidate) => isNearly(value, candidate[column]))
      ? []
      : [`${column} is ${value}, in truth ${shortened(candidates[0][column])}`]
  })
}

const nameOf = (row: Json): unknown => Object.values(row)[0]

/** Every table and picture answers, tables of what is unknown say why, and no cell says anything but the truth. */
export async function checkTables(
  origin: string,
  truth: Shown,
  unknown: ReadonlySet<Part>,
  form: Form,
): Promise<string[]> {
  const failures: string[] = []
  const list = (await (await fetch(`${origin}/tables`)).json()) as Rows
  for (const name of tables.keys()) {
    const response = await fetch(`${origin}/tables/${name}`)
    const rows = response.status === 200 ? ((await response.json()) as Rows) : []
    if (response.status !== 200) failures.push(`/tables/${name} has status ${response.status}`)
    const needsUnknown = [...unknown].some((part) => tablesOfPart(part).includes(name))
    const inList = list.find(({ table }) => table === name)?.['unknown'] ?? ''
    const header = response.headers.get(unknownHeader) ?? ''
    // Some rows follow from what else is known.
    const isEmptyFor = needsUnknown && rows.length === 0
    if (isEmptyFor && header === '') failures.push(`/tables/${name}: no ${unknownHeader}`)
    if (isEmptyFor && inList === '') failures.push(`/tables does not say why ${name} has no row`)
    if (unknown.size === 0 && header !== '') failures.push(`/tables/${name}: ${unknownHeader}: ${header}`)
    for (const row of name === drawn ? [] : rows) {
      const candidates = truth.tables.get(name)!.filter((candidate) => nameOf(candidate) === nameOf(row))
      const untrue = candidates.length === 0 ? [] : untrueCells(row, candidates, form)
      if (untrue.length === 0) continue
      failures.push(`/tables/${name}, ${shortened(nameOf(row))}: ${untrue.join('; ')}`)
      break
    }
  }
  for (const name of pictureNames) {
    const { status } = await fetch(`${origin}/pictures/${name}.svg`)
    if (status !== 200) failures.push(`/pictures/${name}.svg has status ${status}`)
  }
  return failures
}
