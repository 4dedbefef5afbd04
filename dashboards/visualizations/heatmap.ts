import { HeatmapCellLayout } from '@grafana/grafana-foundation-sdk/common'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  HeatmapColorMode,
  HeatmapColorOptionsBuilder,
  PanelBuilder as Heatmap,
  RowsHeatmapOptionsBuilder,
  YAxisConfigBuilder,
} from '@grafana/grafana-foundation-sdk/heatmap'
import { withDefaults, withTargets } from './panels.ts'
import { unit } from '../style/look.ts'
import type { PanelOptions } from './panels.ts'

/** The number of columns that are distinguishable in a third of a page; each column is a query over all entities. */
const columnsMax = 40

/** Counts of entities by the bins of their values. Lightness alone shows the count; of which end, depends on the theme. */
export function heatmap(shown: PanelOptions): Panel {
  const panel = withDefaults(new Heatmap(), { ...shown, unit: unit.count })
    .maxDataPoints(columnsMax)
    .calculate(false)
    .rowsFrame(new RowsHeatmapOptionsBuilder().layout(HeatmapCellLayout.Le))
    .color(new HeatmapColorOptionsBuilder().mode(HeatmapColorMode.Scheme).scheme('Blues').steps(32))
    .yAxis(new YAxisConfigBuilder().unit(shown.unit))
    .cellGap(1)
    .showLegend()
  return withTargets(panel.build(), shown.targets)
}
