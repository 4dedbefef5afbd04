import { describe, expect, test } from 'vitest'
import { rhythm } from '../../../../src/world/simulation/faults/hazards/rhythm.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

describe('an incident', () => {
  test('whose symptom comes and goes says each time that it is back, up to a number', () => {
    const { state, faults, incidents, run } = createRunningWorld(3n, 'small')
    run(5 * minute)
    const target = { kind: 'Port', row: state.topology.hosts.firstPort[0] } as const
    faults.inject({ kind: 'PortFlap', target, magnitude: 1, lasts: null, rhythm: rhythm(10, 40) })
    run(6 * minute)
    const [{ timeline, headline }] = incidents.state.open.values()
    run(12 * hour)
    const entries = timeline.filter(({ kind }) => kind === 'SymptomSeen' || kind === 'SymptomsCleared')
    expect(entries.length).toBeGreaterThan(2)
    entries.forEach(({ kind }, index) => {
      expect(kind).toBe(index % 2 === 0 ? 'SymptomsCleared' : 'SymptomSeen')
    })
    const back = entries.filter(({ kind }) => kind === 'SymptomSeen').map(({ detail }) => detail)
    expect(back[0]).toBe(`Seen again: ${headline.text}`)
    expect(back.length).toBeLessThanOrEqual(6)
    expect(back.at(5) ?? ' It comes and goes.').toMatch(/ It comes and goes\.$/)
  })

  test('lasts until the same part is whole: a second SSD of the host belongs to it', () => {
    const { state, faults, incidents, work, run } = createRunningWorld(2n, 'small', 0, 10 * hour)
    run(10 * minute)
    const spec = { kind: 'DiskFailure', target: { kind: 'Host', row: 3 }, magnitude: 1, lasts: null } as const
    const first = faults.inject(spec)
    run(4 * minute)
    const [incident] = incidents.state.open.values()
    expect(incidents.diagnose(incident.id, null)).toBe(first)
    const second = faults.inject(spec)
    run(8 * hour, () => second.ended !== null && state.now - second.ended > 15 * minute)
    expect(first.ended).not.toBeNull()
    expect(second.ended! - first.ended!).toBeGreaterThan(15 * minute)
    expect(incidents.state.openedCount).toBe(1)
    const details = incident.timeline.map(({ detail }) => detail)
    const name = state.topology.hosts.name[3]
    expect(details).toContain(
      `A second one found: An SSD in ${name} has failed. Disk health of ${name}: 2 SSDs failed. The array is lost: it does not survive a second failure.`,
    )
    expect(details.at(-1)).toBe('Resolved: all effects have ended.')
    expect(work.state.finished.filter(({ kind }) => kind === 'Replace')).toHaveLength(2)
  })

  test('has what comes up after its cause diagnosed by its own name', () => {
    const { state, faults, incidents, run } = createRunningWorld(2n, 'small', 0, 10 * hour)
    run(10 * minute)
    const [feed] = state.topology.zones[0].feeds
    const lost = { kind: 'PowerFeedLoss', target: { kind: 'PowerFeed', row: feed } } as const
    faults.inject({ ...lost, magnitude: 1, lasts: 6 * hour })
    run(40 * minute)
    const [incident] = incidents.state.open.values()
    expect(incident.root?.kind).toBe('PowerFeedLoss')
    const [row] = state.topology.zones[0].hosts
    const supply = { kind: 'PowerSupplyFailure', target: { kind: 'Host', row } } as const
    const later = faults.inject({ ...supply, magnitude: 2, lasts: null })
    run(3 * hour, () => later.ended !== null)
    expect(later.incidentId).toBe(incident.id)
    const name = state.topology.hosts.name[row]
    const details = incident.timeline.map(({ detail }) => detail)
    expect(details).toContainEqual(expect.stringMatching(`started: Diagnose ".*${name}.*"\\.$`))
    expect(details).toContain(
      `Also found: A power supply in ${name} has failed. Power supplies of ${name}: 1 of 2 broken. The other one has no input voltage.`,
    )
  })
})
