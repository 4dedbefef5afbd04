import type { MessageKey } from '../../../src/contract/messages/catalog.ts'
import { bands, rootKinds, symptomKinds } from '../../../src/contract/vocabularies.ts'
import { equipmentKinds } from './measure.ts'
import type { MeasuredWorld } from './measure.ts'
import type { Spread } from './spread.ts'
import { quantiles } from './spread.ts'

/** Worlds with combined figures. */
export interface WorldSet {
  readonly title: string
  readonly worlds: readonly MeasuredWorld[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const rangeText = (spread: Spread, shares: readonly number[], decimals = 0): string =>
  quantiles(spread, shares)
    .map((value) => value.toFixed(decimals))
    .join('–')

/** A table in Markdown. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heads.map((_, column) => (column === 0 ? '---' : '---:'))
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A row: its label, and a cell for each item. */
const cells = <Item>(label: string, items: readonly Item[], cellOf: (item: Item) => string): string[] =>
  [label].concat(items.map(cellOf))

const setHeads = (first: string, sets: readonly WorldSet[]): string[] =>
  cells(first, sets, ({ title }) => title)

function bandTable(sets: readonly WorldSet[]): string {
  const cell = ({ worlds }: WorldSet, band: (typeof bands)[number]): string => {
    const days = sum(worlds.map((world) => world.days))
    const perDay = sum(worlds.map((world) => world.bands[band])) / days
    const time = sum(worlds.map(({ timeInBand }) => timeInBand[band])) / worlds.length
    const minutes = worlds.flatMap(({ durations }) => durations[band])
    return `${perDay.toFixed(2)}, ${percent(time)}, ${rangeText(minutes, [0.5, 0.9])} min`
  }
  return table(
    setHeads('Band', sets),
    bands.map((band) => cells(band, sets, (set) => cell(set, band))),
  )
}

type Counted = 'rootKinds' | 'graveRootKinds' | 'headlines'

const countOf = ({ worlds }: WorldSet, name: Counted, kind: string): number =>
  sum(worlds.map((world) => (world[name] as ReadonlyMap<string, number>).get(kind) ?? 0))

/** Root kinds in descending frequency, with the number of Major and Critical incidents. */
function causeTable(sets: readonly WorldSet[]): string {
  const all = (kind: string): number => sum(sets.map((set) => countOf(set, 'rootKinds', kind)))
  const totals = (set: WorldSet, name: Counted): number =>
    sum(rootKinds.map((kind) => countOf(set, name, kind)))
  const merged = ({ worlds }: WorldSet): string =>
    `${sum(worlds.map((world) => world.merged))}, ${sum(worlds.map((world) => world.wrongMerges))}`
  return table(setHeads('Confirmed cause', sets), [
    ...rootKinds
      .toSorted((one, other) => all(other) - all(one))
      .map((kind) =>
        cells(
          kind,
          sets,
          (set) => `${countOf(set, 'rootKinds', kind)}, ${countOf(set, 'graveRootKinds', kind)}`,
        ),
      ),
    cells('*all*', sets, (set) => `${totals(set, 'rootKinds')}, ${totals(set, 'graveRootKinds')}`),
    cells('*merged into another incident, and those that its cause does not reach*', sets, merged),
  ])
}

const symptomTable = (sets: readonly WorldSet[]): string =>
  table(
    setHeads('First symptom', sets),
    symptomKinds.map((kind) => cells(kind, sets, (set) => String(countOf(set, 'headlines', kind)))),
  )

/** Ratios between the figures, set by set. */
function shareTable(sets: readonly WorldSet[]): string {
  const fromEquipment = ({ worlds }: WorldSet): string => {
    const kinds = worlds.flatMap(({ graveRootKinds }) => [...graveRootKinds])
    const all = sum(kinds.map(([, count]) => count))
    return percent(sum(kinds.filter(([kind]) => equipmentKinds.has(kind)).map(([, count]) => count)) / all)
  }
  const confirmed = ({ worlds }: WorldSet): string =>
    rangeText(
      worlds.flatMap(({ confirmations }) => confirmations),
      [0.5, 0.9],
    )
  const most = (set: WorldSet, of: (world: MeasuredWorld) => Spread): string =>
    rangeText(set.worlds.flatMap(of), [0.5, 0.95, 1])
  return table(setHeads('', sets), [
    cells('Days', sets, ({ worlds }) => String(sum(worlds.map(({ days }) => days)))),
    cells('Customer days within what was sold', sets, ({ worlds }) => {
      const all = sum(worlds.map(({ customerDays }) => customerDays))
      return `${percent(sum(worlds.map(({ customerDaysWithin }) => customerDaysWithin)) / all)} of ${all}`
    }),
    cells('Major and Critical with their true, a false and no cause in the end', sets, ({ worlds }) =>
      [
        sum(worlds.map(({ trueCauses }) => trueCauses)),
        sum(worlds.map(({ falseCauses }) => falseCauses)),
        sum(worlds.map(({ unknownCauses }) => unknownCauses)),
      ].join(', '),
    ),
    cells('Major and Critical from equipment, power, cooling or cables', sets, fromEquipment),
    cells('Minutes to the confirmed cause: median–90 %', sets, confirmed),
    cells('Minutes that work for Major and Critical waits for a technician: median–95 %–most', sets, (set) =>
      most(set, ({ graveWaits }) => graveWaits),
    ),
    cells('Minutes of a Critical without work or a stated wait: median–95 %–most', sets, (set) =>
      most(set, ({ silences }) => silences),
    ),
  ])
}

const spreads = {
  pue: ['PUE', 2],
  outdoorCelsius: ['Outdoor temperature, °C', 1],
  inletCelsius: ['Inlet temperature, °C', 1],
  survivingFeedLoad: ['Load of a feed if it were alone', 2],
  coolingLoad: ['Load of the cooling', 2],
} as const satisfies Partial<Record<keyof MeasuredWorld, readonly [string, number]>>

function spreadTable({ title, worlds }: WorldSet): string {
  const rows = Object.entries(spreads).map(([name, [label, decimals]]) => {
    const spread = worlds.flatMap((world) => world[name as keyof typeof spreads])
    return cells(label, quantiles(spread, [0, 0.1, 0.5, 0.9, 1]), (value) => value.toFixed(decimals))
  })
  return table([title, 'Least', '10 %', 'Median', '90 %', 'Most'], rows)
}

const dollars = (amount: number): string => `$${amount.toFixed(0)}`

/** A row for each world: what it grew to, what it earned, and the events of a day. */
function companyTable({ title, worlds }: WorldSet): string {
  const rows = worlds.map(({ seed, company }) => {
    const { hosts, zones, customers, revenuePerHour, margin, reserves, gaps, staff, told } = company
    return [
      String(seed),
      ...[hosts, zones, customers].map(({ from, to }) => `${from}–${to}`),
      `${dollars(revenuePerHour.from)}–${dollars(revenuePerHour.to)}`,
      `${percent(margin.from)}–${percent(margin.to)}`,
      rangeText(reserves, [0, 0.5, 1], 1),
      `${sum([...company.chapters.values()])}, ${Math.max(...gaps).toFixed(0)} days`,
      `${staff.hired}, ${staff.left}, ${staff.trained}`,
      rangeText(told, [0, 0.5, 1]),
    ]
  })
  return table(
    [
      `${title}: seed`,
      'Hosts',
      'Zones',
      'Customers',
      'Revenue an hour',
      'Margin',
      'Months of cost in reserve: least–median–most',
      'Chapters, longest wait for one',
      'Hired, left, trained',
      'Events a day: least–median–most',
    ],
    rows,
  )
}

/** How often each chapter began. */
function chapterTable(sets: readonly WorldSet[]): string {
  const keys = new Set(
    sets.flatMap(({ worlds }) => worlds.flatMap(({ company }) => [...company.chapters.keys()])),
  )
  const count = ({ worlds }: WorldSet, key: MessageKey): number =>
    sum(worlds.map(({ company }) => company.chapters.get(key) ?? 0))
  return table(
    setHeads('Chapter', sets),
    [...keys]
      .toSorted()
      .map((key) => cells(key.replace('event.', ''), sets, (set) => String(count(set, key)))),
  )
}

/** The figures of sets of worlds, in Markdown. */
export const summaryOf = (sets: readonly WorldSet[]): string =>
  [
    shareTable(sets),
    'Incidents a day by their gravest band, share of the time in which one was open, and minutes: median–90 %.',
    bandTable(sets),
    'Incidents by confirmed cause, and those of them that were Major or Critical.',
    causeTable(sets),
    symptomTable(sets),
    ...sets.map(spreadTable),
    'The companies, from the beginning to the end.',
    ...sets.map(companyTable),
    chapterTable(sets),
  ].join('\n\n')
