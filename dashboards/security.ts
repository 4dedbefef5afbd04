import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { threatClasses } from '../src/contract/vocabularies.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, fromSeries } from './house/links.ts'
import { colours, noneExpected, risingSteps, units } from './house/look.ts'
import { bars, inOrder, lines, stat } from './house/panels.ts'
import { yesIsBad, yesIsWell } from './house/states.ts'
import { table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import {
  bytesToBits,
  by,
  calculate,
  compare,
  filter,
  gauge,
  increaseOver,
  named,
  share,
  total,
} from './promql.ts'
import { customerNamed } from './queries.ts'

/** Classes are counted in units of their own, so that only shares of them can be compared. */
const reaching = total('dcsim_gateway_threat_reaching', ['class'])
const residual = total('dcsim_gateway_threat_residual', ['class'])
const classColours = inOrder(...threatClasses)
const headroomSteps = risingSteps(thresholds.defenceLoadHigh, 1)

const figures = [
  stat({
    title: 'Customers under attack',
    description: 'Customers at whom hostile traffic aims.',
    unit: units.count,
    steps: noneExpected,
    targets: [rangeQuery(total('dcsim_customer_under_attack'), '{{instance}}')],
  }),
  stat({
    title: 'Customers breached',
    description: 'Customers at whom intruders got in and are not out yet.',
    unit: units.count,
    steps: risingSteps(1),
    targets: [rangeQuery(total('dcsim_customer_breached'), '{{instance}}')],
  }),
  stat({
    title: 'Worst share that gets through',
    description:
      'Of the hostile traffic of a class that reaches gateways, what they let pass. The worst class counts.',
    unit: units.share,
    decimals: 1,
    steps: risingSteps(thresholds.threatResidualHigh, 0.5),
    empty: 'No attack reaches us.',
    targets: [rangeQuery(by('max', share(residual, reaching)), '{{instance}}')],
  }),
  stat({
    title: 'Attacks',
    description: 'Attacks that began in the time shown.',
    unit: units.count,
    decimals: 0,
    calm: true,
    targets: [
      instantQuery(by('sum', increaseOver('dcsim_events_total', { kind: 'AttackStarted' })), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Breaches',
    description: 'Intrusions that got in, in the time shown.',
    unit: units.count,
    decimals: 0,
    steps: noneExpected,
    calm: true,
    targets: [
      instantQuery(by('sum', increaseOver('dcsim_events_total', { kind: 'Breach' })), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Scrubbed',
    description: 'Hostile traffic that appliances take out.',
    unit: units.traffic,
    targets: [rangeQuery(bytesToBits(total('dcsim_appliance_scrubbed_bytes_per_second')), '{{instance}}')],
  }),
]

const arrives = lines({
  title: 'What reaches the gateways',
  description:
    'Hostile traffic by class, of what the gateways can stop of it: above 100 % some gets through.',
  unit: units.share,
  min: 0,
  colours: classColours,
  targets: [rangeQuery(share(reaching, total('dcsim_gateway_threat_capacity', ['class'])), '{{class}}')],
})

const passes = lines({
  title: 'What gets through the gateways',
  description: 'Of the hostile traffic of each class that arrives, what is not stopped there.',
  unit: units.share,
  min: 0,
  max: 1,
  colours: classColours,
  empty: 'No attack reaches us.',
  targets: [rangeQuery(share(residual, reaching), '{{class}}')],
})

const headroom = bars({
  title: 'Defences by load',
  description:
    'What each defence of a gateway stops, of the most that it can. A full one lets the rest pass.',
  unit: units.share,
  min: 0,
  max: 1,
  steps: headroomSteps,
  targets: [
    instantQuery(
      named(
        share(
          total('dcsim_gateway_threat_mitigated', ['gateway', 'class']),
          total('dcsim_gateway_threat_capacity', ['gateway', 'class']),
        ),
        'dcsim_gateway_info',
        ['gateway'],
        ['name'],
      ),
      '{{name}} {{class}}',
    ),
  ],
})

const volumes = lines({
  title: 'Volumetric attacks',
  description: 'Floods at the gateways: what arrives, what they stop, what gets through.',
  unit: units.traffic,
  min: 0,
  legend: 'list',
  colours: { Arrives: colours.grey, Stopped: colours.green, 'Gets through': colours.vermilion },
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

const victims = table({
  title: 'Who is attacked',
  description: 'Customers at whom hostile traffic aims now, and by what.',
  empty: 'Nobody is attacked.',
  labels: [
    { label: 'name', title: 'Customer', links: [fromRow('dcsim-customer', 'customer', 'customer')] },
    { label: 'customer', title: 'Id', width: 60 },
    { label: 'class', title: 'Class' },
  ],
  values: [
    {
      expr: by('max', named(gauge('dcsim_customer_attack'), 'dcsim_customer_info', ['customer'], ['name']), [
        'customer',
        'name',
        'class',
      ]),
      title: 'Attacked',
      hidden: true,
    },
    {
      expr: by('max', gauge('dcsim_customer_breached'), ['customer']),
      title: 'Breached',
      mappings: yesIsBad,
    },
    {
      expr: by('max', gauge('dcsim_customer_revenue_last_hour_dollars'), ['customer']),
      title: 'Revenue an hour',
      unit: units.dollars,
    },
  ],
  sortBy: 'Revenue an hour',
})

const appliances = table({
  title: 'Appliances',
  description:
    'What they inspect, of what they can. One that is saturated lets traffic pass uninspected or drops it.',
  labels: [
    { label: 'name', title: 'Appliance' },
    { label: 'kind', title: 'Kind' },
  ],
  values: [
    {
      expr: by(
        'max',
        named(
          share(
            gauge('dcsim_appliance_inspection_load_bytes_per_second'),
            gauge('dcsim_appliance_inspection_capacity_bytes_per_second'),
          ),
          'dcsim_appliance_info',
          ['appliance'],
          ['name'],
        ),
        ['appliance', 'kind', 'name'],
      ),
      title: 'Inspection',
      unit: units.share,
      bar: true,
      steps: risingSteps(thresholds.inspectionLoadHigh, 1),
    },
    {
      expr: by('max', gauge('dcsim_appliance_inspection_enabled'), ['appliance', 'kind']),
      title: 'On',
      mappings: yesIsWell,
    },
    {
      expr: by('max', gauge('dcsim_appliance_powered'), ['appliance', 'kind']),
      title: 'Power',
      mappings: yesIsWell,
    },
    {
      expr: by('max', gauge('dcsim_appliance_dropped_packets_per_second'), ['appliance', 'kind']),
      title: 'Dropped',
      unit: units.packets,
    },
    {
      expr: by('max', gauge('dcsim_appliance_security_events_per_second'), ['appliance', 'kind']),
      title: 'Security events',
      unit: units.events,
    },
  ],
  sortBy: 'Inspection',
})

const addons = table({
  title: 'Defences of gateways',
  description: 'Add-ons that are owned, and whether they are on. They cost money, and forwarding.',
  labels: [
    { label: 'name', title: 'Gateway' },
    { label: 'addon', title: 'Add-on' },
    { label: 'class', title: 'Against' },
  ],
  values: [
    {
      expr: by(
        'max',
        named(
          compare(gauge('dcsim_gateway_addon_owned'), '==', 1),
          'dcsim_gateway_info',
          ['gateway'],
          ['name'],
        ),
        ['gateway', 'addon', 'class', 'name'],
      ),
      title: 'Owned',
      mappings: yesIsWell,
    },
    {
      expr: by('max', gauge('dcsim_gateway_addon_enabled'), ['gateway', 'addon', 'class']),
      title: 'On',
      mappings: yesIsWell,
    },
  ],
  sortBy: 'On',
  empty: 'No add-on is owned.',
})

const victimsOverTime = lines({
  title: 'Revenue of attacked customers',
  description: 'Revenue of the last simulated hour of customers at whom hostile traffic aims.',
  unit: units.dollars,
  min: 0,
  empty: 'Nobody is attacked.',
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    rangeQuery(
      customerNamed(
        filter(gauge('dcsim_customer_revenue_last_hour_dollars'), 'and', gauge('dcsim_customer_attack'), [
          'customer',
        ]),
      ),
      '{{name}}',
    ),
  ],
})

/** What attackers send, what is stopped, what gets through, and how much more could be stopped. */
export const security = (): Dashboard =>
  dashboard({
    uid: 'dcsim-security',
    description:
      'What attackers send, what is stopped, what gets through, and how much more could be stopped.',
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(9, [8, arrives], [8, passes], [8, volumes]),
          row(8, [10, victims], [14, victimsOverTime]),
        ],
      },
      { title: 'Defences', shelves: [row(9, [8, headroom], [16, appliances]), row(8, [24, addons])] },
    ],
  })
