import type { Micros } from '../../time.ts'
import { minute, second } from '../../time.ts'
import type { Symptom } from '../model.ts'
import type { SignalName, Subject, SubjectKind } from './signals.ts'
import { signalNames, signals, subjectKinds } from './signals.ts'

/** Time without a detection after which a symptom has cleared. */
const clearDelay: Micros = 2 * minute
/** The same before the report: tolerates one missed poll, so that intermittent symptoms are reported too. */
const unreportedClearDelay: Micros = 45 * second
/** Growth of a reading that marks a new problem. */
const worsenedRatio = 2

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

export const isOfSignal = (key: number, signal: SignalName): boolean =>
  Math.floor(key / 2 ** 36) === signalIndex[signal]

export interface SymptomTracker {
  /** Records a signal at a subject, given by row or customer id. */
  report(signal: SignalName, kind: SubjectKind, row: number, reading: number, now: Micros): void
  /** Sees the symptoms of an earlier poll again. */
  repeat(polled: Micros, now: Micros): void
  /** Whether a signal is tracked at a subject. */
  has(signal: SignalName, kind: SubjectKind, row: number): boolean
  /** Whether a tracked signal is a symptom of an incident. */
  isReported(signal: SignalName, kind: SubjectKind, row: number): boolean
  /**
   * Drops cleared symptoms, and calls `onCleared` for those of an incident. Returns the unassigned symptoms that are
   * due for a report, devices first.
   */
  settle(now: Micros, onCleared: (symptom: Symptom) => void): Symptom[]
}

/** Tracks all signals of monitoring, in `symptoms` by key. */
export const createSymptomTracker = (symptoms: Map<number, Symptom>): SymptomTracker => ({
  report(signal, kind, row, reading, now) {
    const key = keyOf(signal, kind, row)
    const symptom = symptoms.get(key)
    if (symptom !== undefined) {
      update(symptom, reading, now)
      return
    }
    const subject = (kind === 'Customer' ? { kind, id: row } : { kind, row }) as Subject
    symptoms.set(key, {
      key,
      signal,
      subject,
      since: now,
      lastSeen: now,
      reading,
      worsenedAt: now,
      bestReading: reading,
      incidentId: null,
      leftIncidents: [],
    })
  },
  repeat(polled, now) {
    for (const symptom of symptoms.values()) if (symptom.lastSeen === polled) symptom.lastSeen = now
  },
  has: (signal, kind, row) => symptoms.has(keyOf(signal, kind, row)),
  isReported: (signal, kind, row) => typeof symptoms.get(keyOf(signal, kind, row))?.incidentId === 'number',
  settle(now, onCleared) {
    const due: Symptom[] = []
    for (const [key, symptom] of symptoms) {
      const isReported = symptom.incidentId !== null
      if (now - symptom.lastSeen > (isReported ? clearDelay : unreportedClearDelay)) {
        symptoms.delete(key)
        if (isReported) onCleared(symptom)
      } else if (
        !isReported &&
        symptom.lastSeen === now &&
        now - symptom.since >= signals[symptom.signal].delay
      )
        due.push(symptom)
    }
    return due.toSorted((a, b) => a.key - b.key)
  },
})

function update(symptom: Symptom, reading: number, now: Micros): void {
  symptom.lastSeen = now
  symptom.reading = reading
  if (reading < symptom.bestReading) symptom.bestReading = reading
  else if (reading >= worsenedRatio * symptom.bestReading) {
    symptom.worsenedAt = now
    symptom.bestReading = reading
  }
}
