import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { crisisSnapshot, frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

test('what to do next names every incident that matters, those that are attended with the work on them', async () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const active = rowsNamed('incidents', world, { filters: new Map([['state', ['active']]]) })
  const grave = active.filter(({ band }) => band !== 'Watch')
  const tasks = rowsNamed('tasks', world).filter(({ kind }) => kind === 'incident')
  expect(grave.length).toBeGreaterThan(0)
  expect(new Set(tasks.map(({ incident_id: id }) => id))).toEqual(
    new Set(grave.map(({ incident_id: id }) => id)),
  )
  expect(tasks.filter(({ advice }) => advice === null || advice === '')).toEqual([])
})

test('every active incident of a crisis is in one row, the gravest first', () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const active = rowsNamed('incidents', world, { filters: new Map([['state', ['active']]]) })
  const rows = rowsNamed('incident-groups', world)
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

test('orders for the same work that wait for the same are one task', () => {
  const order = (id: number, label: string, blocking: 'NoSpare' | 'EveryoneBusy' | null) =>
    emptyRecord(collections.workOrders, { id, kind: 'Replace', kind_label: label, blocking })
  const workOrders = [
    order(1, 'Replace a fan in h1', 'NoSpare'),
    order(2, 'Replace a fan in h2', 'NoSpare'),
    order(3, 'Replace a fan in h3', 'EveryoneBusy'),
    order(4, 'Replace a disk in h4', 'NoSpare'),
    order(5, 'Replace a fan in h5', 'NoSpare'),
    order(6, 'Replace a fan in h6', null),
    order(7, 'Replace a fan in h1', 'NoSpare'),
  ]
  const tasks = rowsNamed('tasks', worldOf(frameOf(snapshotWith({ workOrders }))))
  expect(tasks.map(({ task }) => task)).toEqual([
    'Replace a fan in h1 (and in 2 others)',
    'Replace a fan in h3',
    'Replace a disk in h4',
  ])
})
