import { describe, expect, test } from 'vitest'
import { threatClasses } from '../../../src/contract/vocabularies.ts'
import type { ThreatClass } from '../../../src/contract/vocabularies.ts'
import { truthLineOf } from '../../../src/world/records/operations/truth.ts'
import type { Fault } from '../../../src/world/simulation/faults/model.ts'
import { hour, minute, second } from '../../../src/world/simulation/time.ts'
import { touchedBy } from '../../../src/world/simulation/truth/view.ts'
import { createQuietWorld } from '../simulation/quiet-world.ts'
import { createRunningWorld } from '../simulation/running-world.ts'

/** A fault of the fourth host, 100 s after the world began. */
const fault = {
  id: 7,
  kind: 'HostFailure',
  target: { kind: 'Host', row: 3 },
  magnitude: 0.5,
  began: 100 * second,
  ended: null,
  endsBy: null,
  attack: null,
}

const incident = {
  id: 2,
  headline: { text: 'Two customers have failures' },
  bandSeenAt: new Map([
    ['Minor', 0],
    ['Watch', 0],
  ]),
  peakBand: 'Major',
  opened: 160 * second,
  resolved: 400 * second,
  root: { id: 7 },
  timeline: [
    { kind: 'CauseConfirmed', at: 200 * second },
    { kind: 'CauseConfirmed', at: 300 * second },
    { kind: 'Resolved', at: 400 * second },
  ],
}

interface Given {
  readonly fault?: object
  readonly incidents?: readonly object[]
  readonly customers?: ReadonlyMap<number, string>
  readonly ended?: number
  readonly begun?: Partial<Record<'script' | 'schedule' | 'injected', readonly number[]>>
}

function lineOf({ fault: about, incidents = [], customers = new Map(), ended, begun = {} }: Given) {
  const { state, blastRadius } = createQuietWorld(1n)
  const aftermath = (ids: readonly number[] = []) => ({ aftermath: { begun: new Set(ids) } })
  const script = { state: { ...aftermath(begun.script), schedule: aftermath(begun.schedule) } }
  const world = { state, parts: { blastRadius }, script, injected: { state: aftermath(begun.injected) } }
  return truthLineOf(
    world as never,
    {
      fault: { ...fault, ...about } as Fault,
      beganWallSeconds: 1_000.04,
      endedWallSeconds: ended ?? null,
      incidents: new Set(incidents),
      customers,
      revenueHurt: 1.236,
    } as never,
  )
}

describe('the line of a fault', () => {
  test('that is active says where it is and what it touches', () => {
    expect(lineOf({})).toEqual({
      fault: 7,
      kind: 'HostFailure',
      origin: 'random',
      entity: { kind: 'Host', id: 4, name: 'whm-a-b01-u06', place: 'rack B-01 in Westholm A' },
      magnitude: 0.5,
      begin: { sim_s: 100, wall_s: 1_000 },
      end: null,
      ended_by: null,
      touched: { host: ['4'], az: ['1'], rack: ['1'], zone: [], pool: ['1'], customer: [], incident: [] },
      incidents: [],
      alerts: [{ alert: 'DcsimHostDown', labels: { host: '4' } }],
      customers: [],
      revenue_hurt_dollars: 1.24,
      noticed_after_s: null,
      confirmed_after_s: null,
      repaired_after_s: null,
    })
  })

  test('has its incidents by their ids, with the times since it began', () => {
    const other = {
      ...incident,
      id: 1,
      opened: 90 * second,
      resolved: null,
      root: { id: 8 },
      bandSeenAt: new Map(),
    }
    expect(lineOf({ incidents: [incident, other] })).toMatchObject({
      incidents: [
        {
          id: 1,
          symptom: 'Two customers have failures',
          bands: ['Major'],
          opened_after_s: -10,
          confirmed_after_s: null,
          resolved_after_s: null,
        },
        {
          id: 2,
          bands: ['Watch', 'Minor', 'Major'],
          opened_after_s: 60,
          confirmed_after_s: 200,
          resolved_after_s: 300,
        },
      ],
      touched: { incident: ['1', '2'] },
      // An incident may be older than what it is attributed to.
      noticed_after_s: 0,
      confirmed_after_s: 200,
    })
  })

  test('without a confirmation has none', () => {
    expect(lineOf({ incidents: [{ ...incident, timeline: [] }] })).toMatchObject({
      noticed_after_s: 60,
      confirmed_after_s: null,
    })
  })

  test.each<[string, object, object]>([
    ['a repair', { endsBy: null }, { ended_by: 'repair', repaired_after_s: 50 }],
    ['a repair before its own end', { endsBy: 151 * second }, { ended_by: 'repair', repaired_after_s: 50 }],
    ['itself', { endsBy: 150 * second }, { ended_by: 'itself', repaired_after_s: null }],
  ])('was ended by %s', (_, about, expected) => {
    const ended = { ended: 150 * second, ...about }
    expect(lineOf({ fault: ended, ended: 1_050.16 })).toMatchObject({
      end: { sim_s: 150, wall_s: 1_050.2 },
      ...expected,
    })
    expect(lineOf({ fault: ended }).end).toEqual({ sim_s: 150, wall_s: 1_000 })
  })

  test.each([
    ['random', {}],
    ['random', { script: [8], schedule: [8], injected: [8] }],
    ['scenario', { script: [7] }],
    ['scenario', { schedule: [7] }],
    ['injected', { injected: [7] }],
    ['injected', { injected: [7], script: [7] }],
  ])('is %s after %j', (origin, begun) => {
    expect(lineOf({ begun }).origin).toBe(origin)
  })

  test('of a customer names it once, with the others in the order of their ids', () => {
    const customers = new Map([
      [9, 'Nine'],
      [4, 'Four'],
    ])
    const line = lineOf({ fault: { kind: 'Attack', target: { kind: 'Customer', id: 9 } }, customers })
    expect(line.touched['customer']).toEqual(['9', '4'])
    expect(line.customers).toEqual([
      { id: 4, name: 'Four' },
      { id: 9, name: 'Nine' },
    ])
    // Only the attacked one is under attack.
    expect(line.alerts).toEqual([
      { alert: 'DcsimCustomerUnderAttack', labels: { customer: '9' } },
      { alert: 'DcsimCustomerBreached', labels: { customer: '9' } },
    ])
  })

  test('of a host lists customers, and expects no alert about them', () => {
    const line = lineOf({ customers: new Map([[4, 'Four']]) })
    expect(line.touched['customer']).toEqual(['4'])
    expect(line.alerts.map(({ alert }) => alert)).toEqual(['DcsimHostDown'])
  })
})

test.each<[ThreatClass, appliances: readonly string[], saturated: number]>([
  ['Volumetric', ['fw1', 'fw2', 'scrub1'], 8],
  ['Protocol', ['fw1', 'fw2', 'scrub1'], 2],
  ['Application', ['fw1', 'fw2', 'scrub1', 'ips1', 'lb1', 'lb2'], 0],
])('a flood of class %s touches what stops it, and the links that it fills', (attackClass, names, count) => {
  const { state, faults, blastRadius, run } = createRunningWorld(13n, 'medium', 0, 10 * hour)
  const { topology, network, tenants, threats } = state
  run(10 * minute)
  const [busiest] = tenants.active.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)
  const target = { kind: 'Customer', id: busiest.id } as const
  const attack = faults.inject({ kind: 'Attack', target, magnitude: 60, lasts: hour, attackClass })
  run(6 * minute)
  const { link = [], gateway, appliance = [] } = touchedBy(state, blastRadius, attack)
  const { cables, appliances, gateways } = topology
  const drops = (port: number): boolean => network.portDroppedGbps[port] > 0
  const saturated = cables.rows.filter((row) => drops(cables.a[row]) || drops(cables.b[row]))
  expect(saturated).toHaveLength(count)
  expect(link).toEqual(expect.arrayContaining(saturated.map((row) => String(row + 1))))
  const kind = threatClasses.indexOf(attackClass)
  const reached = gateways.name.flatMap((_, row) =>
    threats.gatewayReaching[row * threatClasses.length + kind] > 1 ? [String(row + 1)] : [],
  )
  expect(gateway).toEqual(reached)
  expect(appliance.map((id) => appliances.name[Number(id) - 1].split('-').at(-1))).toEqual(names)
})
