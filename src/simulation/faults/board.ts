import { type Micros, minute, second } from '../time.ts'
import type { Case } from './case.ts'
import { type SignalName, signalNames, signals, type Subject, type SubjectKind } from './signals.ts'

/** Something that monitoring sees, from its first sight until it has been gone for a while. */
export interface Symptom {
  readonly key: number
  readonly signal: SignalName
  readonly subject: Subject
  readonly since: Micros
  seen: Micros
  /** The last reading, in the unit of the signal's message. */
  reading: number
  /** When it began, or last got much worse than it had been. */
  turned: Micros
  /** The best reading since then. */
  best: number
  /** The incident it belongs to; null until it has lasted long enough. */
  case: Case | null
}

/** A signal that has not been seen for so long has cleared. */
const clearedAfter: Micros = 2 * minute
/** One that was not told yet may be missed at one poll: what comes and goes hurts as well. */
const missedFor: Micros = 45 * second
/** A reading that has grown by this factor is another thing than it was. */
const muchWorse = 2

const subjectKinds: readonly SubjectKind[] = [
  'Host',
  'Switch',
  'Gateway',
  'Appliance',
  'Cable',
  'Port',
  'PowerFeed',
  'CoolingUnit',
  'Customer',
  'Pool',
  'Zone',
]
const signalIndex = Object.fromEntries(signalNames.map((name, index) => [name, index])) as Record<
  SignalName,
  number
>
const subjectIndex = Object.fromEntries(subjectKinds.map((name, index) => [name, index])) as Record<
  SubjectKind,
  number
>

const keyOf = (signal: SignalName, kind: SubjectKind, row: number): number =>
  (signalIndex[signal] * 16 + subjectIndex[kind]) * 2 ** 32 + row

/** Everything that monitoring sees now. */
export class SymptomBoard {
  private readonly symptoms = new Map<number, Symptom>()

  /** A signal is seen at a subject (its row; a customer's id). */
  see(signal: SignalName, kind: SubjectKind, row: number, reading: number, now: Micros): void {
    const key = keyOf(signal, kind, row)
    const known = this.symptoms.get(key)
    if (known !== undefined) {
      known.seen = now
      known.reading = reading
      if (reading < known.best) known.best = reading
      else if (reading >= muchWorse * known.best) {
        known.turned = now
        known.best = reading
      }
      return
    }
    const subject = (kind === 'Customer' ? { kind, id: row } : { kind, row }) as Subject
    this.symptoms.set(key, {
      key,
      signal,
      subject,
      since: now,
      seen: now,
      reading,
      turned: now,
      best: reading,
      case: null,
    })
  }

  /** Whether a signal is on the board: what is there must get clearly better to leave it. */
  shows(signal: SignalName, kind: SubjectKind, row: number): boolean {
    return this.symptoms.has(keyOf(signal, kind, row))
  }

  /** Takes off what has cleared and tells of it; gives what has lasted long enough to be told, devices first. */
  settle(now: Micros, cleared: (symptom: Symptom) => void): Symptom[] {
    const fresh: Symptom[] = []
    for (const [key, symptom] of this.symptoms) {
      if (now - symptom.seen > (symptom.case === null ? missedFor : clearedAfter)) {
        this.symptoms.delete(key)
        if (symptom.case !== null) cleared(symptom)
      } else if (
        symptom.case === null &&
        symptom.seen === now &&
        now - symptom.since >= signals[symptom.signal].after
      )
        fresh.push(symptom)
    }
    return fresh.toSorted((a, b) => a.key - b.key)
  }
}
