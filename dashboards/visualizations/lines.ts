import {
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  LineInterpolation,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  FieldColorBuilder,
  FieldColorModeId,
  FieldColorSeriesByMode,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries'
import { alarm, palette, seriesColors, unit } from '../style/look.ts'
import type { GrafanaUnit } from '../style/look.ts'
import { listLegend, tooltip, withColors, withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'
import { withRefIds } from '../queries/targets.ts'
import type { Target } from '../queries/targets.ts'

export interface Lines extends PanelOptions {
  readonly stacked?: boolean
  /** Colors of series by name. */
  readonly colors?: Readonly<Record<string, string>>
  /** Whether to draw the thresholds; a single line has the color of its last value. */
  readonly limits?: boolean
  /** A limit for the values, from above or below. */
  readonly limit?: number
  /** Draws steps: values are constant until they change. */
  readonly stepped?: boolean
  readonly legend?: 'table' | 'list' | 'none'
}

const legends = {
  none: () => new VizLegendOptionsBuilder().showLegend(false),
  list: listLegend,
  table: () =>
    new VizLegendOptionsBuilder()
      .showLegend(true)
      .displayMode(LegendDisplayMode.Table)
      .placement(LegendPlacement.Right)
      .calcs(['lastNotNull', 'max'])
      .sortBy('Last *')
      .sortDesc(true),
}

/** Whether the legend contains names from the data, so that there may be any number of lines. */
const isOfMany = (targets: readonly Target[]): boolean =>
  withRefIds(targets).some((target) =>
    /\{\{(?!instance\})/.test((target as { legendFormat?: string }).legendFormat ?? ''),
  )

/** Lines of equal rank with unknown names have distinct colors: shades of one could not be distinguished. */
function colorOf({ targets, limits }: Lines): FieldColorBuilder {
  if (isOfMany(targets)) return new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic)
  if (limits === true)
    return new FieldColorBuilder().mode(FieldColorModeId.Thresholds).seriesBy(FieldColorSeriesByMode.Last)
  return new FieldColorBuilder().mode(FieldColorModeId.Shades).fixedColor(palette.blue)
}

/** The minimum range of the axis for constant values: Grafana's default is a hundred, for shares 10,000 %. */
const leastReach: Readonly<Partial<Record<GrafanaUnit, number>>> = {
  [unit.count]: 4,
  [unit.number]: 4,
  [unit.share]: 0.01,
  [unit.dollars]: 10,
  [unit.requests]: 1,
  [unit.traffic]: 1e9,
}

/** Values over time. */
export function lines(shown: Lines): Panel {
  const panel = withDefaults(new TimeSeries(), shown)
    .drawStyle(GraphDrawStyle.Line)
    .lineInterpolation(shown.stepped === true ? LineInterpolation.StepAfter : LineInterpolation.Linear)
    .lineWidth(shown.stacked === true ? 1 : 2)
    .fillOpacity(shown.stacked === true ? 60 : 8)
    .showPoints(VisibilityMode.Never)
    .spanNulls(false)
    .legend(legends[shown.legend ?? 'table']())
    .tooltip(tooltip(TooltipDisplayMode.Multi, SortOrder.Descending))
  const reach = leastReach[shown.unit]
  if (reach !== undefined) panel.axisSoftMax(reach)
  if (shown.stacked === true) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
  if (shown.limits === true)
    panel.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  panel.colorScheme(colorOf(shown))
  if (shown.limit !== undefined) {
    const steps = [
      { value: null, color: 'transparent' },
      { value: shown.limit, color: alarm },
    ]
    panel.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    panel.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  }
  withColors(panel, shown.colors ?? {})
  return withTargets(panel.build(), shown.targets)
}

/** Assigns colors of the palette to series in this order. */
export const colorsInOrder = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, seriesColors[at % seriesColors.length]]))
