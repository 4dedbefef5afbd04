import { beforeAll, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { causeNames } from '../../src/contract/messages/incident-causes.ts'
import { messageText } from '../../src/contract/messages/catalog.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { tables } from '../../src/tables/catalog.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { shippedScenario } from '../../src/world/scenarios/shipped.ts'
import type { Simulation } from '../../src/world/records/simulation.ts'
import { faultActions } from '../../src/world/simulation/faults/kinds.ts'
import type { ScenarioAction } from '../../src/world/simulation/scenarios/scenario.ts'
import { createAftermath, perform, targetsOf } from '../../src/world/simulation/scenarios/perform.ts'
import { hour, minute } from '../../src/world/simulation/time.ts'
import { frameOf, rowsOf, textCells, worldOf } from './framed-worlds.ts'

const warmUp = hour
const kinds = Object.keys(faultActions) as (keyof typeof faultActions)[]

const blindWorld = (): Simulation =>
  createSimulation({
    seed: 5n,
    scale: 'small',
    speed: 60,
    scenario: shippedScenario('quiet-week'),
    warmUp,
    blind: true,
  })

function runUntil(world: Simulation, at: number): void {
  while (world.state.now < at) world.step()
}

const actionOf = (action: keyof typeof faultActions): ScenarioAction => {
  const { targets, magnitude, duration } = faultActions[action]
  const target = {
    kind: targets[0],
    id: null,
    zone: null,
    name: null,
    role: null,
    side: null,
    tier: null,
  } as const
  return {
    action,
    target: { ...target, pick: 'busiest', count: 1, share: null },
    magnitude: magnitude?.defaultValue ?? 1,
    duration: duration === 'required' ? hour : null,
    attackClass: action === 'Attack' ? 'Volumetric' : null,
  }
}

/** Texts among the values of records; keys are the same in every world. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/** Everything that is published about a snapshot, in words: records, events, metrics, tables and pictures. */
async function publishedTexts(snapshot: Snapshot): Promise<string[]> {
  const exposition = createExposition({
    collectors: collectorNames,
    onFailure(_, error) {
      throw error
    },
  })
  const samples = exposition.render(snapshot).flatMap(({ bytes }) =>
    new TextDecoder()
      .decode(bytes)
      .split('\n')
      .filter((line) => !line.startsWith('#') && !line.endsWith(' 0')),
  )
  const world = worldOf(frameOf(snapshot))
  const cells: string[] = []
  for (const table of tables.values()) cells.push(...textCells(rowsOf(table, world)).map(([, text]) => text))
  const events = snapshot.events.map(({ msg_key: key, msg_args: args }) => messageText(key, args))
  return [...textsOf({ ...snapshot, events: snapshot.events }), ...events, ...samples, ...cells]
}

/** `BroadcastStorm`, `broadcast-storm`, `broadcast_storm` and `broadcast storm`. */
const spellings = kinds.flatMap((kind) => {
  const words = kind.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase()
  return [kind, words, words.replaceAll(' ', '-'), words.replaceAll(' ', '_'), causeNames[kind]]
})
const naming = new RegExp([...spellings, 'quiet.week', 'quiet week'].join('|'), 'i')
/** The title of an article about a symptom, which asks and does not tell. */
const asking = /attack, surge or loop/

/** How a fault of a kind begins: by the file of actions, or unannounced, as by chance. */
type Begin = (world: Simulation, action: ScenarioAction) => void
const injected: Begin = ({ world, state }, action) =>
  world.injected.inject({ action, at: state.now, label: '' })
const unannounced: Begin = ({ state }, action) => {
  for (const target of targetsOf(state, action)) perform(state, createAftermath(), action, target)
}

/** Begins a fault of each kind after the warm-up, one a minute, and calls back with the world at some times after. */
async function troubled(begin: Begin, visit: (world: Simulation) => unknown): Promise<Simulation> {
  const world = blindWorld()
  runUntil(world, warmUp)
  for (const kind of kinds) {
    begin(world, actionOf(kind))
    runUntil(world, world.state.now + minute)
  }
  for (const after of [5, 75]) {
    runUntil(world, warmUp + (kinds.length + after) * minute)
    await visit(world)
  }
  return world
}

describe('a blind world with every kind of fault', () => {
  let world: Simulation
  const texts: string[] = []
  const published: string[] = []

  beforeAll(async () => {
    world = await troubled(injected, async (one) => {
      const snapshot = one.snapshot()
      published.push(jsonOf(snapshot))
      texts.push(...(await publishedTexts(snapshot)))
    })
  })

  test('has them all, and shows incidents with readings', () => {
    const kindsOf = world.state.faults.active.concat(world.state.faults.ended).map(({ kind }) => kind)
    expect(new Set(kindsOf).isSupersetOf(new Set(kinds))).toBe(true)
    const { incidents } = world.snapshot().collections
    expect(incidents.length).toBeGreaterThan(3)
    expect(incidents.some(({ evidence }) => evidence.length > 0)).toBe(true)
    expect(texts.some((text) => text.startsWith('Broadcast frames flood switch '))).toBe(true)
  })

  test('names none of them, nor the scenario', () => {
    const named = texts.filter((text) => naming.test(text) && !asking.test(text))
    expect([...new Set(named)]).toEqual([])
  })

  test('has no causes, and no work but that of a team', () => {
    const { collections, diagnostics } = world.snapshot()
    const incidents = [...collections.incidents, ...collections.resolvedIncidents]
    expect(incidents.filter(({ causes, confirmed, hint }) => causes.length > 0 || confirmed || hint)).toEqual(
      [],
    )
    expect(collections.workOrders.filter(({ kind }) => kind !== 'Upkeep' && kind !== 'Onboarding')).toEqual(
      [],
    )
    expect(diagnostics.root_kinds_confirmed).toEqual([])
  })

  test('is the same to the byte if they had come by chance: nothing tells an injection', async () => {
    const byChance: string[] = []
    await troubled(unannounced, (one) => byChance.push(jsonOf(one.snapshot())))
    expect(byChance).toEqual(published)
  })
})

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}` : each instanceof Map ? [...each] : each,
  )
