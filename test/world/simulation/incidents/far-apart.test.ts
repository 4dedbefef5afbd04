import { describe, expect, test } from 'vitest'
import {
  canExplain,
  createSimilarity,
  similarityMin,
} from '../../../../src/world/simulation/incidents/correlation/similarity.ts'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { endsOf, deviceOfPort } from '../../../../src/world/simulation/topology/entities.ts'
import { createRunningWorld } from '../running-world.ts'
import { symptomAt } from './symptom-fixture.ts'

/** Whether two symptoms of one zone belong to one incident. */
describe('in one zone', () => {
  const { state, blastRadius } = createRunningWorld(1n, 'medium')
  const { topology } = state
  const [zone] = topology.zones
  const similarity = createSimilarity(state, blastRadius)
  const silent = (row: number): Symptom => symptomAt('switch-silent', { kind: 'Switch', row })
  const deadGateway = symptomAt('gateway-silent', { kind: 'Gateway', row: zone.gateways[0] })
  const isOne = (a: Symptom, b: Symptom): boolean => similarity.between(a, b) >= similarityMin
  const [edge, otherEdge] = zone.edges
  const isPluggedIntoEdge = (cable: number): boolean =>
    endsOf(topology, cable).some((port) => {
      const device = deviceOfPort(topology, port)
      return device?.kind === 'Switch' && device.row === edge
    })
  const cables = topology.cables.rows
  const near = cables.find(isPluggedIntoEdge)!
  const far = cables.find((cable) => {
    const ports = endsOf(topology, cable)
    return (
      !isPluggedIntoEdge(cable) &&
      ports.some((port) => {
        const device = deviceOfPort(topology, port)
        return device?.kind === 'Gateway' && zone.gateways.includes(device.row)
      })
    )
  })!
  const errors = (row: number): Symptom => symptomAt('link-errors', { kind: 'Cable', row })

  test('a switch that is gone explains errors of its links, and no others', () => {
    expect(isOne(silent(edge), errors(near))).toBe(true)
    expect(isOne(silent(edge), errors(far))).toBe(false)
  })

  test('two that are gone are of one incident if one stands in for the other', () => {
    expect(topology.switches.rack[edge]).toBe(topology.switches.rack[otherEdge])
    expect(isOne(silent(edge), silent(otherEdge))).toBe(true)
    expect(isOne(silent(zone.cores[0]), silent(zone.cores[1]))).toBe(true)
    expect(isOne(silent(edge), silent(zone.cores[0]))).toBe(false)
    expect(isOne(silent(edge), silent(zone.edges[2]))).toBe(false)
    expect(isOne(silent(edge), deadGateway)).toBe(false)
  })

  test('a switch that is gone explains hosts that it cuts off, and none that has stopped', () => {
    const [host] = Array.from(blastRadius.hostsOf({ kind: 'Switch', row: edge }))
    const quiet = symptomAt('host-silent', { kind: 'Host', row: host })
    const root = {
      id: 1,
      kind: 'SwitchFailure',
      target: { kind: 'Switch', row: edge },
      endsBy: null,
      ended: null,
    } as const
    for (const isRunning of [1, 0]) {
      state.facility.hostRunning[host] = isRunning
      expect(isOne(silent(edge), quiet)).toBe(isRunning === 1)
      expect(canExplain(state, blastRadius, root, quiet)).toBe(isRunning === 1)
    }
  })

  test('a power feed that is gone may explain each', () => {
    const feed = symptomAt('feed-dead', { kind: 'PowerFeed', row: zone.feeds[0] })
    for (const other of [silent(edge), deadGateway]) expect(isOne(feed, other)).toBe(true)
  })

  test('a flood of traffic may come from afar', () => {
    const dropping = symptomAt('gateway-dropping', { kind: 'Gateway', row: zone.gateways[1] })
    expect(isOne(deadGateway, dropping)).toBe(true)
  })
})
