import { expect, test } from 'vitest'
import { crisisSnapshot, frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

test('what to do next names every incident that matters, those that are attended with the work on them', async () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const active = await rowsNamed('incidents', world, { filters: new Map([['state', ['active']]]) })
  const grave = active.filter(({ band }) => band !== 'Watch')
  const tasks = (await rowsNamed('tasks', world)).filter(({ kind }) => kind === 'incident')
  expect(grave.length).toBeGreaterThan(0)
  expect(new Set(tasks.map(({ incident_id: id }) => id))).toEqual(
    new Set(grave.map(({ incident_id: id }) => id)),
  )
  expect(tasks.filter(({ advice }) => advice === null || advice === '')).toEqual([])
})
