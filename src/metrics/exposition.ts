import type { Snapshot } from '../contract/collections.ts'
import type { CollectorName } from './collectors.ts'
import { families } from './families/all.ts'
import type { Family, Subject } from './family.ts'
import { FamilyText } from './family-text.ts'
import { createLabelText } from './label-text.ts'
import type { LabelText } from './label-text.ts'
import { SampleColumns } from './sample-columns.ts'

/** The text of one metric family, HELP and TYPE lines included. */
export interface ExpositionChunk {
  readonly family: string
  readonly bytes: Uint8Array
}

export interface ExpositionOptions {
  readonly collectors: readonly CollectorName[]
  /** What is exposed; the declared families if left out. */
  readonly families?: Readonly<Record<string, Family>>
  /** A monotonic clock in milliseconds. Without one, how long collectors take is not told. */
  readonly clock?: () => number
  /** Told when a collector begins to fail. */
  readonly onFailure?: (collector: CollectorName, error: unknown) => void
}

export interface Exposition {
  /**
   * The text of a snapshot, a chunk for every family that has samples, ordered by name. The bytes are the
   * exposition's own: they hold until the next call and are to be copied before it. A family that has not
   * changed comes as the very same chunk as before, one that has as a new one.
   */
  render(snapshot: Snapshot): ExpositionChunk[]
}

interface SubjectTexts {
  readonly subject: Subject<never, never>
  readonly labels: LabelText
  readonly columns: SampleColumns
  /** In the order of the columns. */
  readonly families: readonly FamilyText[]
}

interface CollectorTexts {
  readonly name: CollectorName
  readonly subjects: SubjectTexts[]
}

function textsOfSubject(subject: Subject<never, never>, declared: readonly [string, Family][]): SubjectTexts {
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

/** What the exposition says about itself. */
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
  /** After a failure, what is kept of the collector's text may be half of one publish and half of another. */
  const broken = new Set<CollectorName>()

  const collect = ({ subjects }: CollectorTexts, snapshot: Snapshot): ExpositionChunk[] => {
    const chunks: ExpositionChunk[] = []
    for (const { subject, labels, columns, families: subjectFamilies } of subjects) {
      const rows = subject.rows(snapshot)
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
  /** The collector's chunks, or null when it failed. Its text is then begun afresh. */
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
