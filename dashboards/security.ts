import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { threatClasses, threatUnits } from '../src/contract/vocabularies.ts'
import { capitalized } from '../src/words/phrases.ts'
import { threatUnitWords, threatWords } from '../src/words/vocabulary.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, fromSeries } from './house/links.ts'
import { colours, noneExpected, plainText, risingSteps, units } from './house/look.ts'
import { bars, inOrder, lines, stat, states } from './house/panels.ts'
import { addonTexts, applianceTexts, texts, yesIsBad, yesIsWell } from './house/states.ts'
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

const toDevice = fromRow('dcsim-device', 'device', 'name')

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
    description: 'Customers with an active intrusion.',
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
    empty: 'No attack arrives.',
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
  empty: 'No attack arrives.',
  targets: [rangeQuery(share(residual, reaching), '{{class}}')],
})

const headroom = bars({
  title: 'Defenses by load',
  description: 'What each gateway stops, of the most that it can. A full one lets the rest pass.',
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

const classTexts = texts(
  Object.fromEntries(
    threatClasses.map((name) => [name, [capitalized(threatWords(name)), plainText] as const]),
  ),
)

type ThreatGauge =
  | 'dcsim_gateway_threat_reaching'
  | 'dcsim_gateway_threat_mitigated'
  | 'dcsim_gateway_threat_capacity'
  | 'dcsim_gateway_threat_residual'
  | 'dcsim_appliance_threat_reaching'
  | 'dcsim_appliance_threat_mitigated'
  | 'dcsim_appliance_threat_capacity'
  | 'dcsim_appliance_threat_residual'
const ofClass = (name: ThreatGauge) => total<ThreatGauge, 'class' | 'unit'>(name, ['class', 'unit'])

const unitTexts = texts(
  Object.fromEntries(threatUnits.map((unit) => [unit, [threatUnitWords(unit) ?? unit, plainText] as const])),
)

/** Each class in its own unit: what arrives at each line of defense, what it takes, what is left. */
const defenseLines = table({
  title: 'Lines of defense',
  description:
    'Hostile traffic by class, from the outside to the inside: what arrives at the gateways, what they stop, what arrives at the appliances behind them, what those stop, and what gets through. Used: stopped, of what could be stopped.',
  empty: 'No gateway reports hostile traffic.',
  labels: [
    { label: 'class', title: 'Class of attack', mappings: classTexts, width: 170 },
    { label: 'unit', title: 'Unit', mappings: unitTexts, width: 160 },
  ],
  values: [
    { expr: ofClass('dcsim_gateway_threat_reaching'), title: 'Arrives', unit: units.number, decimals: 1 },
    {
      expr: ofClass('dcsim_gateway_threat_mitigated'),
      title: 'Stopped by gateways',
      unit: units.number,
      decimals: 1,
    },
    {
      expr: share(ofClass('dcsim_gateway_threat_mitigated'), ofClass('dcsim_gateway_threat_capacity')),
      title: 'Gateways used',
      unit: units.share,
      decimals: 0,
      bar: true,
      steps: headroomSteps,
    },
    {
      expr: ofClass('dcsim_appliance_threat_reaching'),
      title: 'Arrives at appliances',
      unit: units.number,
      decimals: 1,
    },
    {
      expr: ofClass('dcsim_appliance_threat_mitigated'),
      title: 'Stopped by appliances',
      unit: units.number,
      decimals: 1,
    },
    {
      expr: share(ofClass('dcsim_appliance_threat_mitigated'), ofClass('dcsim_appliance_threat_capacity')),
      title: 'Appliances used',
      unit: units.share,
      decimals: 0,
      bar: true,
      steps: headroomSteps,
    },
    {
      expr: ofClass('dcsim_appliance_threat_residual'),
      title: 'Gets through appliances',
      unit: units.number,
      decimals: 1,
      steps: noneExpected,
    },
  ],
  sortBy: 'Gateways used',
})

const history = states({
  title: 'Attacks by customer',
  description:
    'When hostile traffic of each class aimed at each customer. Click on a row to open the customer.',
  unit: units.count,
  mappings: texts({ 1: ['Under attack', colours.vermilion] }),
  empty: 'No customer was attacked in the time shown.',
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    rangeQuery(
      named(
        by('max', gauge('dcsim_customer_attack'), ['customer', 'class']),
        'dcsim_customer_info',
        ['customer'],
        ['name'],
      ),
      '{{name}}: {{class}}',
    ),
  ],
})

const firewalls = lines({
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

const victims = table({
  title: 'Who is attacked',
  description: 'Customers at whom hostile traffic aims now, and by what.',
  empty: 'No customer is under attack.',
  labels: [
    { label: 'name', title: 'Customer', links: [fromRow('dcsim-customer', 'customer', 'customer')] },
    { label: 'customer', title: 'Id', hidden: true },
    { label: 'class', title: 'Class', mappings: classTexts },
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
    { label: 'name', title: 'Appliance', links: [toDevice] },
    { label: 'kind', title: 'Kind', mappings: applianceTexts },
    { label: 'appliance', title: 'Id', hidden: true },
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
  title: 'Defenses of gateways',
  description: 'Add-ons that are owned, and whether they are on. They cost money, and forwarding.',
  labels: [
    { label: 'name', title: 'Gateway', links: [toDevice] },
    { label: 'gateway', title: 'Id', hidden: true },
    { label: 'addon', title: 'Add-on', mappings: addonTexts },
    { label: 'class', title: 'Against', mappings: classTexts },
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
  empty: 'No customer is under attack.',
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
      'Who is attacked, what does each line of defense stop, what gets through, and how much room is left?',
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(8, [24, defenseLines]),
          row(9, [14, history], [10, victims]),
        ],
      },
      {
        title: 'History',
        shelves: [
          row(9, [8, arrives], [8, passes], [8, volumes]),
          row(8, [12, victimsOverTime], [12, firewalls]),
        ],
      },
      { title: 'Defenses', shelves: [row(9, [8, headroom], [16, appliances]), row(8, [24, addons])] },
    ],
  })
