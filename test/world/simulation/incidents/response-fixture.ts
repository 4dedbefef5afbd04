import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import { createCorrelator } from '../../../../src/world/simulation/incidents/correlation/correlator.ts'
import type { FaultInspector } from '../../../../src/world/simulation/incidents/diagnosis/inspection.ts'
import { createIncidentLifecycle } from '../../../../src/world/simulation/incidents/incident-lifecycle.ts'
import { createIncidents } from '../../../../src/world/simulation/incidents/incidents.ts'
import type { Incident, RootCause, Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { clearSymptom } from '../../../../src/world/simulation/incidents/response.ts'
import type { Response } from '../../../../src/world/simulation/incidents/response.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld, supplyPower } from '../quiet-world.ts'
import { symptomAt } from './symptom-fixture.ts'

const knowsNothing: FaultInspector = {
  attribute() {},
  inspect: () => null,
  attach() {},
  hasActive: () => false,
  endOf: ({ root }) => root?.ended ?? null,
  endedOf: () => [],
  release() {},
}

export const now = 100 * hour
export const host = (row: number) => ({ kind: 'Host', row }) as const
export const rootAt = (row: number): RootCause => ({
  id: row,
  kind: 'HostFailure',
  target: host(row),
  endsBy: null,
  ended: null,
})

/** Incident response of a quiet world, with the given inspector. */
export function responseWith(given: Partial<FaultInspector> = {}) {
  const { state: world, blastRadius, addTenant } = createQuietWorld(1n)
  world.now = now
  supplyPower(world)
  const inspector = { ...knowsNothing, ...given }
  const incidents = createIncidents(world, { blastRadius, catalog: causeCatalog, inspector })
  const { context, state } = incidents
  const lifecycle = createIncidentLifecycle(context, state)
  const correlator = createCorrelator(context, state, lifecycle)
  const response: Response = { context, state, lifecycle, correlator }
  let keys = 0
  const symptomOf = (signal: SignalName, subject: Subject, given: Partial<Symptom> = {}): Symptom =>
    symptomAt(signal, subject, { key: ++keys, since: now, ...given })
  const openWith = (...symptoms: readonly Symptom[]): Incident => {
    const incident = lifecycle.open(symptoms[0])
    for (const symptom of symptoms) lifecycle.join(incident, symptom, true)
    lifecycle.publish(incident)
    return incident
  }
  const open = (signal: SignalName = 'host-silent', subject: Subject = host(3)): Incident =>
    openWith(symptomOf(signal, subject))
  const clear = (incident: Incident): void =>
    [...incident.symptoms].forEach((symptom) => clearSymptom(response, symptom))
  return { world, incidents, response, blastRadius, addTenant, symptomOf, open, openWith, clear }
}
