import { describe, expect, test } from 'vitest'
import { noteFinding } from '../../../../src/world/simulation/incidents/diagnosis/further-diagnosis.ts'
import type { Band } from '../../../../src/contract/vocabularies.ts'
import {
  percent,
  readingCheck,
} from '../../../../src/world/simulation/incidents/diagnosis/cause-diagnosis.ts'
import {
  confirmCause,
  evidentRootCause,
  incidentOfEvidentCause,
  leadingCause,
  showClearestEvidence,
  suspectCauses,
  updateConfidence,
  newCause,
} from '../../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import { ruleOut } from '../../../../src/world/simulation/incidents/diagnosis/ruled-out.ts'
import { hintFor, hintTierAt, hintWithoutSuspect } from '../../../../src/world/simulation/incidents/hints.ts'
import { impactOf, noImpact, worstAffected } from '../../../../src/world/simulation/incidents/impact.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type {
  Cause,
  Impact,
  Incident,
  Observation,
} from '../../../../src/world/simulation/incidents/model.ts'
import {
  applyImpact,
  holdBand,
  showPeak,
} from '../../../../src/world/simulation/incidents/writers/severity.ts'
import { addTimelineEntry } from '../../../../src/world/simulation/incidents/writers/timeline.ts'
import type { ObservedWorld } from '../../../../src/world/simulation/state.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { sameTarget } from '../../../../src/world/simulation/topology/entities.ts'

/** The rules of incidents, each at its edges and beside them. */

const emitted: string[] = []
const worldAt = (now: number, rest: object = {}) =>
  ({
    now,
    events: { emit: (...args: unknown[]) => emitted.push(String(args[1])) },
    facility: { hostPowered: { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 } },
    ...rest,
  }) as unknown as ObservedWorld

const incidentOf = (fields: object = {}) =>
  ({
    id: 1,
    opened: 0,
    band: 'Watch',
    peakBand: 'Watch',
    impact: noImpact,
    peakImpact: noImpact,
    revenueAtRiskPerHour: 0,
    customersNoted: 0,
    bandSeenAt: new Map(),
    timeline: [],
    symptoms: new Set(),
    causes: [],
    ruledOut: [],
    findings: [],
    root: null,
    resolved: null,
    version: 0,
    lastChanged: 0,
    ...fields,
  }) as unknown as Incident

describe('the band of an impact', () => {
  interface Case {
    customers?: number
    signal?: string
    reading?: number
    tier?: string
    compliance?: string | null
    ofRevenue?: number
    fleet?: number
  }
  /** Customers with the same symptom, and $10 an hour of revenue each. */
  function impactWith(given: Case): Impact {
    const {
      customers = 1,
      signal = 'customer-failing',
      reading = 60,
      tier = 'Bronze',
      compliance = null,
    } = given
    const { ofRevenue = 1e6, fleet = 1000 } = given
    const tenant = (id: number) => ({
      id,
      tier,
      compliance,
      revenuePerHour: 10,
      p99Ms: reading,
      p99BudgetMs: 100,
      requestedUnits: 10,
    })
    const ids = Array.from({ length: customers }, (_, index) => index + 1)
    const byId = new Map(ids.map((id) => [id, tenant(id)]))
    const world = worldAt(0, { tenants: { byId, active: { length: fleet } }, facility: {}, network: {} })
    const symptoms = ids.map((id) => ({ signal, subject: { kind: 'Customer', id }, reading }))
    return impactOf({ world, blastRadius: undefined as never }, new Set(symptoms) as never, ofRevenue, [])
  }

  test.each<[string, Case, Band]>([
    ['no customer', { customers: 0 }, 'Watch'],
    ['one customer down', {}, 'Minor'],
    ['lost redundancy alone', { signal: 'customer-redundancy', reading: 1 }, 'Minor'],
    ['latency a little over the SLA', { signal: 'customer-slow', reading: 149 }, 'Watch'],
    ['latency at 1.5 times the SLA', { signal: 'customer-slow', reading: 150 }, 'Minor'],
    ['jobs that fall behind', { signal: 'customer-starved', reading: 90 }, 'Watch'],
    ['1 of 10 units stranded', { signal: 'customer-stranded', reading: 1 }, 'Watch'],
    ['2 of 10 units stranded', { signal: 'customer-stranded', reading: 2 }, 'Minor'],
    ['a breach', { signal: 'customer-breached', reading: 1 }, 'Major'],
    [
      'a breach under HIPAA of a Bronze customer',
      { signal: 'customer-breached', compliance: 'HIPAA' },
      'Major',
    ],
    [
      'a breach under HIPAA of a Gold customer',
      { signal: 'customer-breached', compliance: 'HIPAA', tier: 'Gold' },
      'Critical',
    ],
    [
      'a breach under SOC2 of a Gold customer',
      { signal: 'customer-breached', compliance: 'SOC2', tier: 'Gold' },
      'Major',
    ],
    ['a Gold customer at severity 0.49', { tier: 'Gold', reading: 26 }, 'Minor'],
    ['a Gold customer at severity 0.505', { tier: 'Gold', reading: 27 }, 'Major'],
    ['a Silver customer down', { tier: 'Silver' }, 'Minor'],
    ['a Platinum customer down', { tier: 'Platinum' }, 'Major'],
    ['1/24 of revenue', { ofRevenue: 240 }, 'Major'],
    ['less than 1/24 of revenue', { ofRevenue: 241 }, 'Minor'],
    ['1/9 of revenue, but of two customers', { customers: 2, ofRevenue: 180 }, 'Major'],
    ['1/9 of revenue', { customers: 3, ofRevenue: 270 }, 'Critical'],
    ['less than 1/9 of revenue', { customers: 3, ofRevenue: 271 }, 'Major'],
    ['a tenth of customers', { customers: 10, fleet: 100 }, 'Major'],
    ['less than a tenth of customers', { customers: 9, fleet: 100 }, 'Minor'],
    ['two ninths of customers', { customers: 20, fleet: 90 }, 'Critical'],
    ['less than two ninths of customers', { customers: 19, fleet: 90 }, 'Major'],
  ])('%s', (_, given, band) => {
    expect(impactWith(given).band).toBe(band)
  })

  test.each([
    ['customer-slow', 149, 0],
    ['customer-failing', 0, 0.27],
    ['customer-failing', 20, 0.63],
    ['customer-failing', 40, 0.99],
    ['customer-failing', 41, 1],
  ])('%s at %d counts as %d of a customer', (signal, reading, weight) => {
    expect(impactWith({ signal, reading, fleet: 10 }).customerShare).toBeCloseTo(weight / 10, 12)
  })

  test.each([
    ['customer-redundancy', 1, 'HIPAA'],
    ['customer-breached', 1, 'HIPAA'],
    ['customer-failing', 26, null],
    ['customer-failing', 27, 'HIPAA'],
  ])('%s at %d: compliance at risk %s', (signal, reading, compliance) => {
    expect(impactWith({ signal, reading, compliance: 'HIPAA' }).compliance).toBe(compliance)
  })
})

describe('the customer that is hit worst', () => {
  const tenants = {
    byId: new Map(
      [
        [1, 10, 100],
        [2, 20, 100],
        [3, 30, 400],
      ].map(([id, revenuePerHour, p99BudgetMs]) => [
        id,
        { id, revenuePerHour, p99BudgetMs, p99Ms: 300, requestedUnits: 10 },
      ]),
    ),
  }
  type Felt = readonly [id: number, signal: string, reading: number]
  const all = (...symptoms: readonly Felt[]): readonly Felt[] => symptoms
  const worst = (...symptoms: readonly Felt[]) =>
    worstAffected(
      worldAt(0, { tenants }),
      symptoms.map(([id, signal, reading]) => ({
        signal,
        reading,
        subject: { kind: 'Customer', id },
      })) as never,
    )?.subject

  test.each([
    ['by severity', all([1, 'customer-failing', 20], [2, 'customer-failing', 30]), 2],
    [
      'by a breach, rather than one of two failed requests',
      all([1, 'customer-failing', 26], [2, 'customer-breached', 1]),
      2,
    ],
    ['by more failed requests than that', all([1, 'customer-failing', 27], [2, 'customer-breached', 1]), 1],
    ['by reading at equal severity', all([1, 'customer-failing', 70], [2, 'customer-failing', 80]), 2],
    ['by latency over its own budget', all([1, 'customer-slow', 300], [3, 'customer-slow', 900]), 1],
    ['by revenue at equal readings', all([1, 'customer-failing', 70], [2, 'customer-failing', 70]), 2],
    ['the first of equals', all([2, 'customer-failing', 70], [2, 'customer-failing', 70]), 2],
    ['not by what it is only notified of', all([1, 'customer-redundancy', 1], [2, 'customer-slow', 110]), 2],
  ] as const)('%s', (_, symptoms, id) => {
    expect(worst(...symptoms)).toMatchObject({ id })
  })

  test('is none if none feels anything', () => {
    expect(worst([1, 'customer-redundancy', 1], [2, 'customer-flood', 9])).toBeUndefined()
  })
})

describe('the band of an incident', () => {
  const impact = (band: Band, changes: Partial<Impact> = {}): Impact => ({ ...noImpact, band, ...changes })

  test('rises at once and falls to the gravest of the last 20 minutes', () => {
    const incident = incidentOf()
    const bandAt = (now: number, band: Band): Band => {
      applyImpact(worldAt(now), incident, impact(band))
      return incident.band
    }
    expect(bandAt(0, 'Minor')).toBe('Minor')
    expect(bandAt(minute, 'Critical')).toBe('Critical')
    expect(bandAt(2 * minute, 'Major')).toBe('Critical')
    expect(bandAt(20 * minute, 'Watch')).toBe('Critical')
    expect(bandAt(21 * minute - 1, 'Watch')).toBe('Critical')
    expect(bandAt(21 * minute, 'Watch')).toBe('Major')
    expect(bandAt(22 * minute, 'Watch')).toBe('Watch')
    expect(incident.peakBand).toBe('Critical')
    expect(incident.timeline.map(({ detail }) => detail)).toEqual([
      'From Watch to Minor: redundancy is lost.',
      'From Minor to Critical: redundancy is lost.',
      'From Critical to Major.',
      'From Major to Watch.',
    ])
    expect(emitted).toEqual(Array(4).fill('IncidentBandChanged'))
  })

  test('is seen again by a poll without news, and falls as time passes', () => {
    const incident = incidentOf()
    applyImpact(worldAt(0), incident, impact('Major'))
    applyImpact(worldAt(minute), incident, impact('Minor'))
    holdBand(worldAt(19 * minute), incident, minute)
    expect(incident.band).toBe('Major')
    holdBand(worldAt(20 * minute), incident, 19 * minute)
    expect(incident.band).toBe('Minor')
    applyImpact(worldAt(39 * minute), incident, impact('Watch'))
    expect(incident.band).toBe('Minor')
    applyImpact(worldAt(40 * minute), incident, impact('Watch'))
    expect(incident.band).toBe('Watch')
  })

  test.each([
    [100, 105.2, 100],
    [100, 105.3, 105.3],
    [100, 95, 100],
    [100, 94.9, 94.9],
    [0, 0.01, 0.01],
  ])('of $%d an hour at risk: $%d is shown as $%d', (before, after, shown) => {
    const incident = incidentOf({
      impact: impact('Watch', { revenueAtRiskPerHour: before }),
      revenueAtRiskPerHour: before,
    })
    applyImpact(worldAt(1), incident, impact('Watch', { revenueAtRiskPerHour: after }))
    expect(incident.revenueAtRiskPerHour).toBe(shown)
    expect(incident.version).toBe(shown === before ? 0 : 1)
  })

  test.each([
    [false, 'Major'],
    [true, 'Minor'],
  ] as const)('rises unless it is the aftermath of a cause that has ended (%s): %s', (isAftermath, band) => {
    const incident = incidentOf({ band: 'Minor' })
    applyImpact(worldAt(0), incident, impact('Major'), isAftermath)
    expect(incident.band).toBe(band)
  })

  test('counts money that is too little for dollars in cents', () => {
    const incident = incidentOf()
    applyImpact(worldAt(0), incident, impact('Minor', { customers: [1], revenueAtRiskPerHour: 0.2 }))
    expect(incident.timeline.at(-1)!.detail).toBe(
      'From Watch to Minor: 1 customer and $0.20 an hour at risk.',
    )
  })

  test('notes customers when they have doubled', () => {
    const incident = incidentOf()
    for (const count of [1, 2, 3, 4, 7, 8])
      applyImpact(
        worldAt(count),
        incident,
        impact('Watch', { customers: Array.from({ length: count }, (_, id) => id) }),
      )
    expect(incident.timeline.map(({ detail }) => detail)).toEqual([
      '1 customer is affected.',
      '2 customers are affected.',
      '4 customers are affected.',
      '8 customers are affected.',
    ])
  })

  test('has the greatest of each figure at its peak, also of what its record did not follow', () => {
    const incident = incidentOf()
    const at = (now: number, changes: Partial<Impact>) =>
      applyImpact(worldAt(now), incident, impact('Minor', changes))
    at(1, { customers: [1, 2, 3], revenueAtRiskPerHour: 5, tier: 'Gold' })
    at(2, { customers: [1], revenueAtRiskPerHour: 9, tier: 'Silver', compliance: 'HIPAA' })
    at(3, { customers: [1], revenueAtRiskPerHour: 9.1, tier: 'Silver', compliance: 'HIPAA' })
    showPeak(worldAt(4), incident)
    expect(incident.impact).toMatchObject({
      customers: [1, 2, 3],
      revenueAtRiskPerHour: 9.1,
      tier: 'Gold',
      compliance: 'HIPAA',
    })
  })

  test.each([
    [{ revenueAtRiskPerHour: 5 }, { revenueAtRiskPerHour: 4, hostTotal: 9 }, 5],
    [{ revenueAtRiskPerHour: 5 }, { revenueAtRiskPerHour: 6 }, 6],
  ])('shows its impact at its peak in the end: %o then %o', (first, second_, revenueAtRiskPerHour) => {
    const incident = incidentOf()
    applyImpact(worldAt(1), incident, impact('Minor', { ...first, redundancyBroken: true }))
    applyImpact(worldAt(2), incident, impact('Minor', second_))
    showPeak(worldAt(3), incident)
    expect(incident.impact).toMatchObject({ revenueAtRiskPerHour, redundancyBroken: true })
    expect(incident).toMatchObject({ band: 'Minor', lastChanged: 3 })
  })
})

test.each([
  [[1], 3, [1, 2], 1, 3],
  [[1], 3, [1], 4, 4],
  [[1, 2, 3], 0, [], 3, 3],
])(
  'at equal revenue the peak has more customers and hosts: %o and %i, then %o and %i',
  (customers, hostTotal, nextCustomers, nextTotal, shown) => {
    const incident = incidentOf()
    applyImpact(worldAt(1), incident, { ...noImpact, customers, hostTotal })
    applyImpact(worldAt(2), incident, { ...noImpact, customers: nextCustomers, hostTotal: nextTotal })
    showPeak(worldAt(3), incident)
    expect(incident.impact.hostTotal).toBe(shown)
  },
)

describe('hints', () => {
  test.each([
    [0, 0],
    [5 * minute - 1, 0],
    [5 * minute, 1],
    [15 * minute - 1, 1],
    [15 * minute, 2],
    [35 * minute - 1, 2],
    [35 * minute, 3],
  ])('after %d µs have tier %d', (age, tier) => {
    expect(hintTierAt(age)).toBe(tier)
  })

  const general = 'Compare what the affected have in common: place, power, path or tenant.'
  const ofOne = 'Look at what changed last, then at its power, path, host and tenant.'
  test.each([
    [0, false, null],
    [1, false, general],
    [3, true, ofOne],
  ])('of tier %d without a suspect, for one customer at most: %s, are general', (tier, isOne, hint) => {
    expect(hintWithoutSuspect(tier, isOne)).toBe(hint)
  })

  test.each([
    [2, false, 'Look at the port.'],
    [3, false, 'Most likely: It is loose. Look at the port, starting at p1.'],
    [2, true, 'A reading supports the likeliest cause: have it confirmed and remedied.'],
    [
      3,
      true,
      'Most likely: It is loose. A reading supports the likeliest cause: have it confirmed and remedied.',
    ],
  ])('of tier %d about a suspect that a reading supports: %s get plainer', (tier, isSupported, hint) => {
    const diagnosis = { lookAt: 'Look at the port' } as never
    expect(hintFor(tier, diagnosis, 'p1', 'It is loose.', isSupported)).toBe(hint)
  })
})

describe('a timeline', () => {
  test.each([
    [['SymptomsCleared', 'Mitigated'], 'Mitigated'],
    [['Mitigated', 'WorkDone', 'Mitigated'], 'Mitigated'],
    [['SymptomsCleared', 'WorkDone', 'Mitigated'], null],
    [['Mitigated', 'SymptomSeen', 'Mitigated'], null],
  ] as const)('with the entries %j leaves out %s', (kinds, leftOut) => {
    const incident = incidentOf()
    for (const [at, kind] of kinds.entries()) addTimelineEntry(worldAt(at), incident, kind, kind)
    const expected = leftOut === null ? kinds : kinds.slice(0, -1)
    expect(incident.timeline.map(({ kind }) => kind)).toEqual(expected)
  })

  test('keeps 12 of its 80 entries for how the incident ends, and always that it is resolved', () => {
    const incident = incidentOf()
    const add = (kind: 'EvidenceFound' | 'WorkDone' | 'Resolved', times: number): number => {
      for (let n = 0; n < times; n++) addTimelineEntry(worldAt(n), incident, kind, `${n}`)
      return incident.timeline.length
    }
    expect(add('EvidenceFound', 67)).toBe(67)
    expect(add('EvidenceFound', 9)).toBe(68)
    expect(add('WorkDone', 11)).toBe(79)
    expect(add('WorkDone', 9)).toBe(80)
    expect(add('Resolved', 1)).toBe(81)
  })
})

test.each([
  [0.0004, '0.04 %'],
  [0.0999, '9.99 %'],
  [0.1, '10 %'],
  [0.104, '10 %'],
  [0.996, '100 %'],
])('evidence states a share of %d as %s', (share, text) => {
  expect(percent(share)).toBe(text)
})

test.each([
  [null, (): string => 'row 3', ['**db01**', 'row 3', 'Fine.', 0.2]],
  [null, '230 V', ['**db01**', '230 V', 'Fine.', 0.2]],
  ['0 V', '230 V', ['**db01**', '**0 V**', 'Dead.', 9]],
] as const)('a reading of %s is an observation', (value, usual, expected) => {
  const world = worldAt(0, { topology: { hosts: { name: ['', '', '', 'db01'] } } })
  const check = readingCheck({
    delay: 0,
    label: (name) => name,
    read: () => value,
    abnormal: ['Dead.', 9],
    normal: [usual, 'Fine.', 0.2],
  })
  const { label, value: shown, detail, likelihood } = check.observe(world, host(3), undefined as never)
  expect([label, shown, detail, likelihood]).toEqual(expected)
})

test('an incident without a confirmed cause ends with the clearest evidence of its suspects, and its time', () => {
  const reading = (value: string): Observation => ({
    label: 'Voltage',
    value,
    detail: 'Dead.',
    likelihood: 9,
  })
  const incident = incidentOf()
  const seen = (fields: object) => causeOf({ observations: [reading('230 V')], ...fields })
  const clearest = [reading('0 V')]
  const causes = [
    seen({ clearest, clearestAt: 14 * hour + 32 * minute }),
    seen({ clearest, clearestAt: 15 * hour }),
    seen({}),
    seen({ clearest, cleared: true }),
  ]
  writable(incident, 'causes').causes = causes
  showClearestEvidence(incident, 15 * hour)
  expect(causes.map(({ observations: [{ value, detail }] }) => `${value} ${detail}`)).toEqual(
    '0 V Dead. Read at 14:32., 0 V Dead., 230 V Dead., 230 V Dead.'.split(', '),
  )
})

const reading: Observation = { label: '', value: '', detail: '', likelihood: 1 }
const host = (row: number) => ({ kind: 'Host', row }) as const
const host1Failure = { kind: 'HostFailure', target: host(1) } as const
const causeOf = (fields: object = {}): Cause => newCause({ now: 0 }, { ...host1Failure, prior: 1, ...fields })

describe('confidence', () => {
  const contextAt = (
    now: number,
    likelihoods: Readonly<Record<string, number | undefined>> = {},
    isShortage = false,
  ) => {
    const catalog = new Proxy(
      {},
      {
        get: (_, kind: string) => ({
          message: 'cause.host-failure',
          isShortage,
          checks:
            likelihoods[kind] === undefined
              ? []
              : [
                  {
                    delay: 2 * minute,
                    observe: () => ({
                      label: 'l',
                      value: `${likelihoods[kind]}`,
                      detail: '',
                      likelihood: likelihoods[kind],
                    }),
                  },
                ],
        }),
      },
    )
    const topology = { hosts: { name: Array.from({ length: 90 }, (_, row) => `h${row}`) }, switches: {} }
    return {
      world: worldAt(now, { topology, tenants: { byId: new Map() } }),
      catalog,
      telemetry: {},
    } as never
  }
  const twoCauses = (first = 1, other = 1) =>
    incidentOf({
      symptoms: new Set([1]),
      causes: [causeOf({ prior: first }), causeOf({ kind: 'DiskFailure', prior: other })],
    })
  const shown = (incident: Incident) =>
    incident.causes.map(({ kind, confidence, cleared }) => [kind, confidence, cleared])

  test.each([
    // Equal priors, with 12 % of one for unsuspected causes: 1 / 2.12.
    [1, 1, [47, 47]],
    [1, 0.5, [62, 31]],
    [1, 0, [89, 0]],
    [0, 0, [0, 0]],
  ])('of priors %d and %d is %o percent', (first, other, expected) => {
    const incident = twoCauses(first, other)
    updateConfidence(contextAt(0), incident)
    expect(incident.causes.map(({ confidence }) => confidence)).toEqual(expected)
  })

  test('shows in the end the readings that supported a cause most', () => {
    const incident = twoCauses()
    for (const likelihood of [4, 6, 5, 0.5])
      updateConfidence(contextAt(2 * minute, { HostFailure: likelihood, DiskFailure: 2 }), incident)
    showClearestEvidence(incident, 2 * minute)
    const shownValues = incident.causes.map(({ kind, observations }) => `${kind} ${observations[0].value}`)
    expect(shownValues.toSorted()).toEqual(['DiskFailure 2', 'HostFailure 6'])
  })

  test('takes back that a cause was ruled out which is found after all', () => {
    const incident = twoCauses()
    ruleOut(contextAt(0), incident, incident.causes)
    noteFinding(contextAt(0), incident, { id: 1, ...host1Failure, endsBy: null, ended: null }, false)
    expect(shown(incident)).toEqual([
      ['HostFailure', 100, false],
      ['DiskFailure', 0, true],
    ])
    expect(incident.timeline.map(({ detail }) => detail)).toEqual([
      'Ruled out: failure of host h1; SSD failure in h1.',
      'Also found: Host h1 has failed. It was ruled out at 00:00, before it showed.',
    ])
  })

  test('never passes 95 % without an inspection', () => {
    const incident = twoCauses()
    updateConfidence(contextAt(2 * minute, { HostFailure: 1000 }), incident)
    expect(shown(incident)[0]).toEqual(['HostFailure', 95, false])
  })

  test('waits for its readings', () => {
    const incident = twoCauses()
    updateConfidence(contextAt(2 * minute - 1, { HostFailure: 1000 }), incident)
    expect(shown(incident)[0][1]).toBe(47)
  })

  test.each([
    [3, ['l: 3.']],
    [2.9, []],
  ])('evidence with likelihood %d is noted once: %o', (likelihood, expected) => {
    const incident = twoCauses()
    for (const now of [2, 3, 4])
      updateConfidence(contextAt(now * minute, { HostFailure: likelihood }), incident)
    expect(incident.timeline.map(({ detail }) => detail)).toEqual(expected)
  })

  test.each([
    // Below 3 %, with a clearly contradicting check.
    [0.05, true],
    [0.06, false],
  ])('a check with likelihood %d rules a cause out: %s', (likelihood, isRuledOut) => {
    const incident = twoCauses(1, 0.5)
    updateConfidence(contextAt(2 * minute, { DiskFailure: likelihood }), incident)
    const disk = incident.causes.find(({ kind }) => kind === 'DiskFailure')!
    expect(disk.cleared).toBe(isRuledOut)
  })

  test('a weak cause that nothing speaks plainly against stays', () => {
    const incident = twoCauses(1, 0.01)
    updateConfidence(contextAt(2 * minute, { DiskFailure: 0.3 }), incident)
    expect(shown(incident)[1]).toEqual(['DiskFailure', 0, false])
  })

  test.each([
    [false, 17 * minute - 1, 95],
    [false, 17 * minute, 47],
    [true, 6 * minute - 1, 95],
    [true, 6 * minute, 47],
  ])('plain evidence (shortage: %s) still counts after %d µs: %d percent', (isShortage, now, confidence) => {
    const incident = twoCauses()
    updateConfidence(contextAt(2 * minute, { HostFailure: 1000 }, isShortage), incident)
    updateConfidence(contextAt(now, { HostFailure: 1 }, isShortage), incident)
    expect(incident.causes.find(({ kind }) => kind === 'HostFailure')!.confidence).toBe(confidence)
  })

  test.each([
    [[1], 47],
    [[], 95],
  ])(
    'plain evidence that has passed 15 minutes before, with the symptoms %j: %d percent',
    (symptoms, shown) => {
      const incident = twoCauses()
      updateConfidence(contextAt(2 * minute, { HostFailure: 1000 }), incident)
      writable(incident, 'symptoms').symptoms.clear()
      for (const symptom of symptoms) writable(incident, 'symptoms').symptoms.add(symptom as never)
      updateConfidence(contextAt(17 * minute, { HostFailure: 1 }), incident)
      expect(incident.causes.find(({ kind }) => kind === 'HostFailure')!.confidence).toBe(shown)
    },
  )

  test('orders causes: confirmed, by confidence, ruled out last, then by name and row', () => {
    const incident = incidentOf({
      symptoms: new Set([1]),
      causes: [
        causeOf({ kind: 'PortFlap', prior: 0, cleared: true }),
        causeOf({ kind: 'HostFailure', target: host(2), prior: 0 }),
        causeOf({ kind: 'HostFailure', target: host(1), prior: 0 }),
        causeOf({ kind: 'DiskFailure', prior: 0 }),
        causeOf({ kind: 'FanFailure', prior: 1 }),
      ],
    })
    updateConfidence(contextAt(0), incident)
    expect(incident.causes.map(({ kind, target }) => `${kind} ${'row' in target ? target.row : ''}`)).toEqual(
      ['FanFailure 1', 'DiskFailure 1', 'HostFailure 1', 'HostFailure 2', 'PortFlap 1'],
    )
  })

  test('a cause that was ruled out leads nowhere', () => {
    const incident = twoCauses(1, 0)
    ruleOut(contextAt(0), incident, [incident.causes[0]])
    expect(incident.causes[0]).toMatchObject({ cleared: true, confidence: 0 })
    expect(leadingCause(incident)).toBeNull()
    expect(incident.timeline.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'CauseCleared: Ruled out: failure of host h1.',
    ])
  })

  test('a confirmed cause rules out all others but an attack that was observed', () => {
    const seen = (likelihood: number) => [{ label: '', value: '', detail: '', likelihood }]
    const incident = incidentOf({
      causes: [
        causeOf({ kind: 'DiskFailure' }),
        causeOf({ kind: 'Attack', observations: seen(3) }),
        causeOf({ kind: 'Attack', target: host(2), observations: seen(2.9) }),
        causeOf(),
      ],
    })
    const root = { id: 9, kind: 'HostFailure', target: host(1), endsBy: null, ended: null } as const
    confirmCause(contextAt(0), incident, root)
    expect(
      incident.causes.map(({ kind, confirmed, cleared, confidence }) => [
        kind,
        confirmed,
        cleared,
        confidence,
      ]),
    ).toEqual([
      ['HostFailure', true, false, 100],
      ['Attack', false, false, 0],
      ['Attack', false, true, 0],
      ['DiskFailure', false, true, 0],
    ])
    expect(incident).toMatchObject({ root, confirmed: true, rootKind: 'HostFailure', explainedBy: null })
  })

  describe('the evident cause of an incident without an inspection', () => {
    const fault = (id: number, kind: string, ended: number | null, endsBy: number | null) =>
      ({ id, kind, target: host(1), ended, endsBy }) as never
    test.each([
      ['shown by evidence', { isNoted: true, confidence: 30 }, [fault(1, 'HostFailure', 5, 5)], 1],
      ['too uncertain', { isNoted: true, confidence: 29 }, [fault(1, 'HostFailure', 5, 5)], null],
      ['never noted', { confidence: 90 }, [fault(1, 'HostFailure', 5, 5)], null],
      ['ruled out', { isNoted: true, confidence: 90, cleared: true }, [fault(1, 'HostFailure', 5, 5)], null],
      ['the last repaired', {}, [fault(1, 'FanFailure', 4, null), fault(2, 'PortFlap', 5, 9)], 2],
      ['repaired, not ended by itself', {}, [fault(1, 'FanFailure', 4, 5), fault(2, 'PortFlap', 9, 9)], 1],
      ['still there', {}, [fault(1, 'FanFailure', null, null)], null],
    ])('%s', (_, cause, ended, id) => {
      const incident = incidentOf({ causes: [causeOf(cause)] })
      expect(evidentRootCause(contextAt(0), incident, ended)?.id ?? null).toBe(id)
    })

    test.each([
      [null, 3],
      [hour, 3],
      [hour - second, null],
    ])('is that of another incident whose cause ended at %s: %s', (ended, id) => {
      const root = { kind: 'HostFailure', target: host(1), ended }
      const incident = incidentOf({ opened: hour, causes: [causeOf({ isNoted: true, confidence: 60 })] })
      const others = [incidentOf({ id: 2, root }), incidentOf({ id: 3, root }), incidentOf({ id: 4 })]
      expect(incidentOfEvidentCause(incident, [incident, ...others])).toBe(id)
    })
  })

  describe('a further symptom', () => {
    const bias = { uniform: (low: number, high: number) => (low + high) / 2 } as never
    const suspectsFor = (kind: string, weight: number, target: object = host(1)) =>
      ({
        'host-silent': [{ search: { find: () => [{ target, share: 1 }] }, causes: [{ kind, weight }] }],
      }) as never
    const symptom = { signal: 'host-silent', subject: host(1) } as const
    test.each([
      [1, 0.5, 1.175],
      [1, 1, 1.2],
      [0, 0.4, 0.14],
    ])('raises a prior of %d by 35 %% of %d, to %d at most', (prior, weight, expected) => {
      const incident = incidentOf({ causes: [causeOf({ prior })] })
      suspectCauses(worldAt(0), suspectsFor('HostFailure', weight), incident, symptom, bias)
      expect(incident.causes[0].prior).toBeCloseTo(expected, 9)
      expect(incident.causes[0]).toMatchObject({ isNoted: false, confirmed: false, cleared: false })
    })

    test.each([
      ['host-silent', 1],
      ['customer-failing', 1.175],
    ] as const)('of a customer raises no prior beside one %s', (signal, expected) => {
      const causes = [causeOf({ prior: 1 })]
      const symptoms = new Set([{ signal }])
      const incident = incidentOf({ causes, symptoms })
      const ofCustomer = { signal: 'customer-failing', subject: { kind: 'Customer', id: 1 } } as const
      const suspects = { 'customer-failing': suspectsFor('HostFailure', 0.5)['host-silent'] } as never
      suspectCauses(worldAt(0), suspects, incident, ofCustomer, bias)
      expect(incident.causes).toHaveLength(1)
      expect(incident.causes[0].prior).toBeCloseTo(expected, 9)
    })

    test.each([
      ['host-clock', 0.15],
      ['customer-slow', 1],
    ] as const)('of a customer suggests causes beside one %s at %d of their weight', (signal, expected) => {
      const incident = incidentOf({ symptoms: new Set([{ signal }]) })
      const ofCustomer = { signal: 'customer-failing', subject: { kind: 'Customer', id: 1 } } as const
      const suspects = { 'customer-failing': suspectsFor('DnsError', 1)['host-silent'] } as never
      suspectCauses(worldAt(0), suspects, incident, ofCustomer, bias)
      expect(incident.causes[0].prior).toBeCloseTo(expected, 9)
    })

    test.each([
      ['a new cause', {}, 1],
      ['none once 60 symptoms are known', { symptoms: { size: 61 } }, 0],
      ['one with 60 symptoms', { symptoms: { size: 60 } }, 1],
      ['none that was ruled out and displaced', { ruledOut: [{ kind: 'FanFailure', target: host(1) }] }, 0],
    ])('adds %s', (_, fields, count) => {
      const incident = incidentOf(fields)
      suspectCauses(worldAt(0), suspectsFor('FanFailure', 1), incident, symptom, bias)
      expect(incident.causes.length).toBe(count)
    })

    test('adds causes at two customers, but at no third', () => {
      const at = (id: number) => ({ kind: 'Customer', id }) as const
      const causes = [1, 1, 2].map((id) => causeOf({ kind: 'Attack', target: at(id) }))
      const incident = incidentOf({ causes })
      const suspectAt = (id: number): number => {
        suspectCauses(worldAt(0), suspectsFor('DnsError', 1, at(id)), incident, symptom, bias)
        return incident.causes.length
      }
      expect([suspectAt(3), suspectAt(2)]).toEqual([3, 4])
      for (const cause of incident.causes)
        if (sameTarget(cause.target, at(2))) Object.assign(cause, { cleared: true })
      expect(suspectAt(3)).toBe(5)
    })

    test('displaces no cause suspected at the same moment, which has no reading yet', () => {
      const causes = Array.from({ length: 16 }, (_, row) =>
        causeOf({
          target: host(row + 10),
          prior: row === 4 ? 0.3 : 0.4,
          confidence: 9,
          observations: [reading],
        }),
      )
      causes[15] = causeOf({ target: host(25), prior: 0.35, confidence: 0 })
      const incident = incidentOf({ causes })
      suspectCauses(worldAt(0), suspectsFor('FanFailure', 0.35), incident, symptom, bias)
      const rows = new Set(incident.causes.flatMap(({ target }) => ('row' in target ? [target.row] : [])))
      expect([rows.has(25), rows.has(14)]).toEqual([true, false])
    })

    test.each([
      [0.5, false],
      [0.51, true],
    ])(
      'of sixteen causes with a prior of 0.5, one of %d displaces the weakest: %s',
      (weight, isDisplaced) => {
        const causes = Array.from({ length: 16 }, (_, row) =>
          causeOf({
            target: host(row + 10),
            prior: 0.5,
            confidence: row === 4 ? 0 : 9,
            observations: [reading],
          }),
        )
        const incident = incidentOf({ causes })
        suspectCauses(worldAt(0), suspectsFor('FanFailure', weight), incident, symptom, bias)
        expect(incident.causes.length).toBe(16)
        expect(incident.causes.some(({ target }) => 'row' in target && target.row === 14)).toBe(!isDisplaced)
        expect(incident.ruledOut).toEqual([])
      },
    )

    test('displaces no observed attack, which another confirmed cause does not rule out', () => {
      const attack = causeOf({
        kind: 'Attack',
        target: { kind: 'Customer', id: 1 },
        prior: 0.1,
        confidence: 0,
        observations: [{ ...reading, likelihood: 3 }],
      })
      const others = Array.from({ length: 15 }, (_, row) => causeOf({ target: host(row + 10), prior: 0.5 }))
      const incident = incidentOf({ causes: [attack, ...others] })
      suspectCauses(worldAt(0), suspectsFor('FanFailure', 1), incident, symptom, bias)
      expect(incident.causes[0]).toBe(attack)
      expect(incident.causes.at(-1)).toMatchObject({ kind: 'FanFailure' })
    })

    test('displaces a cause that was ruled out first, which is not suspected again', () => {
      const causes = Array.from({ length: 16 }, (_, row) =>
        causeOf({ target: host(row + 10), prior: 1, cleared: row === 7 }),
      )
      const incident = incidentOf({ causes })
      suspectCauses(worldAt(0), suspectsFor('FanFailure', 0.1), incident, symptom, bias)
      expect(incident.ruledOut).toEqual([{ kind: 'HostFailure', target: host(17) }])
    })
  })
})
