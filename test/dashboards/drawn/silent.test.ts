import { expect, test } from 'vitest'
import { alarm, attention, palette, okColor, quiet } from '../../../dashboards/style/look.ts'
import { everyDashboard, panelsOf, placeOf } from '../dashboard-json.ts'
import type { Version } from './grafana.ts'
import { Grafana, versions } from './grafana.ts'

/** Colors that indicate a state. */
const states: ReadonlySet<string> = new Set<string>([
  alarm,
  attention,
  okColor,
  palette.green,
  palette.orange,
  palette.vermilion,
])

const tiles = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard)
    .filter(({ type }) => type === 'stat')
    .map((panel) => ({ place: placeOf(dashboard, panel), panel })),
)

test.each(Object.keys(versions) as Version[])(
  'no answer has the color of no state in Grafana %s',
  (version) => {
    const grafana = new Grafana(version)
    const shown = tiles.flatMap(({ place, panel }) =>
      grafana.figures(panel, []).map(({ color }) => [place, color] as const),
    )
    expect(shown.filter(([, color]) => color !== undefined && states.has(color))).toStrictEqual([])
    expect(shown.find(([place]) => place === 'Session / At risk / h')).toStrictEqual([
      'Session / At risk / h',
      quiet,
    ])
    expect(shown.length).toBeGreaterThan(50)
  },
)
