import { threatClasses } from '../../../src/contract/vocabularies.ts'
import { palette, unit } from '../../style/look.ts'
import { colorsInOrder, lines } from '../../visualizations/lines.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { by, calculate, share } from '../../../promql/expressions.ts'
import { gauge, withNames } from '../../queries/series.ts'
import { hostileTraffic, shareGettingThrough } from './threat-amounts.ts'
import { wordOf } from '../../style/words.ts'

/** Hostile traffic over time, arriving and residual. */

const classColors = colorsInOrder(...threatClasses.map((name) => wordOf('class', name)))

const { arriving, stoppableAtGateways } = hostileTraffic()

export const arrivingTraffic = lines({
  title: 'What reaches the gateways',
  description:
    'Hostile traffic by class, of what the gateways can stop of it: above 100 %, the rest is left to appliances.',
  unit: unit.share,
  min: 0,
  colors: classColors,
  targets: [rangeQuery(share(arriving, stoppableAtGateways), '{{class}}')],
})

export const residualTraffic = lines({
  title: 'What gets through',
  description: 'Of the hostile traffic of each class that arrives, what passes the last line of defense.',
  unit: unit.share,
  min: 0,
  max: 1,
  colors: classColors,
  empty: 'No attack arrives.',
  targets: [rangeQuery(shareGettingThrough, '{{class}}')],
})

const floods = hostileTraffic(['bytes_per_second'])
const floodsDropped = calculate(calculate(floods.arriving, '-', floods.stopped), '-', floods.gettingThrough)

export const volumes = lines({
  title: 'Traffic floods',
  description:
    'What arrives at the gateways, what gateways and appliances stop of it, what full links between them drop, and what gets through.',
  unit: unit.traffic,
  min: 0,
  legend: 'list',
  colors: {
    Arrives: palette.gray,
    Stopped: palette.green,
    'Dropped on full links': palette.sky,
    'Gets through': palette.vermilion,
  },
  targets: [
    rangeQuery(floods.arriving, 'Arrives'),
    rangeQuery(floods.stopped, 'Stopped'),
    rangeQuery(floodsDropped, 'Dropped on full links'),
    rangeQuery(floods.gettingThrough, 'Gets through'),
  ],
})

export const firewalls = lines({
  title: 'Dropped by built-in firewalls',
  description: 'Packets that the firewalls of gateways drop.',
  unit: unit.packets,
  min: 0,
  empty: 'No firewall drops anything.',
  targets: [
    rangeQuery(
      withNames(
        by('sum', gauge('dcsim_gateway_firewall_dropped_packets_per_second'), ['gateway']),
        'dcsim_gateway_info',
        ['gateway'],
        ['name'],
      ),
      '{{name}}',
    ),
  ],
})
