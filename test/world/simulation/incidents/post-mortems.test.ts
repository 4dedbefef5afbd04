import { expect, test } from 'vitest'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import type { Incident } from '../../../../src/world/simulation/incidents/model.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { PostMortems } from '../../statistics/post-mortems.ts'
import { host, responseWith, rootAt } from './response-fixture.ts'

/** Post-mortems held against the truth. */

const noCauses = { trueCauses: 0, falseCauses: 0, unknownCauses: 0, wrongMerges: 0 }

test.each([
  ['a host that its customer left three minutes before', 3, 3, 'trueCauses'],
  ['a host that its customer left five minutes before', 3, 5, 'falseCauses'],
  ['a host that its customer never had', 4, 0, 'falseCauses'],
] as const)('%s', (_, row, minutes, expected) => {
  const { world, blastRadius, addTenant, open, response } = responseWith()
  const tenant = addTenant({ hosts: Int32Array.of(3), strandedUnits: 1 })
  const { state } = response
  const postMortems = new PostMortems(world, blastRadius, state)
  const look = (count: number): void => {
    for (let n = 0; n < count; n++, world.now += minute) postMortems.look()
  }
  look(1)
  Object.assign(tenant, { hosts: Int32Array.of(9) })
  look(minutes - 1)
  const incident: Incident = open('customer-stranded', { kind: 'Customer', id: tenant.id })
  expect(incident.band).toBe('Major')
  look(1)
  writable(incident, 'causes').root = { ...rootAt(row), began: world.now - 2 * minute } as Incident['root']
  response.lifecycle.close(incident, null)
  look(1)
  expect(postMortems.figures()).toEqual({ ...noCauses, [expected]: 1 })
})

test.each([
  ['has failed again', 3, 1, 'trueCauses'],
  ['has failed again, in another incident', 3, 2, 'falseCauses'],
  ['was well when another failed', 4, 1, 'falseCauses'],
] as const)('a host that failed an hour before and %s', (_, row, incidentId, expected) => {
  const { world, blastRadius, addTenant, open, response } = responseWith()
  const { id } = addTenant({ hosts: Int32Array.of(3), strandedUnits: 1 })
  const postMortems = new PostMortems(world, blastRadius, response.state)
  const incident = open('customer-stranded', { kind: 'Customer', id })
  const failed = {
    ...rootAt(3),
    began: world.now - 2 * hour,
    ended: world.now - hour,
    incidentId: 1,
  } as Fault
  const again = { ...failed, target: host(row), began: world.now, ended: null, incidentId }
  world.faults = { ...world.faults, active: [again], ended: [failed] }
  writable(incident, 'causes').root = failed
  postMortems.look()
  response.lifecycle.close(incident, null)
  postMortems.look()
  expect(postMortems.figures()).toEqual({ ...noCauses, [expected]: 1 })
})

test.each([
  ['a host, with a symptom at it', 'host-silent', host(3), host(3), 0],
  ['another host', 'host-silent', host(3), host(4), 1],
  ['a port of its link', 'link-errors', { kind: 'Cable', row: 0 }, { kind: 'Port', row: 0 }, 0],
] as const)('an incident that is part of one with the cause %s', (_, signal, at, target, wrongMerges) => {
  const { world, blastRadius, open, response } = responseWith()
  const postMortems = new PostMortems(world, blastRadius, response.state)
  const row = at.kind === 'Cable' ? world.topology.ports.cable[0] : at.row
  const part = open(signal, { ...at, row })
  const whole = open('host-fan', host(9))
  writable(whole, 'causes').root = { ...rootAt(3), target, began: world.now } as Incident['root']
  writable(part, 'symptoms').partOfId = whole.id
  postMortems.look()
  response.lifecycle.close(part, null)
  postMortems.look()
  expect(postMortems.figures()).toEqual({ ...noCauses, wrongMerges })
})
