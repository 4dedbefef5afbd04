import { expect, test } from 'vitest'
import { alertNames } from '../../../alerts/cases/alert-cases.ts'
import { bands, rootKinds } from '../../../src/contract/vocabularies.ts'
import { alertsOf } from '../../../src/world/records/operations/truth-alerts.ts'

const labels = ['host', 'switch', 'gateway', 'appliance', 'link', 'pool', 'az', 'customer']
const touched = Object.fromEntries(labels.map((label) => [label, ['1', '2']]))

test.each(rootKinds.filter((kind) => kind !== 'Unknown'))('the alerts for %s exist', (kind) => {
  const alerts = alertsOf(kind, touched, [{ id: 3, bands }])
  expect(alertNames).toEqual(expect.arrayContaining(alerts.map(({ alert }) => alert)))
  expect(alerts).toContainEqual({ alert: 'DcsimIncidentMajor', labels: { incident: '3' } })
})
