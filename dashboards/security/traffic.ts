import { threatClasses } from '../../src/contract/vocabularies.ts'
import { colors, units } from '../house/look.ts'
import { inOrder, lines } from '../house/lines.ts'
import { rangeQuery } from '../house/targets.ts'
import { by, calculate, gauge, named, share, total } from '../promql.ts'
import { wordOf } from '../house/words.ts'

/** What attackers send, and what becomes of it over time. */

/** Classes are counted in units of their own, so that only shares of them can be compared. */
export const reaching = total('dcsim_gateway_threat_reaching', ['class'])
export const residual = total('dcsim_gateway_threat_residual', ['class'])
const classColors = inOrder(...threatClasses.map((name) => wordOf('class', name)))

export const arrives = lines({
  title: 'What reaches the gateways',
  description:
    'Hostile traffic by class, of what the gateways can stop of it: above 100 % some gets through.',
  unit: units.share,
  min: 0,
  colors: classColors,
  targets: [rangeQuery(share(reaching, total('dcsim_gateway_threat_capacity', ['class'])), '{{class}}')],
})

export const passes = lines({
  title: 'What gets through the gateways',
  description: 'Of the hostile traffic of each class that arrives, what is not stopped there.',
  unit: units.share,
  min: 0,
  max: 1,
  colors: classColors,
  empty: 'No attack arrives.',
  targets: [rangeQuery(share(residual, reaching), '{{class}}')],
})

export const volumes = lines({
  title: 'Traffic floods',
  description: 'Floods at the gateways: what arrives, what they stop, what gets through.',
  unit: units.traffic,
  min: 0,
  legend: 'list',
  colors: { Arrives: colors.gray, Stopped: colors.green, 'Gets through': colors.vermilion },
  targets: (
    [
      ['Arrives', 'dcsim_gateway_threat_reaching'],
      ['Stopped', 'dcsim_gateway_threat_mitigated'],
      ['Gets through', 'dcsim_gateway_threat_residual'],
    ] as const
  ).map(([name, family]) =>
    rangeQuery(calculate(total(family, [], { class: 'Volumetric' }), '*', 1e9), name),
  ),
})

export const firewalls = lines({
  title: 'Dropped by built-in firewalls',
  description: 'Packets that the firewalls of gateways drop.',
  unit: units.packets,
  min: 0,
  empty: 'No firewall drops anything.',
  targets: [
    rangeQuery(
      named(
        by('sum', gauge('dcsim_gateway_firewall_dropped_packets_per_second'), ['gateway']),
        'dcsim_gateway_info',
        ['gateway'],
        ['name'],
      ),
      '{{name}}',
    ),
  ],
})
