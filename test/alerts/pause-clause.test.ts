import { expect, test } from 'vitest'
import { compare, metric, withLabels } from '../../promql/expressions.ts'
import { alertDefiner } from '../../alerts/rule.ts'
import { designSettings } from './design-settings.ts'

const down = compare(metric('dcsim_switch_up'), '==', 0)
const named = withLabels(down, metric('dcsim_switch_info'), ['switch'], ['name'])
const exprOf = (key: readonly ('switch' | 'name')[]): string =>
  alertDefiner(designSettings, 'network')('DcsimSwitchDown', {
    severity: 'info',
    expr: named,
    forSeconds: 60,
    key,
    summary: '',
    description: '',
    dashboard: 'network',
  }).expr

const still = '(dcsim_sim_paused == 1 or changes(dcsim_sim_time_seconds[1m]) == 0)'
const target = 'job, instance, session'
const names = `* on (${target}, switch) group_left (name) max by (${target}, switch, name) (dcsim_switch_info)`
const firing = 'ALERTS{alertname="DcsimSwitchDown", alertstate="firing"}'

/** The clause for a world that stands still, around a condition. */
const clause = (condition: string, key: string): string =>
  `(${condition}\nunless on (${target})\n${still})\nor\n(${condition}\nand on (${target}, ${key})\n${firing})`

test('labels are looked up once, for the condition of a world that moves or stands still', () => {
  expect(exprOf(['switch'])).toBe(`(${clause('(dcsim_switch_up == 0)', 'switch')}) ${names}`)
})

test('where a looked-up label tells alerts apart, it is looked up for either', () => {
  expect(exprOf(['name'])).toBe(clause(`((dcsim_switch_up == 0) ${names})`, 'name'))
})
