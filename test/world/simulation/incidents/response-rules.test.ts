import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import {
  confirmCause,
  confirmFound,
  newCause,
} from '../../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import { diagnoseAgain } from '../../../../src/world/simulation/incidents/diagnosis/further-diagnosis.ts'
import { isInSight } from '../../../../src/world/simulation/incidents/diagnosis/inspection.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type { Incident, RootCause } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import {
  clearSymptom,
  inspectIncident,
  reviewIncident,
} from '../../../../src/world/simulation/incidents/response.ts'
import { refreshHint } from '../../../../src/world/simulation/incidents/writers/hint.ts'
import { addTimelineEntry } from '../../../../src/world/simulation/incidents/writers/timeline.ts'
import { addWorkOrder, removeWorkOrder } from '../../../../src/world/simulation/incidents/writers/work.ts'
import { day, hour, minute, second } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { followEvents } from '../follow-events.ts'
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

  test('whose cause is known by its end alone says that it was the cause', () => {
    const { world, response, open, clear } = responseWith({ endedOf: () => [{ ...rootAt(3), ended: now }] })
    const incident = open()
    const says = followEvents(world)
    clear(incident)
    writable(incident, 'symptoms').quietSince = now - hour
    reviewIncident(response, incident)
    const text = `The cause was failure of host ${world.topology.hosts.name[3]}. It has ended.`
    expect(incident.timeline.findLast(({ kind }) => kind === 'CauseConfirmed')?.detail).toBe(text)
    const events = says().map(({ msg_key, msg_args }) => messageText(msg_key, msg_args))
    expect(events).toContain(`Incident ${incident.id}: cause confirmed. ${text}`)
  })

  test.each<[boolean, RootCause | null, string, boolean?]>([
    [true, null, 'The work has removed all symptoms.'],
    [false, null, 'No symptoms remain.'],
    [true, { ...rootAt(3), ended: now, endsBy: now + 1 }, 'The work has removed all symptoms.'],
    [true, { ...rootAt(3), ended: now, endsBy: now }, 'It has ended by itself.'],
    [true, { ...rootAt(3), ended: now }, 'No symptoms remain, but not all causes have ended.', true],
  ])('says why, with work done: %s, of a cause %o', (isRemedied, root, text, hasAnother = false) => {
    const { open, clear } = responseWith(hasAnother ? { endOf: () => null } : {})
    const incident = open()
    writable(incident, 'causes').root = root
    writable(incident, 'work').isRemedied = isRemedied
    clear(incident)
    const kind = text.startsWith('The work') ? 'Mitigated' : 'SymptomsCleared'
    expect(incident.timeline.at(-1)).toMatchObject({ kind, detail: text })
  })

  test('does not end by itself if work has ended another of its causes', () => {
    const { response, open, clear } = responseWith()
    const incident = open()
    confirmCause(response.context, incident, { ...rootAt(3), endsBy: now, ended: now })
    confirmFound(response.context, incident, rootAt(4))
    clear(incident)
    expect(lastOf(incident)).toBe('All its causes have ended.')
  })
})

describe('the hint of an incident whose cause is not confirmed', () => {
  const general = 'Look at what changed last, then at its power, path, host and tenant.'
  const lookAt = `${causeCatalog.HostFailure.lookAt}.`
  const supported = 'A reading supports the likeliest cause: have it confirmed and remedied.'
  test.each([
    [4, 95, 3, null],
    [5, 50, 3, general],
    [5, 51, 2.9, lookAt],
    [5, 51, 3, supported],
    [15, 50, 2.9, lookAt],
    [15, 50, 3, supported],
  ])(
    'after %d min, with a confidence of %d and a likelihood of %d',
    (minutes, confidence, likelihood, hint) => {
      const { world, response, open } = responseWith()
      const incident = open()
      const observations = [{ label: 'Console', value: 'halted', detail: '', likelihood }]
      writable(incident, 'causes').causes = [
        newCause(world, { kind: 'HostFailure', target: host(3), prior: 1, confidence, observations }),
      ]
      world.now += minutes * minute
      refreshHint(response.context, incident)
      expect(incident.hint).toBe(hint)
    },
  )
})

describe('an incident with symptoms after its confirmed cause has ended', () => {
  test.each<[SignalName, string]>([
    ['host-silent', 'The cause has ended. Its last effects take up to 8 min to pass.'],
    ['host-hot', 'The cause has ended. The heat takes up to 25 min to pass.'],
    ['link-full', 'The cause has ended. Its last effects take up to 3 min to pass.'],
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
    ['gateway-dropping', { kind: 'Gateway', row: 0 }, 3 * minute - 1, false],
    ['gateway-dropping', { kind: 'Gateway', row: 0 }, 3 * minute, true],
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

  test('waits for the heat where one symptom of several is of it', () => {
    const { response, openWith, symptomOf } = responseWith({ endOf: () => now })
    const incident = openWith(symptomOf('host-silent', host(3)), symptomOf('host-hot', host(3)))
    writable(incident, 'causes').root = { ...rootAt(3), ended: now }
    reviewIncident(response, incident)
    expect(lastOf(incident)).toBe('The cause has ended. The heat takes up to 25 min to pass.')
  })

  test.each([
    [[2], 'incident 2'],
    [[3, 2], 'incidents 2 and 3'],
    [[4, 2, 3], 'incidents 2, 3 and 4'],
  ])('names its heirs %o: %s', (ids, text) => {
    const { response, open } = responseWith({ endOf: () => 0 })
    const [incident, ...others] = [open(), open(), open(), open()]
    writable(incident, 'causes').root = rootAt(3)
    const correlator = { ...response.correlator, split: () => ids.map((id) => others[id - 2]) }
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
      'An inspection did not find the cause of the symptoms. The next one is due in 2 h.',
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

test.each<[SignalName, (given: ReturnType<typeof responseWith>) => void]>([
  ['feed-dead', ({ world }) => void (world.facility.feedLive[0] = 0)],
  ['host-fan', ({ world }) => void (world.condition.hostFanBroken[0] = 1)],
  [
    'switch-storm',
    ({ world }) => [world.facility.switchUp, world.condition.switchStorm].map((c) => c.fill(1)),
  ],
  ['appliance-silent', ({ world }) => void world.facility.applianceUp.fill(0)],
  ['customer-breached', ({ addTenant }) => void addTenant({ breached: true })],
])('a poll notices %s, from two minutes after the beginning on', (signal, prepare) => {
  const given = responseWith()
  const { world, incidents } = given
  prepare(given)
  // Monitoring polls at every third step, from the second on.
  world.tick = 1
  const noticedAfter = (age: number): boolean => {
    world.now = now + age
    incidents.step()
    return incidents.state.symptoms.values().some((symptom) => symptom.signal === signal)
  }
  expect([noticedAfter(2 * minute - 1), noticedAfter(2 * minute)]).toEqual([false, true])
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
  /** The hosts behind it are up, but for the last; two of them cannot be reached, nor can those of dead switches. */
  function openCutOff(signal: SignalName) {
    const given = responseWith()
    const behind = Array.from(given.blastRadius.hostsOf(gateway))
    const { facility, network } = given.world
    facility.hostRunning.fill(1)
    facility.switchUp.fill(1)
    network.hostReachable.fill(1)
    const edges = given.blastRadius.edgeSwitchesOf(behind.at(-2)!)
    for (const edge of edges) facility.switchUp[edge] = 0
    const isDark = (row: number) =>
      given.blastRadius.edgeSwitchesOf(row).every((edge) => edges.includes(edge))
    for (const row of behind) if (isDark(row)) network.hostReachable[row] = 0
    facility.hostRunning[behind.at(-1)!] = 0
    for (const row of [...behind.slice(0, 2), behind.at(-1)!]) network.hostReachable[row] = 0
    return { ...given, behind, incident: given.open(signal, gateway) }
  }
  test('affects the hosts behind it that are cut off', () => {
    const { incident, behind } = openCutOff('gateway-silent')
    expect([incident.impact.hosts, incident.impact.hostTotal]).toEqual([behind.slice(0, 2), 2])
  })

  test('keeps its first impact as that of its peak', () => {
    const { incident, response } = openCutOff('gateway-silent')
    response.lifecycle.close(incident, null)
    expect([incident.impact.hostTotal, incident.zones]).toEqual([2, [0]])
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

describe('an incident of several hosts', () => {
  test('names three further symptoms of a signal, and says that later ones are not listed', () => {
    const { world, openWith, symptomOf } = responseWith()
    const { name } = world.topology.hosts
    const incident = openWith(...[0, 1, 2, 3, 4, 5].map((row) => symptomOf('host-fan', host(row))))
    const seen = incident.timeline.filter(({ kind }) => kind === 'SymptomSeen').map(({ detail }) => detail)
    // The suspect is in the title.
    expect(incident.timeline[0].detail).toContain(name[2])
    expect(seen).toEqual([
      expect.stringContaining(name[1]),
      expect.stringContaining(name[0]),
      expect.stringContaining(name[3]),
      expect.stringMatching(/ Later ones like it are not listed\.$/),
    ])
    expect(seen.filter((text) => text.endsWith('not listed.'))).toHaveLength(1)
  })

  test('shows its gravest title once it is resolved', () => {
    const { response, open, symptomOf } = responseWith()
    const incident = open('host-fan', host(3))
    const { text: first } = incident.headline
    const silent = symptomOf('host-silent', host(4))
    response.lifecycle.join(incident, silent, true)
    reviewIncident(response, incident)
    const { text: gravest } = incident.headline
    clearSymptom(response, silent)
    reviewIncident(response, incident)
    expect([incident.headline.text === first, gravest === first]).toEqual([true, false])
    response.lifecycle.close(incident, null)
    expect(incident.headline.text).toBe(gravest)
  })

  test.each<[string, SignalName, row: number, isOfSame: boolean, endOf: number | null, count: number]>([
    ['with another symptom there', 'host-disk', 3, true, now, 0],
    ['with one of another incident there', 'host-disk', 3, false, now, 0],
    ['with one elsewhere', 'host-disk', 4, true, now, 1],
    ['with one that is no failed part', 'host-hot', 3, false, now, 1],
    ['with another cause that lasts', 'host-disk', 4, true, null, 0],
  ])('announces that host 3 is restored %s: %s of %i', (...given) => {
    const [, signal, row, isOfSame, end, count] = given
    const { world, response, open, openWith, symptomOf } = responseWith({ endOf: () => end })
    const [fan, other] = [symptomOf('host-fan', host(3)), symptomOf(signal, host(row))]
    const incident = isOfSame ? openWith(fan, other) : openWith(fan)
    if (!isOfSame) open(signal, host(row))
    response.state.symptoms.set(other.key, other)
    writable(incident, 'causes').root = { ...rootAt(3), ended: now }
    const eventsSince = followEvents(world)
    clearSymptom(response, fan)
    expect(eventsSince().map(({ kind }) => kind)).toEqual(Array(count).fill('PartRestored'))
  })

  test('announces in the end no part as restored that has failed in another incident', () => {
    const { world, response, openWith, symptomOf } = responseWith()
    const supply = symptomOf('switch-supply', { kind: 'Switch', row: 0 })
    const silent = symptomOf('switch-silent', { kind: 'Switch', row: 0 })
    const kindsAfter = (): unknown[] => {
      const incident = openWith(supply)
      const eventsSince = followEvents(world)
      response.lifecycle.close(incident, null)
      return eventsSince().map(({ kind }) => kind)
    }
    expect(kindsAfter()).toEqual(['PartRestored', 'IncidentResolved'])
    response.state.symptoms.set(silent.key, silent)
    expect(kindsAfter()).toEqual(['IncidentResolved'])
  })

  test('announces once that a host is restored whose fan and system had failed', () => {
    const { world, response, openWith, symptomOf } = responseWith()
    const [fan, silent] = [symptomOf('host-fan', host(3)), symptomOf('host-silent', host(3))]
    const incident = openWith(fan, silent)
    clearSymptom(response, silent)
    writable(incident, 'causes').root = { ...rootAt(3), ended: now }
    const eventsSince = followEvents(world)
    clearSymptom(response, fan)
    response.lifecycle.close(incident, null)
    expect(eventsSince().map(({ kind }) => kind)).toEqual(['PartRestored', 'IncidentResolved'])
  })

  test.each([
    ['none returns', () => null],
    ['its cause is removed', () => rootAt(3)],
    ['none returns', (now: number) => ({ ...rootAt(3), ended: now })],
  ])('without symptoms closes once or if %s', (closes, rootOf) => {
    const { world, response, openWith, symptomOf, clear } = responseWith()
    const incident = openWith(symptomOf('host-fan', host(3)))
    clear(incident)
    writable(incident, 'causes').root = rootOf(world.now)
    for (let polls = 0; polls < 2; polls++) reviewIncident(response, incident)
    expect(incident.hint).toMatch(new RegExp(`^No symptoms remain\\. It closes (?:once|if) ${closes}\\.$`))
  })

  test('announces what comes and goes once, and that it is restored when it is over', () => {
    const { world, response, openWith, symptomOf, clear } = responseWith()
    const eventsSince = followEvents(world)
    const fan = symptomOf('host-fan', host(3))
    const incident = openWith(fan)
    for (let returns = 0; returns < 8; returns++) {
      clear(incident)
      response.lifecycle.join(incident, fan, true)
    }
    clear(incident)
    for (let polls = 0; polls < 2; polls++) reviewIncident(response, incident)
    expect(incident.hint).toBe('It comes and goes, and has no symptoms now. It closes if none returns.')
    response.lifecycle.close(incident, null)
    const kinds = eventsSince().map(({ kind }) => kind)
    expect(kinds).toEqual(['PartFailed', 'IncidentOpened', 'PartRestored', 'IncidentResolved'])
  })

  test.each([
    [7, [8, 9]],
    [9, [7, 8]],
    [10, [7, 8, 9]],
  ])('without work order %i lists %o', (id, left) => {
    const { world, response, open } = responseWith()
    const incident = open()
    for (const each of [7, 8, 9]) addWorkOrder(incident, each)
    response.lifecycle.refresh(incident)
    const { version } = incident
    removeWorkOrder(world, incident, id)
    expect([incident.workOrderIds, incident.workOrdersShown]).toEqual([left, left.length])
    expect(incident.version).toBe(version + 3 - left.length)
  })
})

describe('a further diagnosis starts', () => {
  /** An incident with these symptoms, in minutes before its cause was confirmed (negative) or after. */
  const nextOf = (isConfirmed: boolean, ...symptoms: readonly (readonly [SignalName, Subject, number])[]) => {
    const { world, response, open, symptomOf } = responseWith()
    const incident = open('host-silent', host(3))
    if (isConfirmed) {
      writable(incident, 'causes').root = rootAt(3)
      addTimelineEntry(world, incident, 'CauseConfirmed', 'Known.')
    }
    for (const [signal, subject, minutes] of symptoms)
      response.lifecycle.join(incident, symptomOf(signal, subject, { since: now + minutes * minute }), true)
    writable(incident, 'symptoms').symptoms.delete([...incident.symptoms][0])
    const suspect = diagnoseAgain(world, incident)
    return { suspect, last: lastOf(incident) }
  }
  const zone: Subject = { kind: 'Zone', row: 0 }
  const customer: Subject = { kind: 'Customer', id: 1 }
  test.each<[string, Parameters<typeof nextOf>, Subject]>([
    ['at the suspect, until a cause is confirmed', [false, ['host-fan', host(5), 1]], host(3)],
    ['at the suspect, without later symptoms', [true, ['host-fan', host(5), -1]], host(3)],
    ['at a symptom of that moment', [true, ['host-fan', host(5), 0]], host(5)],
    ['at the latest', [true, ['host-fan', host(5), 1], ['host-fan', host(6), 2]], host(6)],
    ['at the first of two as late', [true, ['host-fan', host(5), 2], ['host-fan', host(6), 2]], host(5)],
    ['at the latest, not the last', [true, ['host-fan', host(5), 3], ['host-fan', host(6), 2]], host(5)],
    ['at no zone', [true, ['host-fan', host(5), 1], ['zone-hot', zone, 2]], host(5)],
    ['at a possible cause', [true, ['host-fan', host(5), 1], ['customer-slow', customer, 2]], host(5)],
    ['at a customer, if at nothing else', [true, ['customer-slow', customer, 2]], customer],
  ])('%s', (_, given, expected) => {
    expect(nextOf(...given).suspect).toEqual(expected)
  })

  test.each<[string, Parameters<typeof nextOf>, string]>([
    ['no reason', [false, ['host-supply', host(5), 1]], 'NAME reports a failed power supply.'],
    [
      'what came since',
      [true, ['host-supply', host(5), 1]],
      'Diagnosed again, as this came after the confirmation: NAME reports a failed power supply.',
    ],
    [
      'that symptoms remain',
      [true, ['host-supply', host(5), -1]],
      'Diagnosed again, as symptoms remain, and there may be another cause.',
    ],
  ])('for %s', (_, given, expected) => {
    expect(nextOf(...given).last.replace(/Host \S+ in .+ reports/, 'NAME reports')).toBe(expected)
  })
})

describe('an inspection that starts', () => {
  const { world, blastRadius, addTenant } = responseWith()
  const { topology } = world
  const [zone, otherZone] = topology.zones
  addTenant({ hosts: Int32Array.of(zone.hosts[0]) })
  const at = {
    host: host(zone.hosts[0]),
    elsewhere: host(otherZone.hosts[0]),
    edge: { kind: 'Switch', row: zone.edges[0] },
    edgeElsewhere: { kind: 'Switch', row: otherZone.edges[0] },
    feed: { kind: 'PowerFeed', row: zone.feeds[0] },
    cooling: { kind: 'CoolingUnit', row: zone.coolingUnits[0] },
    coolingElsewhere: { kind: 'CoolingUnit', row: otherZone.coolingUnits[0] },
    pool: { kind: 'Pool', row: topology.hosts.pool[zone.hosts[0]] },
    customer: { kind: 'Customer', id: 1 },
  } as const satisfies Record<string, FaultTarget>
  test.each<[keyof typeof at, keyof typeof at, boolean]>([
    ['customer', 'coolingElsewhere', true],
    ['edge', 'edge', true],
    ['host', 'edge', true],
    ['host', 'elsewhere', false],
    ['host', 'feed', true],
    ['edge', 'cooling', true],
    ['edge', 'feed', true],
    ['edge', 'edgeElsewhere', false],
    ['feed', 'cooling', true],
    ['cooling', 'feed', true],
    ['cooling', 'coolingElsewhere', false],
    ['feed', 'edge', false],
    ['cooling', 'host', false],
    ['pool', 'host', true],
    ['pool', 'customer', true],
    ['pool', 'edge', false],
  ])('at %s finds a fault of %s: %s', (from, target, isFound) => {
    expect(isInSight(world, blastRadius, at[from], at[target])).toBe(isFound)
  })
})

test('the worst affected customer opens the timeline, and no sentence of it stands twice', () => {
  const { addTenant, openWith, symptomOf } = responseWith()
  const seen = [10, 11, 12, 13, 40].map((reading) =>
    symptomOf('customer-failing', { kind: 'Customer', id: addTenant().id }, { reading }),
  )
  const { timeline, headline } = openWith(...seen)
  expect(timeline[0].detail).toBe(headline.text)
  const percents = timeline.map(({ detail }) => Number.parseInt(detail, 10))
  expect(percents).toEqual([40, 11, 12, 13, 10])
})
