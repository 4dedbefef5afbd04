import { HeatmapCalculationOptionsBuilder } from '@grafana/grafana-foundation-sdk/common'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  HeatmapColorMode,
  HeatmapColorOptionsBuilder,
  PanelBuilder as Heatmap,
  YAxisConfigBuilder,
} from '@grafana/grafana-foundation-sdk/heatmap'
import { withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'

/** The number of columns that are distinguishable in a third of a page; each column is a query over all series. */
const columnsMax = 60

/** The distribution of values over entities: darker cells have more entities. Lightness alone shows the count. */
export function heatmap(shown: PanelOptions): Panel {
  const panel = withDefaults(new Heatmap(), shown)
    .maxDataPoints(columnsMax)
    .calculate(true)
    .calculation(new HeatmapCalculationOptionsBuilder())
    .color(new HeatmapColorOptionsBuilder().mode(HeatmapColorMode.Scheme).scheme('Blues').steps(32))
    .yAxis(new YAxisConfigBuilder().unit(shown.unit).min(0))
    .cellGap(1)
    .showLegend()
  return withTargets(panel.build(), shown.targets)
}
