import { beforeAll, expect, test } from 'vitest'
import { messageText } from '../../../src/contract/messages/catalog.ts'
import { rootKinds } from '../../../src/contract/vocabularies.ts'
import { writeCase } from '../../../src/practice/cases/forms.ts'
import { makeCase } from '../../../src/practice/cases/make.ts'
import type { Case } from '../../../src/practice/cases/make.ts'
import { planCase } from '../../../src/practice/cases/plan.ts'
import type { CasePlan } from '../../../src/practice/cases/plan.ts'
import { CaseTable } from '../../../src/practice/cases/series.ts'
import { branchPointOf } from '../../../src/practice/twins/branch-point.ts'
import type { BranchPoint } from '../../../src/practice/twins/branch-point.ts'
import { createBuiltInWorld, RandomStream } from '../../../src/world/built-in-world.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { matchingTargets } from '../../../src/world/simulation/scenarios/target-selection.ts'
import { parseActionLine } from '../../../src/world/scenario-language.ts'
import type { ActionLine } from '../../../src/world/scenario-language.ts'

const options = { seed: 100n, scale: 8, speed: 1, scenario: null, warmUpNs: 0n } as const
let branch: BranchPoint
beforeAll(() => {
  const world = createBuiltInWorld(options)
  for (let step = 0; step < 1_000; step++) world.step()
  branch = branchPointOf({ ...options, blind: true }, world.savedWorld())
})

const lineOf = (json: object): ActionLine => {
  const parsed = parseActionLine(JSON.stringify(json))
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return parsed.line
}
const flood = {
  do: 'Attack',
  target: { kind: 'Customer', pick: 'busiest' },
  class: 'Volumetric',
  magnitude: 4,
  for: '30m',
  at: '2410s',
}
const planOf = (sort: CasePlan['sort']): CasePlan => ({
  sort,
  isIncomplete: false,
  actions: sort === 'healthy' ? [] : [lineOf(flood)],
  random: new RandomStream(1n, 'case'),
})

function caseOf(plan: CasePlan): Case {
  const found = makeCase(branch, plan)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const filesOf = (content: Case, forms: Parameters<typeof writeCase>[3] = ['own']) =>
  writeCase(content, { seed: 100n, number: 0 }, 'a', forms).files
const shownOf = (content: Case): string[] =>
  filesOf(content)
    .filter(([path]) => path.startsWith('cases/'))
    .map(([, text]) => text)

test('A fault that is injected shows the same as one that comes by itself', () => {
  const showing = (isInjected: boolean) => {
    const simulation = createSimulation({ ...options, warmUp: 0, blind: true })
    const { state, world } = simulation
    const table = new CaseTable()
    const { action } = lineOf({ do: 'ApplianceFailure', target: { kind: 'Appliance', id: 1 } })
    if (!('action' in action)) throw new Error('not an action')
    for (let at = 0; at < 90; at++) {
      if (at === 30 && isInjected) world.injected.inject({ action, at: state.now, label: 'a' })
      if (at === 30 && !isInjected) {
        const [target] = matchingTargets(state, action.target)
        state.faults.inject({ kind: 'ApplianceFailure', target, magnitude: 1, lasts: null })
      }
      simulation.step()
      table.add(at, simulation.snapshot())
    }
    const events = simulation.snapshot().events.map((event) => messageText(event.msg_key, event.msg_args))
    return { rows: table.rows, events }
  }
  const injected = showing(true)
  expect(injected).toEqual(showing(false))
  expect(new Set(injected.rows.map((row) => row.join())).size).toBeGreaterThan(10)
})

test('A case has the same columns and times with a fault as without, names no cause, and is the same again', () => {
  const fault = caseOf(planOf('fault'))
  const healthy = caseOf(planOf('healthy'))
  expect(fault.truth).toMatchObject({ tier: 'consequences', faults: [{ kind: 'Attack', at_seconds: 2_410 }] })
  expect(fault.truth.customers.length).toBeGreaterThan(0)
  for (const { path } of fault.truth.customers) expect(path[0]).toBe(fault.truth.faults[0].entity)
  expect(Math.min(...fault.truth.effects.map((effect) => effect.since_seconds))).toBe(2_420)
  expect(healthy.truth).toMatchObject({ tier: 'healthy', faults: [], effects: [], customers: [] })

  const [[metrics, logs, topology], [calm]] = [shownOf(fault), shownOf(healthy)]
  const [rows, calmRows] = [metrics, calm].map((text) => text.split('\n'))
  expect(rows[0]).toBe(calmRows[0])
  expect(rows.map((row) => row.split(',')[0])).toEqual(calmRows.map((row) => row.split(',')[0]))
  // The fault begins within the 41st minute.
  expect(rows.slice(0, 42)).toEqual(calmRows.slice(0, 42))
  expect(rows[43]).not.toBe(calmRows[43])
  const words = [...rootKinds, 'inject', 'Scenario', 'fault', 'suspect'].filter((word) => word !== 'Unknown')
  for (const word of words) expect(`${metrics}${logs}${topology}`).not.toContain(word)

  const forms = ['own', 'rcaeval', 'petshop', 'openrca'] as const
  expect(filesOf(caseOf(planOf('fault')), forms)).toEqual(filesOf(fault, forms))

  const [silent, silentHealthy] = [fault, healthy].map(({ table: { columns, rows }, table }) => {
    table.hide(new RandomStream(1n, 'missing'), 0.3)
    return columns.filter((_, at) => rows.every((row) => Number.isNaN(row[at]))).map(({ key }) => key)
  })
  expect(new Set(silent).size).toBeGreaterThan(10)
  expect(silent).toEqual(silentHealthy)
})

test('Neither the number of a case nor the order or time of anything tells what happens in it', () => {
  const places = 24
  const plans = Array.from({ length: 2_400 }, (_, number) =>
    planCase(7n, number, { targetCount: () => places }),
  )
  const firsts = plans.flatMap(({ actions }) => actions.slice(0, 1))
  const times = firsts.map(({ at }) => at! / 1e6)
  expect(new Set(times.map((at) => at % 60))).toEqual(new Set([0, 10, 20, 30, 40, 50]))
  const mean = times.reduce((sum, at) => sum + at, 0) / times.length
  expect(mean).toBeGreaterThan(2_960)
  expect(mean).toBeLessThan(3_040)

  const picked = firsts.map(({ action }) => ('action' in action ? action.target.pick : null))
  const counts = Array.from({ length: places }, (_, at) => picked.filter((pick) => pick === at + 1).length)
  const usual = firsts.length / places
  expect(Math.max(...counts)).toBeLessThan(1.4 * usual)
  expect(Math.min(...counts)).toBeGreaterThan(0.6 * usual)

  for (let part = 0; part < 12; part++) {
    const own = plans.filter((_, number) => number % 12 === part)
    const healthy = own.filter(({ sort }) => sort === 'healthy' || sort === 'busy').length
    expect(healthy / own.length).toBeGreaterThan(0.02)
    expect(healthy / own.length).toBeLessThan(0.16)
  }
})
