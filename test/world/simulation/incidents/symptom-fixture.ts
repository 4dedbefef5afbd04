import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'

/** A symptom when it is first seen. */
export function symptomAt(signal: SignalName, subject: Subject, given: Partial<Symptom> = {}): Symptom {
  const { since = 0, reading = 1 } = given
  const unassigned = { incidentId: null, leftIncidents: [] }
  const seen = { since, lastSeen: since, reading, worsenedAt: since, bestReading: reading }
  return { key: 1, signal, subject, ...seen, ...unassigned, ...given }
}
