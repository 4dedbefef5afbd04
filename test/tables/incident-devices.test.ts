import { expect, test } from 'vitest'
import { ownDeviceKinds } from '../../src/tables/engine/table-world.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { minute } from '../../src/world/simulation/time.ts'
import { runUntil, scenarioOf } from '../world/simulation/scenarios/scripted-world.ts'
import { crisisSnapshot, frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

test('a device that was ruled out as a cause has no part in the incident', async () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const devices = ownDeviceKinds
    .flatMap((kind) => world.devices(kind))
    .map((device) => world.nameOfDevice(device))
  const causes = rowsNamed('causes', world)
  const rows = rowsNamed('incidents', world)
  const incidentsOf = async (device: string) =>
    rowsNamed('incidents', world, { filters: new Map([['device', [device]]]) }).map(
      (row) => row['incident_id'],
    )
  const shown = { possible: [] as boolean[], ruledOut: [] as boolean[] }
  for (const device of devices) {
    const found = await incidentsOf(device)
    for (const { incident_id: id, symptom } of rows) {
      const named = causes.filter(
        (one) => one['incident_id'] === id && String(one['cause']).split(/[ .]/).includes(device),
      )
      if (named.length === 0 || String(symptom).includes(device)) continue
      const isPossible = named.some(({ state }) => state !== 'ruled out')
      shown[isPossible ? 'possible' : 'ruledOut'].push(found.includes(id))
    }
  }
  expect(new Set(shown.possible)).toEqual(new Set([true]))
  expect(new Set(shown.ruledOut)).toEqual(new Set([false]))
})

test('events of a link belong to the devices at its ends', () => {
  const target = { kind: 'Cable', role: 'edge-uplink', pick: 'first' }
  const scenario = scenarioOf([{ at: '1m', do: 'CableCut', target }])
  const cut = createSimulation({ seed: 2n, scale: 'small', speed: 60, warmUp: 0, scenario })
  runUntil(cut, 5 * minute)
  const world = worldOf(frameOf(cut.snapshot()))
  const linked = rowsNamed('events', world).flatMap((row) => {
    const [, ...ends] = /\bLink ([\w-]+)–([\w-]+) /.exec(String(row['what'])) ?? []
    return ends.map((end) => ({ row, end }))
  })
  expect(linked.length).toBeGreaterThan(0)
  for (const { row, end } of linked)
    expect(rowsNamed('events', world, { filters: new Map([['device', [end]]]) })).toContainEqual(row)
})
