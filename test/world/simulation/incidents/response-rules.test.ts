import { describe, expect, test } from 'vitest'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type { Incident, RootCause } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { inspectIncident, reviewIncident } from '../../../../src/world/simulation/incidents/response.ts'
import { day, hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { host, now, responseWith, rootAt } from './response-fixture.ts'

/** Resolution, inspection and retention of incidents, at and beside each limit. */

const lastOf = ({ timeline }: Incident): string => timeline.at(-1)!.detail

describe('an incident without symptoms', () => {
  test.each([
    ['an unknown cause that has ended', 3 * minute - 1, null, false, null, false],
    ['an unknown cause that has ended', 3 * minute, null, false, null, true],
    ['an unknown cause that lasts', 3 * minute, null, true, null, false],
    ['an unknown cause that lasts', 2 * hour - 1, null, true, null, false],
    ['an unknown cause that lasts', 2 * hour, null, true, null, true],
    ['a confirmed cause that has ended', 3 * minute - 1, rootAt(3), false, now, false],
    ['a confirmed cause that has ended', 3 * minute, rootAt(3), false, now, true],
    ['a confirmed cause that lasts', 3 * hour, rootAt(3), false, null, false],
  ])('of %s, after %d µs', (_, quietFor, root, isActive, ended, isResolved) => {
    const { response, open, clear } = responseWith({ hasActive: () => isActive, endOf: () => ended })
    const incident = open()
    writable(incident, 'causes').root = root
    clear(incident)
    writable(incident, 'symptoms').quietSince = now - quietFor
    reviewIncident(response, incident)
    expect(incident.resolved).toBe(isResolved ? now : null)
  })

  test.each<[string, (incident: Incident) => unknown, readonly RootCause[], string]>([
    [
      'nothing, if a cause is as likely as not',
      (incident) => (writable(incident, 'causes').causes[0].confidence = 50),
      [],
      'Resolved without a known cause.',
    ],
    [
      'a likely one',
      (incident) => (writable(incident, 'causes').causes[0].confidence = 51),
      [],
      'Resolved without a confirmed cause; suspected: failure of host NAME.',
    ],
    [
      'what another incident explains',
      (incident) => (writable(incident, 'causes').explainedBy = { incidentId: 9, root: rootAt(1) }),
      [],
      'Resolved as part of incident 9.',
    ],
    [
      'what it became part of before',
      (incident) => {
        writable(incident, 'causes').explainedBy = { incidentId: 9, root: rootAt(1) }
        writable(incident, 'symptoms').partOfId = 5
      },
      [],
      'Resolved as part of incident 5.',
    ],
    ['what was repaired', () => {}, [{ ...rootAt(3), ended: now }], 'Resolved: all effects have ended.'],
  ])('in the end has as its cause %s', (_, prepare, ended, text) => {
    const { world, response, open, clear } = responseWith({ endedOf: () => ended })
    const incident = open()
    prepare(incident)
    clear(incident)
    writable(incident, 'symptoms').quietSince = now - hour
    reviewIncident(response, incident)
    expect(lastOf(incident)).toBe(text.replace('NAME', world.topology.hosts.name[3]))
  })

  test.each<[boolean, RootCause | null, string]>([
    [true, null, 'The work has removed all symptoms.'],
    [false, null, 'No symptoms remain.'],
    [true, { ...rootAt(3), ended: now, endsBy: now + 1 }, 'The work has removed all symptoms.'],
    [true, { ...rootAt(3), ended: now, endsBy: now }, 'It has ended by itself.'],
  ])('says why, with work done: %s, of a cause %o', (isRemedied, root, text) => {
    const { open, clear } = responseWith()
    const incident = open()
    writable(incident, 'causes').root = root
    writable(incident, 'work').isRemedied = isRemedied
    clear(incident)
    expect(lastOf(incident)).toBe(text)
  })
})

describe('an incident with symptoms after its confirmed cause has ended', () => {
  test.each<[SignalName, string]>([
    ['host-silent', 'The cause has ended. Its last effects take up to 8 minutes to pass.'],
    ['host-hot', 'The cause has ended. The heat takes up to 25 minutes to pass.'],
  ])('says at once how long %s may last', (signal, text) => {
    const { response, open } = responseWith({ endOf: () => now })
    const incident = open(signal, host(3))
    writable(incident, 'causes').root = { ...rootAt(3), ended: now }
    reviewIncident(response, incident)
    expect(lastOf(incident)).toBe(text)
  })

  test.each<[SignalName, Subject, number | null, boolean]>([
    ['host-silent', host(3), 8 * minute - 1, false],
    ['host-silent', host(3), 8 * minute, true],
    ['host-hot', host(3), 25 * minute - 1, false],
    ['host-hot', host(3), 25 * minute, true],
    ['zone-hot', { kind: 'Zone', row: 0 }, 25 * minute - 1, false],
    ['zone-hot', { kind: 'Zone', row: 0 }, 25 * minute, true],
    ['host-silent', host(3), null, false],
  ])('%s at %o for %s µs is over: %s', (signal, subject, since, isOver) => {
    const ended = since === null ? null : now - since
    const { response, open } = responseWith({ endOf: () => ended })
    const incident = open(signal, subject)
    writable(incident, 'causes').root = { ...rootAt(3), ended }
    reviewIncident(response, incident)
    expect([incident.resolved, response.state.open.size]).toEqual([isOver ? now : null, 1])
    expect(response.state.openedCount).toBe(isOver ? 2 : 1)
  })

  test.each([
    [[2], 'incident 2'],
    [[3, 2], 'incidents 2 and 3'],
    [[4, 2, 3], 'incidents 2, 3 and 4'],
  ])('names its heirs %o: %s', (ids, text) => {
    const { response, open } = responseWith({ endOf: () => 0 })
    const incident = open()
    writable(incident, 'causes').root = rootAt(3)
    const correlator = { ...response.correlator, split: () => ids.map((id) => ({ id }) as Incident) }
    reviewIncident({ ...response, correlator }, incident)
    expect(lastOf(incident)).toBe(`Resolved: its cause has ended. What remains belongs to ${text}.`)
  })
})

test.each([
  [2, null, false],
  [3, null, true],
  [4, null, false],
  [7, null, true],
  [3, rootAt(3), false],
])('incident 1 weighs its causes at poll %i with the confirmed cause %o: %s', (poll, root, isDue) => {
  const { world, response, open } = responseWith()
  const incident = open()
  writable(incident, 'causes').root = root
  world.now = now + poll * 30 * second
  let sought = 0
  const correlator = { ...response.correlator, seekExplanation: () => void sought++ }
  reviewIncident({ ...response, correlator }, incident)
  expect(sought).toBe(isDue ? 1 : 0)
})

describe('an inspection', () => {
  interface Case {
    readonly found?: RootCause | null
    readonly explainedBy?: RootCause
    readonly from?: number
    readonly confirmedElsewhere?: RootCause
  }
  /** Result, whether host 3 stays suspected, confirmed cause, last timeline entry. */
  test.each<[string, Case, unknown, boolean, RootCause | null, string]>([
    [
      'that finds nothing',
      {},
      null,
      true,
      null,
      'An inspection found no active fault. The next one is due in 2 hours.',
    ],
    ['that finds the cause', { found: rootAt(3) }, rootAt(3), true, rootAt(3), 'has failed.'],
    ['of what another explains', { explainedBy: rootAt(1) }, rootAt(1), false, rootAt(1), 'has failed.'],
    ['of its host', { found: rootAt(3), from: 3 }, rootAt(3), true, rootAt(3), 'has failed.'],
    ['of another host', { found: rootAt(1), from: 3 }, 'elsewhere', false, null, 'Ruled out'],
    [
      'that finds the cause of another incident',
      { found: rootAt(3), confirmedElsewhere: rootAt(3) },
      rootAt(3),
      true,
      null,
      'Same cause as incident 1; continued there.',
    ],
  ])(
    '%s',
    (_, { found = null, explainedBy, from, confirmedElsewhere }, expected, isSuspected, root, text) => {
      const attached: unknown[] = []
      const { response, open } = responseWith({
        inspect: () => found,
        attach: (cause, id) => attached.push([cause, id]),
      })
      writable(open('host-silent', host(8)), 'causes').root = confirmedElsewhere ?? null
      const incident = open()
      if (explainedBy !== undefined)
        writable(incident, 'causes').explainedBy = { incidentId: 9, root: explainedBy }
      expect(inspectIncident(response, incident, from === undefined ? null : host(from))).toEqual(expected)
      expect(incident.root).toEqual(root)
      expect(attached).toEqual(root === null ? [] : [[root, 2]])
      expect(lastOf(incident)).toContain(text)
      const suspects = incident.causes.filter(({ target }) => target.kind === 'Host' && target.row === 3)
      expect(suspects.some(({ cleared }) => !cleared)).toBe(isSuspected)
    },
  )
})

describe('of resolved incidents', () => {
  test.each<[ages: readonly number[], more: number, kept: number]>([
    [[day], 0, 1],
    [[day + 1], 0, 0],
    [[day + 1, day], 0, 1],
    [[day + 2, day + 1, 0, 0], 0, 2],
    [[], 500, 500],
    [[0], 500, 500],
    [[day + 1, 0], 500, 500],
    [[day + 2, day + 1], 499, 499],
  ])('those resolved %o µs ago and %i now leave %i', (ages, more, kept) => {
    const { response } = responseWith()
    const { resolved } = response.state
    for (const age of ages) resolved.push({ resolved: now - age } as Incident)
    for (let n = 0; n < more; n++) resolved.push({ resolved: now } as Incident)
    response.lifecycle.dropExpired()
    expect(resolved.length).toBe(kept)
  })
})

describe('an incident of a gateway', () => {
  const gateway = { kind: 'Gateway', row: 0 } as const
  /** The hosts behind it are up; two of them cannot be reached. */
  function openCutOff(signal: SignalName) {
    const given = responseWith()
    const behind = Array.from(given.blastRadius.hostsOf(gateway))
    const { facility, network } = given.world
    facility.hostRunning.fill(1)
    network.hostReachable.fill(1)
    for (const row of behind.slice(0, 2)) network.hostReachable[row] = 0
    return { ...given, behind, incident: given.open(signal, gateway) }
  }
  test('affects the hosts behind it that are cut off', () => {
    const { incident, behind } = openCutOff('gateway-silent')
    expect([incident.impact.hosts, incident.impact.hostTotal]).toEqual([behind.slice(0, 2), 2])
  })

  test('grows by zones, and is quiet no longer', () => {
    const { incident, world, response, symptomOf } = openCutOff('gateway-silent')
    const [elsewhere] = world.topology.zones[1].hosts
    expect(incident.zones).toEqual([0])
    writable(incident, 'symptoms').quietSince = now
    response.lifecycle.join(incident, symptomOf('host-silent', host(elsewhere)), true)
    expect([incident.zones, incident.quietSince]).toEqual([[0, 1], null])
  })

  test('lists its work orders from the next refresh on, which changes it', () => {
    const { incident, response } = openCutOff('gateway-silent')
    const { version } = incident
    writable(incident, 'work').workOrderIds.push(7)
    response.lifecycle.refresh(incident)
    expect([incident.workOrdersShown, incident.version > version]).toEqual([1, true])
    response.lifecycle.refresh(incident)
    expect(incident.version).toBe(version + 1)
  })
})
