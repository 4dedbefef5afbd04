import { describe, expect, test } from 'vitest'
import { phaseLength, rhythm } from '../../../../src/world/simulation/faults/hazards/rhythm.ts'
import { survivingShare } from '../../../../src/world/simulation/network/links/frame-loss.ts'
import {
  announceSaturation,
  overflowGbps,
} from '../../../../src/world/simulation/network/links/saturation.ts'
import {
  fabricQueueMs,
  inspectionQueueMs,
  linkQueueMs,
} from '../../../../src/world/simulation/network/traffic/queueing.ts'
import { cableName } from '../../../../src/world/simulation/topology/entities.ts'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

test.each([
  [0, 0, 0, 0],
  [24.9, 0, 0, 0],
  [25, 0.004, 0.006_667, 0.03],
  [50, 0.012, 0.02, 0.09],
  [90, 0.108, 0.18, 0.81],
  [99.7, 3.988, 6, 6],
  [99.8, 6, 6, 6],
  [120, 6, 6, 6],
])('at %d of 100 Gbit/s packets wait for links, fabrics and inspection', (gbps, link, fabric, inspection) => {
  expect(linkQueueMs(gbps, 100)).toBeCloseTo(link, 6)
  expect(fabricQueueMs(gbps, 100)).toBeCloseTo(fabric, 6)
  expect(inspectionQueueMs(gbps, 100)).toBeCloseTo(inspection, 6)
})

/** The first cable, and the ports at its ends. */
function firstLink() {
  const { state } = createQuietWorld(1n, 8)
  const { cables } = state.topology
  const [cable] = cables.rows
  return { state, cable, port: cables.a[cable], peer: cables.b[cable] }
}

test('frames are lost by both ports and the cable, each of what the others leave', () => {
  const { state, cable, port, peer } = firstLink()
  const { condition } = state
  expect(survivingShare(state, port, peer)).toBe(1)
  condition.portLoss[port] = 0.5
  condition.portLoss[peer] = 0.2
  condition.cableLoss[cable] = 0.1
  expect(survivingShare(state, port, peer)).toBeCloseTo(0.36, 12)
})

test('what does not fit on a link is without what the wire lost', () => {
  const { state, port } = firstLink()
  const { network, condition } = state
  network.portTxGbps[port] = 6
  network.portDroppedGbps[port] = 3
  expect(overflowGbps(state, port)).toBe(3)
  Object.assign(network, { lossyLinks: 1 })
  condition.portLoss[port] = 0.25
  expect(overflowGbps(state, port)).toBeCloseTo(1, 9)
  network.portDroppedGbps[port] = 2
  expect(overflowGbps(state, port)).toBe(0)
  condition.portLoss[port] = 1
  expect(overflowGbps(state, port)).toBe(0)
})

describe('a link of 10 Gbit/s', () => {
  test.each([
    ['is saturated from 98.5 % for two minutes', 9.85, 1, ['', 'LinkSaturated', '']],
    ['is not below', 9.84, 1, ['', '', '']],
    ['nor without overflow', 10, 0, ['', '', '']],
  ])('%s', (_, gbps, dropped, expected) => {
    const { state, port } = firstLink()
    state.topology.ports.capacityGbps.fill(10)
    state.network.portTxGbps[port] = gbps
    state.network.portDroppedGbps[port] = dropped
    state.network.droppingPorts = dropped
    expect(expected.map(() => announced(state))).toEqual(expected)
  })

  test.each([1, 0])('recovers below 93 %% for two minutes, if it is up: %i', (up) => {
    const { state, cable, peer } = firstLink()
    state.network.portUp.fill(up)
    state.topology.ports.capacityGbps.fill(10)
    state.network.saturation.announced[cable] = 1
    state.network.saturation.watched = 1
    const loads = [9.3, 9.3, 9.29, 9.3, 9.29, 9.29, 0]
    const heard = loads.map((gbps) => {
      state.network.portTxGbps[peer] = gbps
      return announced(state)
    })
    expect(heard).toEqual(['', '', '', '', '', up ? 'LinkRecovered' : '', ''])
  })

  test('and those that are saturated with it, or recover with it, are one event, which names the busiest', () => {
    const { state, cable, port } = firstLink()
    const { network, topology } = state
    const { events } = state
    const told = (): string[] =>
      events.state.window.map(({ msg_key, msg_args }) => messageText(msg_key, msg_args))
    const count = topology.cables.rows.length
    topology.ports.capacityGbps.fill(10)
    network.portUp.fill(1)
    network.portTxGbps.fill(9.9)
    network.portTxGbps[port] = 9.96
    network.portDroppedGbps.fill(1)
    network.droppingPorts = 1
    expect([1, 2, 3].map(() => announced(state))).toEqual(['', 'LinkSaturated', ''])
    network.portTxGbps.fill(1)
    network.portTxGbps[port] = 2
    network.portUp[topology.cables.a[topology.cables.rows[3]]] = 0
    expect([1, 2, 3].map(() => announced(state))).toEqual(['', 'LinkRecovered', ''])
    const name = cableName(topology, cable)
    expect(told()).toEqual([
      `${count} links are saturated, among them ${name}: 10 of 10 Gbit/s.`,
      `${count - 1} links are no longer saturated, among them ${name}: 2 Gbit/s.`,
    ])
  })
})

function announced(state: ReturnType<typeof firstLink>['state']): string {
  const { window } = state.events.state
  const before = window.length
  announceSaturation(state)
  return window
    .slice(before)
    .map(({ kind }) => kind)
    .join(' ')
}

test.each([
  [false, 0, 5],
  [false, 0.5, 10],
  [false, 1, 15],
  [true, 0.5, 40],
])(
  'an intermittent fault of 10 minutes with 40 between (dormant %s, draw %d) turns after %i',
  (isDormant, draw, minutes) => {
    expect(phaseLength(rhythm(10, 40), isDormant, draw)).toBe(minutes * minute)
  },
)

test('a phase takes whole steps, at least one', () => {
  expect(phaseLength(rhythm(0, 0), false, 1)).toBe(10_000_000)
  expect(phaseLength(rhythm(1, 0), false, 0.57)).toBe(60_000_000)
})
