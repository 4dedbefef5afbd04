import { expect, test } from 'vitest'
import {
  by,
  calculate,
  calculateEach,
  compare,
  filter,
  increase,
  metric,
  overTime,
  withLabels,
} from '../../promql/expressions.ts'

test('writes series, aggregations and joins', () => {
  expect(metric('dcsim_host_online', { az: '1' }).text).toBe('dcsim_host_online{az="1"}')
  expect(by('sum', increase('dcsim_customer_requests_total', '5m'), ['tier']).text).toBe(
    'sum by (job, instance, session, tier) (increase(dcsim_customer_requests_total[5m]))',
  )
  expect(
    calculateEach(
      metric('dcsim_incident_started_sim_timestamp_seconds'),
      '-',
      metric('dcsim_sim_time_seconds'),
    ).text,
  ).toBe(
    'dcsim_incident_started_sim_timestamp_seconds - on (job, instance, session) group_left () dcsim_sim_time_seconds',
  )
  expect(
    withLabels(compare(metric('dcsim_host_online'), '==', 0), metric('dcsim_host_info'), ['host'], ['name'])
      .text,
  ).toBe(
    '(dcsim_host_online == 0) * on (job, instance, session, host) group_left (name)' +
      ' max by (job, instance, session, host, name) (dcsim_host_info)',
  )
})

test('puts parentheses where an operand is more than a name or a call', () => {
  const used = calculate(metric('dcsim_az_gpu_slices'), '-', metric('dcsim_az_gpu_slices_used'))
  expect(calculate(used, '/', metric('dcsim_az_gpu_slices')).text).toBe(
    '(dcsim_az_gpu_slices - dcsim_az_gpu_slices_used) / dcsim_az_gpu_slices',
  )
})

test('undeclared names do not compile', () => {
  // @ts-expect-error no family has this name
  expect(metric('dcsim_host_onlin').text).toBe('dcsim_host_onlin')
  // @ts-expect-error hosts carry no label of this name
  expect(metric('dcsim_host_online', { zone: '1' }).text).toBe('dcsim_host_online{zone="1"}')
  // @ts-expect-error a gauge has no increase
  expect(increase('dcsim_host_units', '5m').text).toBe('increase(dcsim_host_units[5m])')
  // @ts-expect-error a counter has no trend of its own
  expect(overTime('deriv', 'dcsim_customer_requests_total', '5m').text).toContain('deriv(')
  // @ts-expect-error a zone carries no host, so that none is left to aggregate by
  expect(by('sum', metric('dcsim_az_units_stranded'), ['host']).text).toContain('host')
  // @ts-expect-error links and zones share no label to match on
  expect(filter(metric('dcsim_link_up'), 'and', metric('dcsim_az_hosts'), ['az']).text).toContain('az')
})
