import {
  LineInterpolation,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Trend } from '@grafana/grafana-foundation-sdk/trend'
import { withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'
import { json } from '../queries/targets.ts'

interface TrendShown extends Omit<PanelOptions, 'targets'> {
  /** Metric path of the series. */
  readonly path: string
}

/** A series of the world's own history. The axis is simulated time, in days since the world began. */
export function trend({ path, ...shown }: TrendShown): Panel {
  const empty = 'No history yet. (Or there is no Infinity data source.)'
  const panel = withDefaults(new Trend(), { empty, ...shown, targets: [], infinity: true })
    .xField('day')
    .lineInterpolation(LineInterpolation.Linear)
    .lineWidth(2)
    .fillOpacity(8)
    .showPoints(VisibilityMode.Never)
    .legend(new VizLegendOptionsBuilder().showLegend(false))
    .overrideByName('day', [
      { id: 'unit', value: 'none' },
      { id: 'custom.axisLabel', value: 'Simulated days' },
      { id: 'decimals', value: 1 },
    ])
    .overrideByName('value', [{ id: 'displayName', value: shown.title }])
  const columns = [
    { selector: 'day', text: 'day', type: 'number' },
    { selector: 'value', text: 'value', type: 'number' },
  ] as const
  const url = `/tables/series?path=${encodeURIComponent(path)}&limit=10000`
  return withTargets(panel.build(), [json({ url, columns })])
}
