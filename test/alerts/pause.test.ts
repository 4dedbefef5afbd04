import { describe, test } from 'vitest'
import { hasTool } from '../fixtures/tools.ts'
import { counts, expectRules, ofTarget } from './promtool.ts'

const hostInfo = {
  'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",rack_name="B-04",zone="Westholm B",pool="3",sku="Heron M2-64",arch="x86_64"}':
    '1x480',
}
const customerInfo = {
  'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}':
    '1x480',
}

const rate = 'tier:dcsim_customer_requests:rate_sim2h'
const rateOfTen = (eval_time: string) => ({
  expr: rate,
  eval_time,
  exp_samples: [{ labels: `${rate}{job="dcsim",instance="a",session="s",tier="Gold"}`, value: 10 }],
})

describe.skipIf(!hasTool('promtool'))(
  'while the world stands still (skipped where there is no promtool)',
  () => {
    // The `for` of DcsimHostDown is 20 seconds.
    test.each([
      [
        'a pending alert does not fire during a pause, and fires after it',
        '1x3 0x100',
        '0+900x4 3600x39 4500+900x60',
        '0x4 1x38 0x60',
        { '1m15s': 0, '2m': 0, '10m45s': 0, '11m15s': 0, '12m': 1 },
      ],
      [
        'a firing alert stays firing',
        '1x3 0x100 1x20',
        '0+900x11 9900x60 10800+900x60',
        '0x11 1x60 0x60',
        { '2m': 1, '3m15s': 1, '10m': 1, '17m45s': 1, '18m30s': 1, '27m': 0 },
      ],
      [
        'a world that has stopped without a pause counts alike',
        '1x39 0x100',
        '0+900x20 18000x80',
        '0x120',
        { '11m': 0, '20m': 0 },
      ],
    ])('%s', (_, online, dcsim_sim_time_seconds, dcsim_sim_paused, fires) => {
      const host = { 'dcsim_host_online{host="7",az="2",pool="3"}': online }
      expectRules('hardware', {
        input_series: ofTarget({ ...hostInfo, ...host, dcsim_sim_time_seconds, dcsim_sim_paused }),
        promql_expr_test: counts('DcsimHostDown', fires),
      })
    })

    test('a burning error budget keeps burning, however long ago the window was', () => {
      expectRules('sla', {
        input_series: ofTarget({
          ...customerInfo,
          'dcsim_customer_requests_total{customer="4",tier="Gold"}': '0+1000x20 20000x80 21000+1000x60',
          'dcsim_customer_failed_requests_total{customer="4",tier="Gold"}': '0+20x20 400x160',
          'dcsim_customer_failed_requests_last_hour{customer="4",tier="Gold"}': '80x160',
          dcsim_sim_time_seconds: '0+900x20 18000x80 18900+900x60',
          dcsim_sim_paused: '0x20 1x80 0x60',
        }),
        promql_expr_test: counts('DcsimSlaBudgetBurnsFast', {
          '5m': 1,
          '6m': 1,
          '15m': 1,
          '25m': 1,
          '28m': 0,
        }),
      })
    })

    test.each([
      [
        'per simulated second: half the speed halves the count, not the rate',
        ['0+9000x40 364500+4500x40', '0+900x40 36450+450x40', '0+90x40 3645+45x40'],
        ['5m', '11m', '20m'],
      ],
      [
        'right from its second sample on, and right after the world has begun again',
        ['500000+9000x20 9000+9000x20', '600000+900x20 900+900x20', '60000+90x20 90+90x20'],
        ['15s', '30s', '5m', '5m15s', '5m30s', '8m'],
      ],
    ])('a rate is %s', (_, [requests, seconds, steps], times) => {
      expectRules('clock', {
        input_series: ofTarget({
          'dcsim_customer_requests_total{customer="4",tier="Gold"}': requests,
          dcsim_sim_time_seconds: seconds,
          dcsim_sim_steps_total: steps,
          dcsim_sim_step_seconds: '10x100',
          dcsim_sim_paused: '0x100',
        }),
        promql_expr_test: times.map(rateOfTen),
      })
    })
  },
)
