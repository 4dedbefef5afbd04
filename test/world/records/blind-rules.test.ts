import { describe, expect, test } from 'vitest'
import { timelineKinds } from '../../../src/contract/vocabularies.ts'
import {
  blindFields,
  hideDiagnoses,
  hideMarks,
  hideOrders,
  isShownOrder,
} from '../../../src/world/records/blind.ts'

const observation = (label: string, value: string) => ({ label, value, detail: 'says much', likelihood: 4 })

const blind = (causes: readonly object[] = [], symptoms = new Set<object>()) =>
  blindFields(
    { headline: { kind: 'LinkDown' }, causes, symptoms } as never,
    timelineKinds.map((kind, at) => ({ at_ns: BigInt(at), kind, detail: `detail of ${kind}` })),
  )

describe('an incident of a blind world', () => {
  test('has no cause and no hint', () => {
    expect(blind()).toMatchObject({
      root_kind: 'Unknown',
      root_entity_id: null,
      rack_id: null,
      root_msg_args: [],
      confirmed: false,
      causes: [],
      hint_tier: 0,
      hint: null,
      evidence: [],
    })
    expect(blind().articles!.map(({ id }) => id)).toEqual(['symptom/link-down', 'cause/first-steps'])
  })

  test('has a timeline of symptoms, impact and the work of a team', () => {
    expect(blind().timeline!.map(({ detail }) => detail)).toEqual(
      [
        'detail of Opened, detail of SymptomSeen, detail of BandRaised, detail of BandLowered',
        'detail of WorkStarted, detail of WorkBlocked, detail of WorkDone, detail of WorkCalledOff',
        'detail of CustomersAffected, No symptoms remain., Resolved: no symptoms remain.',
      ].flatMap((line) => line.split(', ')),
    )
  })

  test('has each reading once, by name, without its meaning and its weight', () => {
    const causes = [
      { observations: [observation('**Fans** of h1', '**0** rpm'), observation('A', '1')] },
      { observations: [observation('Fans of h1', '0 rpm')] },
    ]
    const texts = blind(causes).evidence!.map((one) => Object.entries(one).join('; '))
    expect(texts).toEqual([
      'label,A; label_plain,A; value,1; value_plain,1; detail,; detail_plain,; leading,false',
      'label,**Fans** of h1; label_plain,Fans of h1; value,0 rpm; value_plain,0 rpm; detail,; detail_plain,; leading,false',
    ])
  })

  test('has all readings out of the ordinary, also more than ten', () => {
    const observations = Array.from({ length: 14 }, (_, nth) => ({
      ...observation(String.fromCodePoint(97 + nth), '1'),
      likelihood: nth < 2 ? 0.2 : 4,
    }))
    const { evidence } = blind([{ target: { kind: 'Host', row: 3 }, observations }])
    expect(evidence!.map(({ label_plain }) => label_plain).join('')).toBe('cdefghijklmn')
  })

  test('has ten readings where fewer are out of the ordinary, those out of the ordinary first and of them those of what has symptoms', () => {
    const observations = Array.from({ length: 12 }, (_, nth) => ({
      ...observation(String.fromCodePoint(97 + nth), '1'),
      likelihood: nth < 10 ? 0.2 : 4,
    }))
    const target = { kind: 'Appliance', row: 3 }
    const own = {
      target,
      observations: [observation('z', '1'), { ...observation('y', '1'), likelihood: 0.2 }],
    }
    const labelsOf = (causes: readonly object[], symptoms = new Set<object>()): string =>
      blind(causes, symptoms)
        .evidence!.map(({ label_plain }) => label_plain)
        .join('')
    expect(labelsOf([{ target: { kind: 'Host', row: 3 }, observations }])).toBe('klabcdefgh')
    expect(
      labelsOf([{ target: { kind: 'Host', row: 3 }, observations }, own], new Set([{ subject: target }])),
    ).toBe('zklyabcdef')
  })
})

test.each([
  ['Repair', { id: 1 }, false],
  ['Diagnose', null, false],
  ['Upkeep', null, true],
  ['Install', null, true],
])('a blind world shows an order to %s for the fault %j: %s', (kind, fault, isShown) => {
  expect(isShownOrder({ kind, fault } as never)).toBe(isShown)
})

test('an incident of a blind world lists the orders that are shown', () => {
  const [incident, resolved] = [{ work_order_ids: [3, 4] }, { work_order_ids: [3] }]
  const workOrders = [{ id: 4 }, { id: 5 }]
  hideOrders({ incidents: [incident], resolvedIncidents: [resolved], workOrders } as never)
  expect([incident, resolved]).toEqual([{ work_order_ids: [4] }, { work_order_ids: [] }])
})

test('a blind world shows no marks of faults and counts no diagnoses', () => {
  const switches = [{ broadcast_storm: true }]
  const cables = [{ is_failed: true }]
  hideMarks({ switches, cables } as never)
  expect([switches, cables]).toEqual([[{ broadcast_storm: false }], [{ is_failed: false }]])
  const diagnostics = {
    counts: { cables: 3, cables_failed: 2 },
    root_kinds_confirmed: [{ root_kind: 'CableCut', count: 2 }],
    root_kinds_confirmed_total: 1,
  }
  hideDiagnoses(diagnostics as never)
  expect(diagnostics).toEqual({
    counts: { cables: 3, cables_failed: 0 },
    root_kinds_confirmed: [],
    root_kinds_confirmed_total: 0,
  })
})
