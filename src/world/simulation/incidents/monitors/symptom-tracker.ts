import type { Micros } from '../../time.ts'
import { minute, second } from '../../time.ts'
import type { Symptom } from '../model.ts'
import type { SignalName, Subject, SubjectKind } from './signals.ts'
import { signalNames, signals, subjectKinds } from './signals.ts'

/** A symptom that has not been seen for this long has cleared. */
const clearDelay: Micros = 2 * minute
/** The same before it is reported: one missed poll does not restart its delay, as intermittent trouble hurts too. */
const unreportedClearDelay: Micros = 45 * second
/** A reading that has grown by this factor marks a new problem. */
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

export interface SymptomTracker {
  /** Records that a signal is seen at a subject, given by its row or customer id. */
  report(signal: SignalName, kind: SubjectKind, row: number, reading: number, now: Micros): void
  /** Whether a signal is tracked at a subject. */
  has(signal: SignalName, kind: SubjectKind, row: number): boolean
  /**
   * Drops symptoms that have cleared, calling `onCleared` for those that belong to an incident. Returns those that
   * have lasted long enough to be reported and belong to none, devices first.
   */
  settle(now: Micros, onCleared: (symptom: Symptom) => void): Symptom[]
}

/** Tracks everything that monitoring sees, in `symptoms` by key. */
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
  has: (signal, kind, row) => symptoms.has(keyOf(signal, kind, row)),
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
