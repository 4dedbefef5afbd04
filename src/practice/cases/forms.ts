/** The files of a case in its own form, and in that of RCAEval. */
import { messageText } from '../../contract/messages/catalog.ts'
import { microsOf, second } from '../../world/built-in-world.ts'
import { casesPerWorldMax, nameOfCase, splitOf } from './draw.ts'
import type { CaseName, Split } from './draw.ts'
import type { Case, CaseTruth } from './make.ts'
import { slug } from './series.ts'

/** Text by path within the folder of all cases. */
type CaseFiles = readonly (readonly [path: string, text: string])[]

/** A case, and what its files have in common. */
interface NamedCase extends Pick<Case, 'table' | 'events' | 'edges' | 'begin'> {
  readonly name: string
  readonly split: Split
  readonly command: string
  /** With names instead of keys. */
  readonly truth: CaseTruth
  readonly nameOf: (key: string) => string
  /** Seconds since 1970 at the beginning of the window. */
  readonly beginSeconds: number
  /** The rows of the table, empty where there is no value. */
  readonly cells: readonly (readonly string[])[]
}

const daySeconds = 86_400
/** 1 January 2024. */
const firstDay = 19_723
const daysMax = 10_000

/** Each case is at midnight of a day of its own, which its name tells and nothing else. */
const beginOf = ({ seed, number }: CaseName): number =>
  daySeconds * (firstDay + Number((seed * BigInt(casesPerWorldMax) + BigInt(number)) % BigInt(daysMax)))

function namedCase(content: Case, name: CaseName, command: string): NamedCase {
  const { table, names, truth } = content
  const columnOf = new Map(table.columns.map(({ key, entity }) => [key, entity]))
  const nameOf = (key: string): string => columnOf.get(key) ?? slug(names.get(key) ?? key)
  const renamed = <T extends { readonly entity: string }>(part: T): T => ({
    ...part,
    entity: nameOf(part.entity),
  })
  return {
    ...content,
    name: nameOfCase(name),
    split: splitOf(name.seed),
    command,
    nameOf,
    beginSeconds: beginOf(name),
    cells: table.rows.map((row) =>
      row.map((value) => (Number.isNaN(value) ? '' : String(Math.round(value * 1e6) / 1e6))),
    ),
    truth: {
      ...truth,
      faults: truth.faults.map(renamed),
      suspects: truth.suspects.map(renamed),
      effects: truth.effects.map((effect) => ({
        ...renamed(effect),
        from: effect.from === null ? null : nameOf(effect.from),
      })),
      customers: truth.customers.map((customer) =>
        Object.assign(renamed(customer), { path: customer.path.map(nameOf) }),
      ),
    },
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`
const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  `${rows.map((row) => row.join(',')).join('\n')}\n`

/** A row for each time, and a column for each series in alphabetical order. */
function wideTable({ table, cells, beginSeconds }: NamedCase): string {
  const named = table.columns.map(({ entity, metric }, position) => ({
    name: `${entity}_${metric}`,
    position,
  }))
  const ordered = named.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return csv([
    ['time', ...ordered.map(({ name }) => name)],
    ...cells.map((row, index) => [
      beginSeconds + table.seconds[index],
      ...ordered.map(({ position }) => row[position]),
    ]),
  ])
}

function ownForm(content: NamedCase): CaseFiles {
  const { name, beginSeconds, begin, events, edges, nameOf, truth, command } = content
  const logs = events.map(({ at_ns: at, kind, severity, msg_key: key, msg_args: args }) =>
    JSON.stringify({
      time: beginSeconds + Math.floor((microsOf(BigInt(at)) - begin) / second),
      kind,
      severity,
      text: messageText(key, args),
    }),
  )
  const lines = edges.map(({ from, to, kind, fromSeconds, untilSeconds }) =>
    [nameOf(from), nameOf(to), kind, beginSeconds + fromSeconds, beginSeconds + untilSeconds].join(','),
  )
  return [
    [`cases/${name}/metrics.csv`, wideTable(content)],
    [`cases/${name}/logs.jsonl`, logs.map((line) => `${line}\n`).join('')],
    [`cases/${name}/topology.csv`, `source,target,kind,from,until\n${lines.toSorted().join('\n')}\n`],
    [`truth/${name}/truth.json`, json({ case: name, split: content.split, ...truth })],
    [`truth/${name}/command`, `${command}\n`],
  ]
}

/** `<service>_<fault>/<n>/data.csv` and the second of the fault: the form has one cause. */
function rcaEvalForm(content: NamedCase): CaseFiles {
  const [fault, another] = content.truth.faults
  if (fault === undefined || another !== undefined) return []
  const folder = `rcaeval/${fault.entity}_${fault.kind.toLowerCase()}/${content.name}`
  return [
    [`${folder}/data.csv`, wideTable(content)],
    [`${folder}/inject_time.txt`, `${content.beginSeconds + fault.at_seconds}\n`],
  ]
}

export function writeCase(content: Case, name: CaseName, command: string): CaseFiles {
  const named = namedCase(content, name, command)
  return [...ownForm(named), ...rcaEvalForm(named)]
}
