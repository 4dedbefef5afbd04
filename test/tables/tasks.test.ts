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

test('every active incident of a crisis is in one row, the gravest first', async () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const active = await rowsNamed('incidents', world, { filters: new Map([['state', ['active']]]) })
  const rows = await rowsNamed('incident-groups', world)
  expect(rows.reduce((sum, { incidents }) => sum + Number(incidents), 0)).toBe(active.length)
  const severities = rows.map(({ severity }) => Number(severity))
  expect(severities).toEqual(severities.toSorted((one, other) => other - one))
  for (const row of rows.filter(({ incidents }) => incidents === 1))
    expect(active.find(({ incident_id }) => incident_id === row['incident_id'])).toMatchObject({
      symptom: row['what'],
      place: row['place'],
      hit: row['hit'],
    })
})
