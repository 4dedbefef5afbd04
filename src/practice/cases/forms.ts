/** The files of a case in its own form, and in those of other benchmarks. */
import { messageText } from '../../contract/messages/catalog.ts'
import { microsOf, second } from '../../world/built-in-world.ts'
import { casesPerWorldMax, nameOfCase, splitOf } from './draw.ts'
import type { CaseName, Split } from './draw.ts'
import type { Case, CaseTruth } from './make.ts'
import { calmSeconds, windowSeconds } from './plan.ts'
import { slug } from './series.ts'

export type CaseForm = 'own' | 'rcaeval' | 'petshop' | 'openrca'

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

/**
 * A scenario for each case: a graph from what is served to what serves it, metrics from before any fault, and an issue
 * with its only cause, unless nothing is wrong.
 */
function petShopForm(content: NamedCase): CaseFiles {
  const { name, split, table, cells, truth, edges, nameOf, beginSeconds, command } = content
  const [fault, another] = truth.faults
  if (another !== undefined) return []
  const rowsText = (isIncluded: (seconds: number) => boolean): string =>
    csv([
      ['microservice', ...table.columns.map(({ entity }) => entity)],
      ['metric', ...table.columns.map(({ metric }) => metric)],
      ['statistic', ...table.columns.map(() => 'Average')],
      ['unix_timestamp', ...table.columns.map(() => '')],
      ...cells.flatMap((row, index) =>
        isIncluded(table.seconds[index]) ? [[`${beginSeconds + table.seconds[index]}.0`, ...row]] : [],
      ),
    ])
  const nodes = [...new Set(table.columns.map(({ entity }) => entity))]
  const serving = new Set(
    edges.filter(({ kind }) => kind !== 'sum').map(({ from, to }) => `${nameOf(to)} ${nameOf(from)}`),
  )
  const graph = nodes.map((served) => [
    served,
    ...nodes.map((server) => (serving.has(`${served} ${server}`) ? 1 : 0)),
  ])
  const folder = `petshop/${name}`
  const files: [string, string][] = [
    [`${folder}/graph.csv`, csv([['', ...nodes], ...graph])],
    [`${folder}/noissue/metrics.csv`, rowsText((seconds) => fault === undefined || seconds <= calmSeconds)],
    // The loader lists both folders, and skips hidden files.
    [`${folder}/train/.keep`, ''],
    [`${folder}/test/.keep`, ''],
  ]
  if (fault === undefined) return files
  const [hurt] = truth.customers
  const target = {
    target: {
      node: hurt.entity,
      metric: hurt.failed_requests > 0 ? 'failed-requests-total' : 'latency-seconds-p99',
      agg: 'Average',
      timestamp: beginSeconds + hurt.since_seconds,
    },
    root_cause: { node: fault.entity, metric: null },
    metadata: { kind: fault.kind, reproducibility: { command } },
  }
  const issue = `${folder}/${split === 'test' ? 'test' : 'train'}/issue_0`
  return [
    ...files,
    [`${issue}/metrics.csv`, rowsText((seconds) => seconds > fault.at_seconds)],
    [`${issue}/target.json`, json(target)],
  ]
}

const dateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Long lines of metrics in a folder for the day; the questions and records of all cases are files together. */
function openRcaForm({ table, cells, beginSeconds, truth }: NamedCase): CaseFiles {
  if (truth.faults.length === 0) return []
  const day = dateText(beginSeconds).slice(0, 10).replaceAll('-', '_')
  const lines = cells.flatMap((row, index) =>
    table.columns.flatMap(({ entity, metric }, position) =>
      row[position] === '' ? [] : [[beginSeconds + table.seconds[index], entity, metric, row[position]]],
    ),
  )
  return [
    [
      `openrca/telemetry/${day}/metric/metric_container.csv`,
      csv([['timestamp', 'cmdb_id', 'kpi_name', 'value'], ...lines]),
    ],
  ]
}

/** The lines of a case in `record.csv` and `query.csv` of OpenRCA. */
interface OpenRcaLines {
  readonly records: string
  readonly query: string
}

export const openRcaHeads: OpenRcaLines = {
  records: 'level,component,timestamp,datetime,reason\n',
  query: 'task_index,instruction,scoring_points\n',
}

function openRcaLines({ beginSeconds, truth: { faults } }: NamedCase): OpenRcaLines {
  if (faults.length === 0) return { records: '', query: '' }
  const at = (seconds: number): string => dateText(beginSeconds + seconds)
  const records = faults.map(({ entity, kind, at_seconds: seconds }) => [
    'entity',
    entity,
    beginSeconds + seconds,
    at(seconds),
    kind,
  ])
  const points = faults.flatMap(({ entity, kind, at_seconds: seconds }, index) => {
    const which = faults.length === 1 ? 'only' : `${index + 1}-th`
    return [
      `The ${which} root cause occurrence time is within 1 minutes (i.e., <=1min) of ${at(seconds)}`,
      `The ${which} predicted root cause component is ${entity}`,
      `The ${which} predicted root cause reason is ${kind}`,
    ]
  })
  const instruction =
    `Within the time range from ${at(0)} to ${at(windowSeconds)} (UTC), ${faults.length === 1 ? 'one failure' : 'two failures'} ` +
    'began. Name the root cause occurrence datetime, component and reason of each.'
  return { records: csv(records), query: `task_7,"${instruction}","${points.join('\n')}\n"\n` }
}

export interface WrittenCase {
  readonly files: CaseFiles
  readonly openRca: OpenRcaLines
}

export function writeCase(
  content: Case,
  name: CaseName,
  command: string,
  forms: readonly CaseForm[],
): WrittenCase {
  const named = namedCase(content, name, command)
  const writers = { own: ownForm, rcaeval: rcaEvalForm, petshop: petShopForm, openrca: openRcaForm } as const
  return { files: forms.flatMap((form) => writers[form](named)), openRca: openRcaLines(named) }
}
