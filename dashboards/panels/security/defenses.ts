import { thresholds } from '../../../src/contract/thresholds.ts'
import { threatClasses } from '../../../src/contract/vocabularies.ts'
import { threatBaseUnits } from '../../../src/metrics/families/threats.ts'
import type { ThreatUnit } from '../../../src/metrics/families/threats.ts'
import { capitalized } from '../../../src/words/phrases.ts'
import { threatWords } from '../../../src/words/vocabulary.ts'
import { fromRow, fromSeries } from '../../layout/links.ts'
import { noneExpected, plainText, risingSteps, unit } from '../../style/look.ts'
import { bars } from '../../visualizations/panels.ts'
import { addonTexts, applianceTexts, texts, healthyFlagTexts } from '../../style/states.ts'
import { table } from '../../visualizations/tables.ts'
import { instantQuery } from '../../queries/targets.ts'
import { by, compare, share, topk } from '../../../promql/expressions.ts'
import { gauge, withNames } from '../../queries/series.ts'
import { hostileTraffic, threatAmount } from './threat-amounts.ts'

/** Stopped traffic and headroom of each line of defense. */

const headroomSteps = risingSteps(thresholds.defenseLoadHigh, 1)

const toDevice = fromRow('dcsim-device', 'device', 'name')

export const headroom = bars({
  title: 'Defenses by load',
  longNames: true,
  description:
    'What each gateway stops, of the most that it can: the nine fullest. A full one lets the rest pass.',
  links: [fromSeries('dcsim-device', 'device', 'name')],
  unit: unit.share,
  min: 0,
  max: 1,
  steps: headroomSteps,
  targets: [
    instantQuery(
      topk(
        9,
        withNames(
          share(
            by('sum', threatAmount('gateway', 'mitigated'), ['gateway', 'class']),
            by('sum', threatAmount('gateway', 'capacity'), ['gateway', 'class']),
          ),
          'dcsim_gateway_info',
          ['gateway'],
          ['name'],
        ),
      ),
      '{{name}}, {{class}}',
    ),
  ],
})

const displayedUnits: Readonly<Record<ThreatUnit, string>> = {
  bytes_per_second: 'bits/s',
  packets_per_second: 'packets/s',
  requests_per_second: 'requests/s',
  attempts_per_second: 'attempts/s',
  probes_per_second: 'probes/s',
}

export const classTexts = texts(
  Object.fromEntries(
    threatClasses.map((name) => [name, [capitalized(threatWords(name)), plainText] as const]),
  ),
)

/** The words of a class, with the unit in which hostile traffic of it is counted. */
const countedTexts = texts(
  Object.fromEntries(
    threatClasses.map((name, index) => {
      const text = `${capitalized(threatWords(name))}, ${displayedUnits[threatBaseUnits[index]]}`
      return [name, [text, plainText] as const]
    }),
  ),
)

const hostile = hostileTraffic()

/** Arriving, stopped and residual traffic at each line of defense, each class in its own unit. */
export const defenseLines = table({
  title: 'Lines of defense',
  description:
    'Hostile traffic by class, from the outside to the inside: what arrives at the gateways, what they stop, what arrives at the appliances behind them, what those stop, and what gets through. What is missing in between is dropped on full links. Used: stopped, of what could be stopped.',
  empty: 'No gateway reports hostile traffic.',
  labels: [{ label: 'class', title: 'Class of attack', mappings: countedTexts, width: 216 }],
  values: [
    { expr: hostile.arriving, title: 'Arrives', unit: unit.amount, decimals: 1 },
    {
      expr: hostile.stoppedAtGateways,
      title: 'Gateways stop',
      unit: unit.amount,
      decimals: 1,
    },
    {
      expr: share(hostile.stoppedAtGateways, hostile.stoppableAtGateways),
      title: 'Gateways used',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: headroomSteps,
    },
    {
      expr: hostile.meetingAppliances,
      title: 'At appliances',
      unit: unit.amount,
      decimals: 1,
    },
    {
      expr: hostile.stoppedAtAppliances,
      title: 'Appliances stop',
      unit: unit.amount,
      decimals: 1,
    },
    {
      expr: share(hostile.stoppedAtAppliances, hostile.stoppableAtAppliances),
      title: 'Appliances used',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: headroomSteps,
    },
    {
      expr: hostile.gettingThrough,
      title: 'Gets through',
      unit: unit.amount,
      decimals: 1,
      steps: noneExpected,
    },
  ],
  sortBy: 'Gateways used',
})

export const appliancesPanel = table({
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
        withNames(
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
      unit: unit.share,
      bar: true,
      steps: risingSteps(thresholds.inspectionLoadHigh, 1),
    },
    {
      expr: by('max', gauge('dcsim_appliance_inspection_enabled'), ['appliance', 'kind']),
      title: 'On',
      mappings: healthyFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_appliance_powered'), ['appliance', 'kind']),
      title: 'Power',
      mappings: healthyFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_appliance_dropped_packets_per_second'), ['appliance', 'kind']),
      title: 'Dropped',
      unit: unit.packets,
    },
    {
      expr: by('max', gauge('dcsim_appliance_security_events_per_second'), ['appliance', 'kind']),
      title: 'Security events',
      unit: unit.events,
    },
  ],
  sortBy: 'Inspection',
})

export const addons = table({
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
        withNames(
          compare(gauge('dcsim_gateway_addon_owned'), '==', 1),
          'dcsim_gateway_info',
          ['gateway'],
          ['name'],
        ),
        ['gateway', 'addon', 'class', 'name'],
      ),
      title: 'Owned',
      mappings: healthyFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_gateway_addon_enabled'), ['gateway', 'addon', 'class']),
      title: 'On',
      mappings: healthyFlagTexts,
    },
  ],
  sortBy: 'On',
  empty: 'No add-on is owned.',
})
