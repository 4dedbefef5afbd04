/** Tables of an upstream whose records are hostile: cells are lost, and no more than that. */
import { collectionNames } from '../../../src/contract/collections.ts'
import { checkOfField } from '../../../src/contract/record-check.ts'
import type { Frame } from '../../../src/encoding/frames/frame.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { TableMaker } from '../../../src/tables/thread/table-maker.ts'
import type { TableRequest } from '../../../src/tables/thread/table-maker.ts'
import type { PathHistory } from '../../../src/tables/engine/history.ts'
import type { AnyTable, Row } from '../../../src/tables/engine/table.ts'
import type { ArchiveHere } from '../../archive/archived-world.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { brokenText, damagedFrame, smallCrisis } from '../../tables/damaged-frames.ts'
import type { Damage, Json } from '../../tables/damaged-frames.ts'
import { hostileArchive, hostileRange } from '../hostile-archive.ts'
import { randomOf } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** Consecutive cases that share a damaged world. */
const casesPerWorld = 512
const limitMax = 100_000

/** Numbers that JavaScript would write otherwise. */
const rawNumbers = ['1e999', '-0', '9223372036854775807', '-9223372036854775808', '5e-324'].map((text) =>
  (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(text),
)
const oddTexts = ['', ' ', '\u202e=1+1', '\t-1', '"a";\r\n\'b\',', '\ud800', '\0', 'x'.repeat(10_000)]
const texts = [
  ...'constructor __proto__ HalfOpen {name} event.nothing <script>alert(1)</script> =1+1'.split(' '),
  ...'@SUM(A1) 1e400'.split(' '),
  ...oddTexts,
]
const numbers = [...rawNumbers, 0, 1, -1, 1e308, -1e308, 2 ** 31, 2 ** 53]
const others: Json[] = [null, [], {}, true, [null], [[]], { a: 1 }]

/** Replaces a value, mostly by one of its type, so that the record is accepted. */
function hostile(value: Json, random: SeededRandom): Json | undefined {
  if (random.oneIn(6)) return random.oneIn(3) ? undefined : random.pick(others)
  if (random.oneIn(3)) return null
  if (typeof value === 'string') return random.pick(texts)
  if (typeof value === 'number') return random.pick(numbers)
  if (typeof value === 'boolean') return !value
  return Array.isArray(value) ? [...value, ...value] : null
}

/** A world with values damaged at a random rate, in all records or in those of one collection. */
function hostileWorld(sound: Frame, random: SeededRandom): Frame {
  const rarity = random.pick([3, 10, 40, 200, 1_000])
  const names = random.oneIn(2) ? collectionNames : [random.pick(collectionNames)]
  const damage: Damage = (value, path) =>
    !path.includes('.') || /^\w+\.id$/.test(path) || !random.oneIn(rarity) ? value : hostile(value, random)
  return { ...damagedFrame(sound, names, damage), publishSeq: sound.publishSeq + 1 }
}

const histories: readonly PathHistory[] = [
  { path: 'x', values: [0, -1, 1e308, 5e-324, 0.1], stepNs: 1e10, lastNs: 7n, unit: 'gbps' },
]

/** Fields of CSV by RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

const runsInSpreadsheet = /^[\s\p{C}]*[=+\-@|%]/u

function cellFaults(table: AnyTable, rows: readonly Row[]): string[] {
  const found = new Set<string>()
  const columns = Object.keys(table.columns)
  for (const row of rows) {
    if (Object.keys(row).join() !== columns.join()) found.add(`${table.name} has other columns`)
    for (const [name, cell] of Object.entries(row)) {
      const { kind } = table.row.fields[name]
      if (cell !== null && !checkOfField(table.row.fields[name])(cell))
        found.add(`${table.name}.${name} is no ${kind}: ${JSON.stringify(cell)}`)
      if (typeof cell === 'string' && brokenText.test(cell))
        found.add(`${table.name}.${name}: ${cell.slice(0, 200)}`)
    }
  }
  return [...found]
}

function csvFaults(table: AnyTable, text: string, rows: readonly Row[]): string[] {
  const [head = [], ...lines] = csvRows(text)
  const columns = Object.keys(table.columns)
  const found: string[] = []
  if (head.join() !== columns.join()) found.push(`${table.name}.csv has other columns`)
  if (lines.length !== rows.length) found.push(`${table.name}.csv has other rows than the JSON`)
  if (lines.some(({ length }) => length !== columns.length))
    found.push(`${table.name}.csv is not rectangular`)
  const formula = lines.flatMap((line, row) =>
    line.filter((field, index) => {
      const isText = typeof rows[row]?.[columns[index]] === 'string'
      return isText && runsInSpreadsheet.test(field)
    }),
  )[0]
  if (formula !== undefined) found.push(`${table.name}.csv has a formula: ${formula.slice(0, 100)}`)
  return found
}

function requestFor(random: SeededRandom, table: AnyTable): TableRequest {
  const wanted = ['.+', '', '.', '1', '2,3', '9223372036854775807', 'az-a', ',', 'failed', '__proto__']
  const names = Object.keys(table.filters).filter(() => random.oneIn(4))
  const column = random.pick(Object.keys(table.columns))
  return {
    table: table.name,
    format: 'json',
    filters: new Map(names.map((name) => [name, [random.pick(wanted)]])),
    sort: random.oneIn(3) ? null : { column, descending: random.oneIn(2) },
    offset: random.oneIn(4) ? random.below(5) : 0,
    limit: random.oneIn(4) ? random.below(5) : limitMax,
    range: table.archived !== undefined && random.oneIn(2) ? hostileRange(random) : null,
  }
}

/** The tables of one damaged world. */
class HostileTables {
  readonly #archive: ArchiveHere
  readonly #maker: TableMaker
  readonly #observe: Observe
  readonly #wholes = new Map<string, ReadonlySet<string>>()

  constructor(frame: Frame, archive: ArchiveHere, observe: Observe) {
    this.#archive = archive
    this.#observe = observe
    this.#maker = new TableMaker({ archive: archive.archive })
    this.#maker.show(frame)
  }

  close(): void {
    this.#archive.close()
  }

  #text(request: TableRequest): string {
    return this.#observe(this.#maker.make(request, histories).toString())
  }

  /** The rows of a table without filters, as texts. */
  #whole(table: string): ReadonlySet<string> {
    const request = {
      table,
      format: 'json',
      filters: new Map(),
      sort: null,
      offset: 0,
      limit: limitMax,
    } as const
    const known =
      this.#wholes.get(table) ??
      new Set((JSON.parse(this.#text(request)) as Row[]).map((row) => JSON.stringify(row)))
    this.#wholes.set(table, known)
    return known
  }

  faultsOf(request: TableRequest): string[] {
    const { filters, range } = request
    const table = tables.get(request.table)!
    const rows = JSON.parse(this.#text(request)) as Row[]
    const found = cellFaults(table, rows)
    found.push(...csvFaults(table, this.#text({ ...request, format: 'csv' }), rows))
    // The origin of these tables depends on what is asked for.
    if (table.entitiesFor !== undefined || filters.size > 0 || range !== null) return found
    const whole = this.#whole(table.name)
    if (!rows.every((row) => whole.has(JSON.stringify(row))))
      found.push(`${table.name} has other rows sorted`)
    return found
  }
}

export const openTables: OpenTarget = async (seed, observe) => {
  const sound = smallCrisis()
  const all = [...tables.values()]
  let current: { world: number; tables: HostileTables } | null = null
  return {
    lanes: 1,
    run({ number, random }) {
      const world = Math.floor(number / casesPerWorld)
      if (current?.world !== world) {
        current?.tables.close()
        const [ofFrame, ofArchive] = [randomOf(seed ^ 0x7ab1e5, world), randomOf(seed ^ 0xa4c41e, world)]
        const archive = hostileArchive(ofArchive)
        current = { world, tables: new HostileTables(hostileWorld(sound, ofFrame), archive, observe) }
      }
      return current.tables.faultsOf(requestFor(random, random.pick(all)))
    },
    close: async () => current?.tables.close(),
  }
}
