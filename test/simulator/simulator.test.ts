/** The mirror with its threads and clients in simulated time. `npm run fuzz -- simulator` runs more of it. */
import { expect, test } from 'vitest'
import { drawPlan } from './plan.ts'
import type { Plan } from './plan.ts'
import { runPlan } from './run.ts'
import { shrink } from './shrink.ts'

const seeds = Array.from({ length: 16 }, (_, index) => index + 1)

test.each(seeds)('seed %i', async (seed) => {
  expect(await runPlan(drawPlan(seed))).toMatchObject({ failure: null })
})

test('equal seeds have equal runs', async () => {
  const [one, again, other] = [
    await runPlan(drawPlan(7)),
    await runPlan(drawPlan(7)),
    await runPlan(drawPlan(8)),
  ]
  expect(again).toEqual(one)
  expect(other.digest).not.toBe(one.digest)
})

test('a failure is shrunk to what it needs', async () => {
  const actions = (['burst', 'pipeline', 'world-dies', 'crawl', 'leave'] as const).map((kind, index) => ({
    kind,
    atMs: 1_000 * index,
    lastsMs: 1_000,
    size: 0.5,
  }))
  const plan: Plan = { ...drawPlan(1), actions }
  const shortest = await shrink(plan, 'lost 7 events', async ({ actions: left }) =>
    left.some(({ kind }) => kind === 'world-dies') ? `lost ${left.length} events` : null,
  )
  expect(shortest.actions.map(({ kind }) => kind)).toEqual(['world-dies'])
  expect(shortest).toMatchObject({ isArchived: false, portMs: 0, warmUpStories: 0 })
})
