import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { bands } from '../../../src/contract/vocabularies.ts'
import { defaultSpeed } from '../../../src/contract/thresholds.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import type { SavedWorld } from '../../../src/world/simulation/world.ts'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { day, hour, minute } from '../../../src/world/simulation/time.ts'
import { runUntil } from '../simulation/scenarios/scripted-world.ts'

const promise = /(\d\d):(\d\d)(?:(?!\d\d:\d\d)[^.])*?: a (Watch|Minor|Major|Critical)\b/g
const withinMinutes = 10

const names = listScenarios().flatMap(({ name }) => (name === 'quiet-week' ? [] : [name]))
const warmups = names.map((name) => shippedScenario(name)!.warmup!)

/** The default world at the end of a warm-up; those of one rate of chance faults share their past. */
const pasts = new Map<number, Simulation>()
function worldAt(name: string): Simulation {
  const scenario = shippedScenario(name)!
  const warmUp = scenario.warmup!
  const options = { seed: 13n, scale: 'medium', speed: defaultSpeed, warmUp } as const
  const { spontaneity } = scenario
  const past =
    pasts.get(spontaneity) ?? createSimulation({ ...options, scenario: { ...scenario, steps: [] } })
  pasts.set(spontaneity, past)
  runUntil(past, warmUp)
  const saved = deserialize(serialize(past.savedWorld())) as SavedWorld
  const script = { ...(saved.parts['script'] as object), origin: warmUp }
  return createSimulation({ ...options, scenario }, { ...saved, parts: { ...saved.parts, script } })
}

test.each(names.toSorted((a, b) => warmups[names.indexOf(a)] - warmups[names.indexOf(b)]))(
  '%s shows what it promises, when it promises it',
  (name) => {
    const { description, warmup } = shippedScenario(name)!
    const promised = Array.from(description.matchAll(promise), ([, hours, minutes, band]) => {
      const ofDay = Number(hours) * hour + Number(minutes) * minute
      const sinceStart = ofDay - (warmup! % day)
      return { at: warmup! + sinceStart + (sinceStart < 0 ? day : 0), band }
    })
    expect(promised.length).toBeGreaterThanOrEqual(2)
    const world = worldAt(name)
    const bandOf = new Map<number, number>()
    const seen = promised.map(({ at }) => {
      let highest = -1
      runUntil(world, at + withinMinutes * minute, () => {
        for (const [id, incident] of world.state.incidents) {
          const band = bands.indexOf(incident.band)
          const rises = band > (bandOf.get(id) ?? -1)
          if (rises && world.state.now > at) highest = Math.max(highest, band)
          bandOf.set(id, band)
        }
      })
      return { at, band: bands[highest] }
    })
    expect(seen).toEqual(promised)
  },
)
