import { expect, test } from 'vitest'
import type { Fired } from '../../../../src/practice/grading/evaluate.ts'
import { allAlerts } from '../rules.ts'
import { explainedBy } from './explained.ts'

const rule = (name: string) => allAlerts().find(({ alert }) => alert === name)!
const target = { job: 'dcsim', instance: 'a' }
const fired = (labels: Fired['labels'], ...spans: Fired['spans']): Fired[] => [
  { labels: { ...target, ...labels }, spans, values: new Map() },
]

const host = { host: '7', az: '2', name: 'whm-b-b04-u01' }
const told = { ...target, ...host, alertname: 'DcsimHostDown', severity: 'warning', category: 'hardware' }
const down = [rule('DcsimHostDown'), fired(host, [100, 300])] as const

test('an alert that ended while an alert about its zone fired was inhibited', () => {
  const zone = [rule('DcsimZoneHostsDown'), fired({ az: '2' }, [250, 600])] as const
  expect(explainedBy([down, zone])(told, 120)).toBe(true)
})

test('a broadcast storm explains the traffic that its zone drops', () => {
  const drops = [rule('DcsimZoneDropsTraffic'), fired({ az: '2' }, [100, 300])] as const
  const storm = [rule('DcsimBroadcastStorm'), fired({ az: '2', switch: '9' }, [90, 330])] as const
  const zone = {
    ...target,
    az: '2',
    alertname: 'DcsimZoneDropsTraffic',
    severity: 'warning',
    category: 'network',
  }
  expect(explainedBy([drops, storm])(zone, 120)).toBe(true)
  expect(explainedBy([drops, storm])({ ...zone, az: '1' }, 120)).toBe(false)
})

test('one that ended while only another zone failed, or long before its own did, was not', () => {
  const other = [rule('DcsimZoneHostsDown'), fired({ az: '1' }, [250, 600])] as const
  const later = [rule('DcsimZoneHostsDown'), fired({ az: '2' }, [1000, 1100])] as const
  expect(explainedBy([down, other, later])(told, 120)).toBe(false)
})
