import { expect, test } from 'vitest'
import { createSymptomAssignment } from '../../../../src/world/simulation/incidents/correlation/symptom-assignment.ts'
import type { Incident, Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import { symptomAt } from './symptom-fixture.ts'

test('two incidents do not hand a customer back and forth', () => {
  const { state, blastRadius } = createRunningWorld(3n, 'medium', 0, 10 * hour)
  const zone = 0
  const sufferers = state.tenants.active.filter(({ hosts }) =>
    hosts.some((host) => state.topology.hosts.zone[host] === zone),
  )
  const [victim, other, sufferer] = sufferers
  const seen = (signal: SignalName, id: number, incidentId: number): Symptom => {
    const key = 1_000 * incidentId + id
    return symptomAt(signal, { kind: 'Customer', id }, { key, since: state.now, reading: 10, incidentId })
  }
  const incidentWith = (id: number, ...symptoms: Symptom[]): Incident =>
    ({ id, root: null, symptoms: new Set(symptoms), symptomKeys: new Set() }) as unknown as Incident
  const weak = incidentWith(1, seen('customer-probed', victim.id, 1))
  const strong = incidentWith(2, seen('customer-flood', other.id, 2))
  const assignment = createSymptomAssignment(state, blastRadius)
  const failing = seen('customer-failing', sufferer.id, 1)
  const all = [weak, strong]
  expect(assignment.betterIncidentFor(failing, weak, all)).toBe(strong)
  failing.leftIncidents.push(weak.id)
  // Now the first incident explains the symptom better, but the second still explains it.
  writable(weak, 'symptoms').symptoms.add(seen('customer-flood', victim.id, 1))
  const probed = seen('customer-probed', other.id, 2)
  writable(strong, 'symptoms').symptoms.clear()
  writable(strong, 'symptoms').symptoms.add(probed)
  expect(assignment.betterIncidentFor(failing, strong, all)).toBeNull()
  expect(assignment.betterIncidentFor({ ...failing, leftIncidents: [] }, strong, all)).toBe(weak)
  // It returns only when the second incident no longer explains it.
  writable(strong, 'symptoms').symptoms.clear()
  expect(assignment.betterIncidentFor(failing, strong, all)).toBe(weak)
})
