import { describe, expect, test } from 'vitest'
import type { IncidentRecord } from '../../../../src/contract/collections.ts'
import { incidentName, symptomSentence } from '../../../../src/words/incidents.ts'
import type { Headline, Incident, Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { worstAffected } from '../../../../src/world/simulation/incidents/impact.ts'
import { headlineOf, retitle, titleByPeak } from '../../../../src/world/simulation/incidents/writers/title.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { symptomAt } from './symptom-fixture.ts'

const { state, addTenant } = createQuietWorld(1n)
const { hosts } = state.topology
const [firstRack] = hosts.rack
const inRack = Array.from(hosts.rack.keys()).filter((row) => hosts.rack[row] === firstRack)
const zone = state.topology.zones[0].displayName

let keys = 0
const symptom = (signal: SignalName, subject: Subject, reading = 1): Symptom =>
  symptomAt(signal, subject, { key: ++keys, reading, incidentId: 1, lastSeen: state.now })
const silent = (row: number) => symptom('host-silent', { kind: 'Host', row })
const portsOf = (cable: number): number[] =>
  [...state.topology.ports.cable.keys()].filter((port) => state.topology.ports.cable[port] === cable)
const fan = () => symptom('host-fan', { kind: 'Host', row: inRack[0] })
const unit = () => symptom('cooling-stopped', { kind: 'CoolingUnit', row: 0 })
const hot = () => symptom('zone-hot', { kind: 'Zone', row: 0 }, 34)
const silentSwitch = () => symptom('switch-silent', { kind: 'Switch', row: 0 })
const [customer, another] = [addTenant(), addTenant()]
const failing = (id: number, percent: number) =>
  symptom('customer-failing', { kind: 'Customer', id }, percent)
const [probing, breach] = (['customer-probed', 'customer-breached'] as const).map(
  (signal) => () => symptom(signal, { kind: 'Customer', id: customer.id }),
)
const breachText = 'An intruder is logged in at Customer 1.'
const flood = () => symptom('customer-flood', { kind: 'Customer', id: customer.id })

/** The fields of an incident that its title follows from. */
function titled(first: Symptom, ...others: readonly Symptom[]) {
  const headline = headlineOf(state, first)
  const incident = {
    headline,
    peakHeadline: headline,
    formerPeaks: [],
    peakHostCount: 0,
    symptoms: new Set([first, ...others]),
    // No symptom moves to another incident.
    symptomKeys: { has: () => true } as unknown as Set<number>,
    root: null,
    suspect: null,
    version: 0,
    lastChanged: 0,
  } as Partial<Incident> as Incident & { symptoms: Set<Symptom>; headline: Headline }
  retitle(state, incident)
  return incident
}

test.each([
  [0, 40],
  [1, 10],
])(
  'a customer that fails again %i µs after the end of the cause is titled in the end by %i %%',
  (after, reading) => {
    const first = failing(customer.id, 10)
    const incident = titled(first)
    const late = { ...first, since: 5, reading: 40 }
    Object.assign(incident, { root: { ended: late.since - after }, symptoms: new Set([late]) })
    retitle(state, incident)
    expect(incident.headline.reading).toBe(40)
    titleByPeak(state, incident)
    expect(incident.headline.reading).toBe(reading)
  },
)

const fanText = headlineOf(state, fan()).text
const hotText = headlineOf(state, hot()).text
const switchText = headlineOf(state, silentSwitch()).text
const floodText = headlineOf(state, flood()).text
const failingText = (id: number, percent: number) => headlineOf(state, failing(id, percent)).text
const hostText = (row: number) => headlineOf(state, silent(row)).text
const rackPlace = `rack ${state.topology.racks.name[firstRack]} in ${zone}`

test.each(['customer-probed', 'customer-flood'] as const)(
  'an intruder in the systems takes the title from %s, in the end too',
  (signal) => {
    const incident = titled(symptom(signal, { kind: 'Customer', id: customer.id }))
    incident.symptoms.add(symptom('customer-breached', { kind: 'Customer', id: customer.id }))
    retitle(state, incident)
    expect(incident.headline.text).toBe(`An intruder is logged in at ${customer.name}.`)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(`An intruder is logged in at ${customer.name}.`)
  },
)

test.each([
  ['zone', hot()],
  ['zone', unit()],
  ['zone', symptom('feed-dead', { kind: 'PowerFeed', row: 0 })],
  ['host', fan()],
  ['switch', silentSwitch()],
])('a record names the %s of a symptom by its id', (key, seen) => {
  expect(headlineOf(state, seen).args.at(-1)).toMatchObject({ key, number: 1, is_number: false })
})

test.each([
  ['customer-starved', 100, 'Batch jobs of Customer 1 stand still.'],
  ['customer-stranded', 1, 'A unit of Customer 1 is on a host that cannot serve it.'],
  ['customer-stranded', 3, '3 units of Customer 1 are on hosts that cannot serve them.'],
] as const)('%s of %i is a sentence', (signal, reading, text) => {
  const subject = { kind: 'Customer', id: customer.id } as const
  expect(headlineOf(state, symptom(signal, subject, reading)).text).toBe(text)
})

describe('the title of an incident says the gravest that is true now', () => {
  test.each<[string, Symptom[], string]>([
    ['a fan', [fan()], fanText],
    ['a stopped unit, then a hot zone', [unit(), hot()], hotText],
    ['a hot zone, then a fan', [hot(), fan()], hotText],
    ['a hot zone, then a switch that is down', [hot(), silentSwitch()], switchText],
    ['a switch that is down, then a host', [silentSwitch(), silent(inRack[0])], switchText],
    ['two hosts', inRack.slice(0, 2).map(silent), hostText(inRack[0])],
    ['three hosts of a rack', inRack.slice(0, 3).map(silent), `3 hosts in ${rackPlace} do not respond.`],
    [
      'three hosts of a zone',
      [
        silent(inRack[0]),
        silent(inRack[1]),
        silent(
          Array.from(hosts.rack.keys()).find(
            (row) => hosts.rack[row] !== firstRack && hosts.zone[row] === 0,
          )!,
        ),
      ],
      `3 hosts in ${zone} do not respond.`,
    ],
    [
      'a stopped unit, a hot zone and three hosts',
      [unit(), hot(), ...inRack.slice(0, 3).map(silent)],
      `${rackPlace} has overheated: 3 hosts are down.`,
    ],
    ['an attack, then a switch that is down', [flood(), silentSwitch()], floodText],
    ['a probing, then a break-in', [probing(), breach()], breachText],
    ['an attack, then a break-in', [flood(), breach()], breachText],
    [
      'a failing customer, then one that fails a little more',
      [failing(customer.id, 20), failing(another.id, 26)],
      failingText(customer.id, 20),
    ],
    [
      'a failing customer, then one a quarter graver',
      [failing(customer.id, 20), failing(another.id, 27)],
      failingText(another.id, 27),
    ],
    [
      'an attack, then three hosts',
      [flood(), ...inRack.slice(0, 3).map(silent)],
      `3 hosts in ${rackPlace} do not respond.`,
    ],
  ])('%s', (_, [first, ...others], text) => {
    expect(titled(first, ...others).headline.text).toBe(text)
  })

  test('and leaves a symptom that moved to another incident to that one, in the end too', () => {
    const incident = titled(fan(), failing(customer.id, 80))
    const [warning, moved] = incident.symptoms
    const grave = { headline: headlineOf(state, moved), peakHeadline: headlineOf(state, moved) }
    Object.assign(incident, grave, { symptomKeys: new Set([warning.key]) })
    incident.symptoms.delete(moved)
    retitle(state, incident)
    expect(incident.headline.text).toBe(fanText)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(fanText)
  })

  test('and is of an earlier one if the gravest moved and none is left', () => {
    const incident = titled(fan())
    const [warning] = incident.symptoms
    const moved = failing(customer.id, 80)
    incident.symptoms.clear()
    incident.symptoms.add(moved)
    retitle(state, incident)
    expect(incident.headline.text).toBe(failingText(customer.id, 80))
    Object.assign(incident, { symptomKeys: new Set([warning.key]) })
    incident.symptoms.clear()
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(fanText)
  })

  test.each([
    ['customer-failing', 'Customer', 20, 26, true],
    ['customer-failing', 'Customer', 20, 21, false],
    ['customer-failing', 'Customer', 20, 2, true],
  ] as const)('and follows its reading: %s of %s, %d and then %d', (...given) => {
    const [signal, kind, before, after, isFollowed] = given
    const subject = kind === 'Customer' ? { kind, id: customer.id } : { kind, row: 0 }
    const seen = symptom(signal, subject, before)
    const incident = titled(seen)
    Object.assign(incident, { root: { id: 1 } })
    seen.reading = after
    retitle(state, incident)
    const shown = symptom(signal, subject, isFollowed ? after : before)
    expect(incident.headline.text).toBe(headlineOf(state, shown).text)
  })

  test('and says until when it was so once nothing shows it, and follows it when it is back', () => {
    const seen = failing(customer.id, 53)
    const incident = titled(seen)
    const sentence = () => symptomSentence(recordOf(incident.headline))
    seen.lastSeen--
    retitle(state, incident)
    expect(sentence()).toBe(`Until 00:00: ${failingText(customer.id, 53)}`)
    seen.lastSeen++
    seen.reading = 7
    retitle(state, incident)
    expect(sentence()).toBe(failingText(customer.id, 7))
    titleByPeak(state, incident)
    expect(sentence()).toBe(failingText(customer.id, 53))
  })

  test.each([
    [151, 'The p99 latency of Customer 1 is 151 ms, above its SLA.'],
    [105, 'The p99 latency of Customer 1 is 105 ms, and was above its SLA.'],
  ])('and is of an SLA of 150 ms above it alone: %i ms', (p99Ms, text) => {
    Object.assign(customer, { p99Ms, p99BudgetMs: 150 })
    const slow = symptom('customer-slow', { kind: 'Customer', id: customer.id }, p99Ms)
    expect(headlineOf(state, slow).text).toBe(text)
    expect(worstAffected(state, [slow])).toBe(p99Ms > 150 ? slow : null)
  })

  test('and is in the end of a break-in, and not of the probing before and after it', () => {
    const incident = titled(probing())
    const broken = breach()
    incident.symptoms.add(broken)
    retitle(state, incident)
    expect(incident.headline.text).toBe(breachText)
    incident.symptoms.delete(broken)
    retitle(state, incident)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(breachText)
  })

  test('and is of no attack that is over', () => {
    const incident = titled(flood(), failing(customer.id, 20))
    expect(incident.headline.text).toBe(floodText)
    incident.symptoms.delete([...incident.symptoms][0])
    retitle(state, incident)
    expect(incident.headline.text).toBe(failingText(customer.id, 20))
  })

  test('and falls back when that is over, and shows the gravest again once it is resolved', () => {
    const incident = titled(unit(), hot(), ...inRack.slice(0, 4).map(silent))
    const gravest = `${rackPlace} has overheated: 4 hosts are down.`
    const { symptoms } = incident
    const [, , first, second, ...rest] = symptoms
    expect(incident.headline.text).toBe(gravest)
    symptoms.delete(first)
    retitle(state, incident)
    expect(incident.headline.text).toBe(`${rackPlace} has overheated: 3 hosts are down.`)
    symptoms.delete(second)
    retitle(state, incident)
    expect(incident.headline.text).toBe(hostText(inRack[2]))
    for (const one of rest) symptoms.delete(one)
    retitle(state, incident)
    expect(incident.headline.text).toBe(hotText)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(gravest)
  })

  test.each<[string, SignalName, (row: number) => Subject]>([
    ['the suspect', 'link-full', (row) => ({ kind: 'Cable', row })],
    ['the link of a suspected port', 'link-full', (row) => ({ kind: 'Port', row: portsOf(row)[0] })],
  ])('and names %s of several that are alike, in the end too', (_, signal, suspect) => {
    const [first, second] = [0, 1].map((row) => symptom(signal, { kind: 'Cable', row }, 2 - row))
    const incident = titled(first, second)
    expect(incident.headline).toEqual(headlineOf(state, first))
    Object.assign(incident, { suspect: suspect(1) })
    retitle(state, incident)
    titleByPeak(state, incident)
    expect(incident.headline).toEqual(headlineOf(state, second))
  })

  test('and does not leave a customer, or a count of hosts, for the suspect', () => {
    const slow = titled(failing(customer.id, 20), failing(another.id, 20))
    Object.assign(slow, { suspect: { kind: 'Customer', id: another.id } })
    retitle(state, slow)
    expect(slow.headline.customerId).toBe(customer.id)
    const counted = titled(...(inRack.slice(0, 3).map(silent) as [Symptom, ...Symptom[]]))
    const { text } = counted.headline
    Object.assign(counted, { suspect: { kind: 'Host', row: inRack[1] } })
    retitle(state, counted)
    expect(counted.headline.text).toBe(text)
    expect(counted.peakHeadline.text).toBe(text)
  })

  test('and is in the end of the switch that failed first of two', () => {
    const [first, second] = [silentSwitch(), symptom('switch-silent', { kind: 'Switch', row: 1 })]
    const incident = titled(first, second)
    const { text } = incident.headline
    incident.symptoms.delete(first)
    retitle(state, incident)
    expect(incident.headline.text).not.toBe(text)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(text)
  })

  test('and keeps one former title for each other symptom, however often they take turns', () => {
    const [one, other] = [failing(customer.id, 20), failing(another.id, 20)]
    const incident = titled(one)
    for (let turn = 1; turn <= 20; turn++) {
      const shown = turn % 2 === 0 ? one : other
      Object.assign(shown, { reading: failing(customer.id, 20 + 4 * turn).reading })
      incident.symptoms.clear()
      incident.symptoms.add(shown)
      retitle(state, incident)
      expect(incident.peakHeadline.symptomKey).toBe(shown.key)
    }
    expect(incident.formerPeaks.length).toBeLessThan(2)
  })

  test('a zone without voltage has lost all of its hosts, where that hurts a customer', () => {
    const { feedLive, hostRunning } = state.facility
    const { feeds, hosts: itsHosts } = state.topology.zones[0]
    const feedDead = () => symptom('feed-dead', { kind: 'PowerFeed', row: feeds[1] })
    const feedText = headlineOf(state, feedDead()).text
    feedLive[feeds[1]] = 0
    expect(titled(feedDead(), failing(customer.id, 20)).headline.text).not.toContain('hosts')
    feedLive[feeds[0]] = 0
    for (const row of itsHosts) hostRunning[row] = 0
    const text = `${itsHosts.length} hosts in ${zone} do not respond.`
    const incident = titled(feedDead(), failing(customer.id, 20))
    expect(incident.headline).toMatchObject({ text, kind: 'HostUnreachable' })
    expect(incident.peakHostCount).toBe(itsHosts.length)
    expect(titled(feedDead()).headline.text).toBe(feedText)
    for (const feed of feeds) feedLive[feed] = 1
    for (const row of itsHosts) hostRunning[row] = 1
    retitle(state, incident)
    expect(incident.headline.text).not.toBe(text)
    titleByPeak(state, incident)
    expect(incident.headline.text).toBe(text)
  })

  test('and reads as a sentence in records', () => {
    const { headline } = titled(...(inRack.slice(0, 3).map(silent) as [Symptom, ...Symptom[]]))
    expect(headline).toMatchObject({ kind: 'HostUnreachable', customerId: null, key: 'symptom.hosts-silent' })
    expect(symptomSentence(recordOf(headline))).toBe(`3 hosts in ${rackPlace} do not respond.`)
  })

  test('and names the zone that is hot', () => {
    expect(incidentName(recordOf(titled(hot()).headline))).toBe(`Watch incident 33: overheating, ${zone}`)
  })

  const recordOf = ({ key, args, kind }: Headline): IncidentRecord => {
    const symptom = { symptom_msg_key: key, symptom_msg_args: args, symptom_kind: kind }
    return { ...symptom, id: 33, band: 'Watch' } as unknown as IncidentRecord
  }
})
