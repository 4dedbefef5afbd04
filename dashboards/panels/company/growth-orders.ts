import { by, anyOf } from '../../../promql/expressions.ts'
import { link, preservedQueryParams } from '../../layout/links.ts'
import { eventFeed } from '../events.ts'
import { gauge, perGameTime } from '../../queries/series.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { unit } from '../../style/look.ts'
import { colorsInOrder, lines } from '../../visualizations/lines.ts'
import { wordTable } from '../../visualizations/tables.ts'

/** Prospects, and orders for them. */

const secondsPerDay = 86_400
export const prospectsByFit = wordTable({
  title: 'Prospects',
  description: 'What they want, whether it fits and how long they wait, those that expire first at the top.',
  empty: 'No prospect waits.',
  table: 'prospects',
  tinted: true,
  lines: 3,
  numbered: true,
  columns: [
    { field: 'prospect', title: 'Prospect' },
    { field: 'plan', title: 'Plan', width: 72 },
    { field: 'advice', title: 'Advice', width: 96, wraps: true },
    { field: 'fit', title: 'Fit' },
    { field: 'wants', title: 'Wants' },
    {
      field: 'revenue_dollars_per_month',
      title: '$ a month',
      unit: unit.dollars,
      decimals: 0,
      width: 70,
    },
    { field: 'expires', title: 'Expires', width: 104 },
  ],
})

export const calendarPanel = wordTable({
  title: 'What wears out or ends next',
  description:
    'Parts by the day on which they are worn out if they wear on as they did so far, contracts by the end of their notice, what has expired first. Gateways, appliances, and certificates and licenses that are still good have no date in the game.',
  empty: 'Nothing wears out, or the game tells neither age nor condition of its parts.',
  table: 'calendar',
  query: 'zone=${zone:csv}&limit=6',
  tinted: true,
  lines: 3,
  numbered: true,
  columns: [
    { field: 'ends', title: 'Ends', width: 78 },
    {
      field: 'what',
      title: 'What',
      width: 124,
      wraps: true,
      links: [
        link(
          'Open ${__data.fields.leads_to}',
          `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${preservedQueryParams}&\${instance:queryparam}` +
            ['host', 'rack', 'customer', 'incident']
              .map((name) => `&var-${name}=\${__data.fields.about_id}`)
              .join('') +
            '&var-device=${__data.fields.what}',
        ),
      ],
    },
    { field: 'kind', title: 'Kind', width: 92 },
    { field: 'state', title: 'State', width: 92 },
    { field: 'where', title: 'Where', width: 124, wraps: true },
    { field: 'hit', title: 'Who is hit' },
    { field: 'advice', title: 'What to do' },
    { field: 'about_id', title: 'Id', hidden: true },
    { field: 'leads_to', title: 'Leads to', hidden: true },
  ],
})

const purchaseKinds = [
  'CapacityOrdered',
  'CapacityDelivered',
  'CapacityAdded',
  'CapacityRefused',
  'HardwareRenewed',
  'SalePlanned',
  'SaleCalledOff',
  'HardwareSold',
  'StaffHired',
  'StaffLeft',
] as const

export const purchases = eventFeed({
  title: 'Purchases of the operator',
  query: `kind=${purchaseKinds.join(',')}&limit=30`,
  empty: 'Nothing was ordered, delivered, refused or sold in the time shown.',
})

/** New zones, prices, owners, loans, large customers: what begins and continues over weeks. */
export const chapters = eventFeed({
  title: 'Chapters of the company',
  query: 'kind=ChapterBegan,ChapterContinued&limit=50',
  empty: 'No chapter began or went on in the time shown.',
})

export const ordersToBuild = lines({
  title: 'Orders a day',
  description: 'Orders, deliveries and refusals, a day of simulated time.',
  unit: unit.number,
  min: 0,
  legend: 'list',
  colors: colorsInOrder('Ordered', 'In service', 'Refused'),
  empty: 'Nothing was ordered in the time shown.',
  targets: (
    [
      ['CapacityOrdered', 'Ordered'],
      ['CapacityAdded', 'In service'],
      ['CapacityRefused', 'Refused'],
    ] as const
  ).map(([kind, legend]) =>
    rangeQuery(
      perGameTime('dcsim_events_total', [], { where: { kind: anyOf([kind]) }, seconds: secondsPerDay }),
      legend,
    ),
  ),
})

export const growingCustomers = lines({
  title: 'Customers and units',
  description: 'Customers, and the units that they run.',
  unit: unit.count,
  min: 0,
  legend: 'list',
  colors: colorsInOrder('Units', 'Customers'),
  targets: [
    rangeQuery(by('max', gauge('dcsim_units')), 'Units'),
    rangeQuery(by('max', gauge('dcsim_customers')), 'Customers'),
  ],
})
