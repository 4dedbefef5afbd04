import { beforeAll, describe, expect, test } from 'vitest'
import { compareWorlds, followCustomers } from '../../../src/practice/twins/compare-worlds.ts'
import { pathTo } from '../../../src/practice/twins/effect-paths.ts'
import { continueFrom, injectInto, branchPointOf, rootsOf } from '../../../src/practice/twins/branch-point.ts'
import type { BranchPoint } from '../../../src/practice/twins/branch-point.ts'
import { tollOf, whatIf } from '../../../src/practice/twins/what-if.ts'
import { createBuiltInWorld } from '../../../src/world/built-in-world.ts'
import { parseActionLine } from '../../../src/world/scenario-language.ts'
import type { ActionLine } from '../../../src/world/scenario-language.ts'
import { actionRules } from '../../../src/world/simulation/scenarios/scenario.ts'
import type { Action } from '../../../src/world/simulation/scenarios/scenario.ts'

let branch: BranchPoint
beforeAll(() => {
  const options = { seed: 4n, scale: 'small', speed: 60, scenario: null, warmUpNs: 0n } as const
  const world = createBuiltInWorld(options)
  for (let step = 0; step < 3_600; step++) world.step()
  branch = branchPointOf(options, world.savedWorld())
})

const actedAfterSeconds = 120

const lineOf = (json: object): ActionLine => {
  const parsed = parseActionLine(JSON.stringify(json))
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return parsed.line
}

function differencesOf(json: object, lastsSeconds: number) {
  const [baseline, changed] = [continueFrom(branch), continueFrom(branch)]
  const outcomes = injectInto(changed, [lineOf({ ...json, at: `${actedAfterSeconds}s` })])
  const differences = compareWorlds({ baseline, changed, lastsSeconds, roots: () => rootsOf(outcomes) })
  return { ...differences, targets: outcomes.flatMap(({ targets }) => targets) }
}

/** Every action that breaks something, on each kind of target that it has. */
const everyAction = Object.entries(actionRules).flatMap(([name, rule]) =>
  name === 'Repair'
    ? []
    : rule.targets.map((kind) => ({
        do: name as Action,
        target: { kind, pick: 'busiest' },
        ...(rule.duration === 'none' ? {} : { for: '5m' }),
        ...(name === 'Attack' && { class: 'Volumetric' }),
      })),
)

describe('What differs between two worlds', () => {
  test.each(everyAction)('differs after $do at a $target.kind alone, and is explained', (action) => {
    const { targets, series, entities } = differencesOf(action, 300)
    expect(targets).toHaveLength(1)
    expect(series.length).toBeGreaterThan(5)
    expect(series[0].sinceSeconds).toBeGreaterThan(actedAfterSeconds)
    const unexplained = entities.filter(({ hops, consequence }) => hops === null && consequence === null)
    // In minutes, work reaches nothing but the counts of incidents.
    const byWork = entities.filter(({ consequence }) => consequence === 'work' || consequence === 'business')
    const families = byWork.flatMap(({ series: own }) => own.map(({ family }) => family))
    expect(families.filter((family) => family !== 'dcsim_az_incidents_active')).toEqual([])
    expect(unexplained.map(({ key, series: [first] }) => `${key}: ${first.family}${first.labels}`)).toEqual(
      [],
    )
  })

  test('is nothing where nothing is done', () => {
    const [baseline, changed] = [continueFrom(branch), continueFrom(branch)]
    expect(compareWorlds({ baseline, changed, lastsSeconds: 300, roots: () => [] })).toEqual({
      lastsSeconds: 300,
      series: [],
      entities: [],
      customers: [],
      costDollars: 0,
    })
  })

  test('reaches customers from a broken host by placement, and hurts those on it', () => {
    const host = { do: 'HostFailure', target: { kind: 'Host', pick: 'busiest' } }
    const { targets, entities, customers } = differencesOf(host, 900)
    const hurt = customers.filter(({ hurtSeconds }) => hurtSeconds > 0)
    expect(hurt.length).toBeGreaterThan(0)
    for (const { id, sinceSeconds } of hurt) {
      expect(sinceSeconds).toBe(actedAfterSeconds)
      expect(pathTo(entities, `Customer ${id}`)[0]).toMatchObject({ name: targets[0], hops: 0 })
    }
  })
})

test('What if says that feed B carries the load of feed A, by the names of a sentence', () => {
  const [{ display_name: zone }] = continueFrom(branch).snapshot().collections.azs
  const target = { kind: 'PowerFeed', side: 'A', zone: zone.toLowerCase() }
  const { targets, reliefs, faults, customers } = whatIf({
    branch,
    actions: [lineOf({ do: 'PowerFeedLoss', target, for: '4m' })],
    lastsSeconds: 600,
  })
  expect(targets).toEqual([`power feed A of ${zone}`])
  expect(reliefs[0]).toMatchObject({
    name: `power feed B of ${zone}`,
    family: 'dcsim_az_power_feed_load_watts',
  })
  expect(reliefs[0].changed).toBeGreaterThan(1.5 * reliefs[0].baseline)
  expect(faults.map(({ kind, ended_by: by }) => [kind, by])).toEqual([['PowerFeedLoss', 'itself']])
  expect(customers.filter(({ hurtSeconds }) => hurtSeconds > 0)).toEqual([])
})

test('What if names the three hosts that take the most of the load of a broken one', () => {
  const broken = lineOf({ do: 'HostFailure', target: { kind: 'Host', pick: 'busiest' } })
  const { reliefs } = whatIf({ branch, actions: [broken], lastsSeconds: 900 })
  expect(reliefs.map(({ name }) => name)).toEqual(['emr-a-b02-u08', 'emr-a-b02-u07', 'emr-a-b01-u08'])
})

test('An earlier repair shortens the harm', () => {
  const broken = lineOf({ do: 'HostFailure', target: { kind: 'Host', pick: 'busiest' }, for: '20m' })
  const repaired = lineOf({ do: 'Repair', target: { kind: 'Host', pick: 'busiest' }, at: '5m' })
  const baseline = followCustomers(continueFrom(branch), 1_500, 60)
  const [toll, saved] = [[broken], [broken, repaired]].map((actions) =>
    tollOf({ branch, actions, lastsSeconds: 1_500 }, baseline, 60),
  )
  const longest = ({ customers }: typeof toll): number =>
    Math.max(...customers.map(({ hurtSeconds }) => hurtSeconds))
  expect(longest(saved)).toBeLessThan(longest(toll))
})
