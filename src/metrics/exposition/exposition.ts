import type { Snapshot } from '../../contract/collections.ts'
import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { CollectorName } from '../declaration/collectors.ts'
import { families } from '../families/all.ts'
import type { Family, LabeledRows } from '../declaration/family.ts'
import { FamilyText } from './family-text.ts'
import { createLabelText } from './label-text.ts'
import type { LabelText } from './label-text.ts'
import { SampleColumns } from './sample-columns.ts'

interface ExpositionOptions {
  readonly collectors: readonly CollectorName[]
  /** The families to expose; all declared ones by default. */
  readonly families?: Readonly<Record<string, Family>>
  /** A monotonic clock in milliseconds. Without one, collector durations are not exposed. */
  readonly clock?: () => number
  /** Called when a collector starts to fail. */
  readonly onFailure?: (collector: CollectorName, error: unknown) => void
}

export interface Exposition {
  /**
   * The text of a snapshot: one chunk per family that has samples, ordered by name. The bytes belong to the
   * exposition and are valid until the next call. An unchanged family is returned as the identical chunk object,
   * a changed one as a new object.
   */
  render(snapshot: Snapshot): ExpositionChunk[]
}

interface SubjectTexts {
  readonly subject: LabeledRows<never, never>
  readonly labels: LabelText
  readonly columns: SampleColumns
  /** In the order of the columns. */
  readonly families: readonly FamilyText[]
}

interface CollectorTexts {
  readonly name: CollectorName
  readonly subjects: SubjectTexts[]
}

function textsOfSubject(
  subject: LabeledRows<never, never>,
  declared: readonly [string, Family][],
): SubjectTexts {
  const labels = createLabelText(subject)
  return {
    subject,
    labels,
    columns: new SampleColumns(declared.map(([, family]) => family)),
    families: declared.map(([name, family]) => new FamilyText(name, family, labels)),
  }
}

function textsOf(name: CollectorName, declared: Readonly<Record<string, Family>>): CollectorTexts {
  const own = Object.entries(declared).filter(([, { collector }]) => collector === name)
  const bySubject = Map.groupBy(own, ([, { subject }]) => subject)
  return { name, subjects: [...bySubject].map(([subject, entries]) => textsOfSubject(subject, entries)) }
}

const success = 'dcsim_mirror_collector_success'
const duration = 'dcsim_mirror_collector_duration_seconds'

/** Families about the exposition itself. */
export const collectorFamilies = {
  [success]: {
    type: 'gauge',
    unit: '',
    help: 'Whether the collector could make its samples at the last publish.',
    labels: ['collector'],
  },
  [duration]: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Wall time that the collector took at the last publish.',
    labels: ['collector'],
  },
} as const

const encoder = new TextEncoder()

const noRows = { items: [], parents: [] }

function ownChunk(
  name: keyof typeof collectorFamilies,
  values: ReadonlyMap<string, number>,
): ExpositionChunk {
  const lines = [...values].map(([collector, value]) => `${name}{collector="${collector}"} ${value}\n`)
  const { help, type } = collectorFamilies[name]
  return {
    family: name,
    bytes: encoder.encode(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`),
  }
}

export function createExposition(options: ExpositionOptions): Exposition {
  const { clock, onFailure } = options
  const declared: Readonly<Record<string, Family>> = options.families ?? families
  const texts = options.collectors.map((name) => textsOf(name, declared))
  let successes = ''
  let successChunk = ownChunk(success, new Map())
  /** Collectors that failed at the last publish: their cached text may mix two publishes. */
  const broken = new Set<CollectorName>()

  const collect = ({ subjects }: CollectorTexts, snapshot: Snapshot): ExpositionChunk[] => {
    const chunks: ExpositionChunk[] = []
    for (const { subject, labels, columns, families: subjectFamilies } of subjects) {
      const isUnknown = subject.part !== null && snapshot.unknown?.[subject.part] !== undefined
      const rows = isUnknown ? noRows : subject.rows(snapshot)
      const count = rows.items.length
      const sameUpTo = labels.update(rows)
      columns.update(rows)
      for (const [index, text] of subjectFamilies.entries()) {
        const chunk = text.update(columns.columns[index], count, sameUpTo, columns.changed[index] === 1)
        if (chunk !== null) chunks.push(chunk)
      }
    }
    return chunks
  }
  /** The collector's chunks; null if it failed. The next attempt then rebuilds its text from scratch. */
  const attempt = (index: number, snapshot: Snapshot): ExpositionChunk[] | null => {
    const { name } = texts[index]
    const wasBroken = broken.delete(name)
    if (wasBroken) texts[index] = textsOf(name, declared)
    try {
      return collect(texts[index], snapshot)
    } catch (error) {
      broken.add(name)
      if (!wasBroken) onFailure?.(name, error)
      return null
    }
  }
  return {
    render(snapshot) {
      const chunks: ExpositionChunk[] = []
      const succeeded = new Map<string, number>()
      const took = new Map<string, number>()
      for (const [index, { name }] of texts.entries()) {
        const startedAt = clock?.() ?? 0
        const made = attempt(index, snapshot)
        if (made !== null) for (const chunk of made) chunks.push(chunk)
        succeeded.set(name, made === null ? 0 : 1)
        if (clock !== undefined) took.set(name, (clock() - startedAt) / 1_000)
      }
      const now = [...succeeded.values()].join('')
      if (now !== successes) {
        successes = now
        successChunk = ownChunk(success, succeeded)
      }
      chunks.push(successChunk)
      if (clock !== undefined) chunks.push(ownChunk(duration, took))
      return chunks.toSorted((one, other) => (one.family < other.family ? -1 : 1))
    },
  }
}
