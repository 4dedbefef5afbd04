import { PanelBuilder as BarGauge } from '@grafana/grafana-foundation-sdk/bargauge'
import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  BarGaugeDisplayMode,
  BarGaugeNamePlacement,
  BarGaugeSizing,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder as TextSize,
} from '@grafana/grafana-foundation-sdk/common'
import type { VizTooltipOptions } from '@grafana/grafana-foundation-sdk/common'
import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  SpecialValueMatch,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type {
  DashboardLink,
  FieldColor,
  Panel,
  Threshold,
  ThresholdsConfig,
  ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as StateTimeline } from '@grafana/grafana-foundation-sdk/statetimeline'
import { PanelBuilder as Text, TextMode } from '@grafana/grafana-foundation-sdk/text'
import { palette, plainSteps } from '../style/look.ts'
import type { GrafanaUnit } from '../style/look.ts'
import { withoutWorld, withRefIds } from '../queries/targets.ts'
import type { Target } from '../queries/targets.ts'
import { infinity, prometheus } from '../layout/variables.ts'

/** The text of an empty panel that should never be empty. */
const noAnswer = 'No answer: is the mirror scraped?'
export const noAnswerOfMirror = 'No answer from the mirror. Sentences need the Infinity plugin.'
/** The text of a cell without a value. */
export const emptyCell = '–'

/** Options that every panel has. */
export interface PanelOptions {
  readonly title: string
  readonly description: string
  readonly unit: GrafanaUnit
  readonly targets: readonly Target[]
  /** The text of an empty panel, with the reason. */
  readonly empty?: string
  readonly steps?: readonly Threshold[]
  readonly mappings?: readonly ValueMapping[]
  readonly decimals?: number
  readonly min?: number
  readonly max?: number
  readonly links?: readonly Builder<DashboardLink>[]
  /** Reads the JSON API instead of Prometheus. */
  readonly infinity?: boolean
}

/** The common interface of the SDK's panel builders. */
interface PanelParts {
  build(): Panel
  title(title: string): unknown
  description(description: string): unknown
  datasource(source: { type: string; uid: string }): unknown
  unit(unit: string): unknown
  noValue(text: string): unknown
  thresholds(thresholds: Builder<ThresholdsConfig>): unknown
  colorScheme(color: Builder<FieldColor>): unknown
  mappings(mappings: ValueMapping[]): unknown
  decimals(decimals: number): unknown
  min(min: number): unknown
  max(max: number): unknown
  dataLinks(links: Builder<DashboardLink>[]): unknown
  overrideByName(name: string, properties: { id: string; value?: unknown }[]): unknown
}

/** Applies the common options to a builder. */
export function withDefaults<B extends PanelParts>(panel: B, shown: PanelOptions): B {
  panel.title(shown.title)
  panel.description(shown.description)
  panel.datasource(shown.infinity === true ? infinity : prometheus)
  panel.unit(shown.unit)
  panel.noValue(shown.empty ?? withoutWorld(shown.targets) ?? noAnswer)
  panel.thresholds(
    new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...(shown.steps ?? plainSteps)]),
  )
  panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds))
  if (shown.mappings !== undefined) panel.mappings([...shown.mappings])
  if (shown.decimals !== undefined) panel.decimals(shown.decimals)
  if (shown.min !== undefined) panel.min(shown.min)
  if (shown.max !== undefined) panel.max(shown.max)
  if (shown.links !== undefined) panel.dataLinks([...shown.links])
  return panel
}

export const withTargets = (panel: Panel, targets: readonly Target[]): Panel => ({
  ...panel,
  targets: withRefIds(targets),
})

export const tooltip = (mode: TooltipDisplayMode, sort: SortOrder): Builder<VizTooltipOptions> => ({
  build: () => ({ mode, sort }),
})
export const lastValue = () => new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false)
const fixed = (color: string) => ({ id: 'color', value: { mode: 'fixed', fixedColor: color } })

/** Colors of series by name. */
export function withColors(panel: PanelParts, byName: Readonly<Record<string, string>>): void {
  for (const [name, color] of Object.entries(byName)) panel.overrideByName(name, [fixed(color)])
}

/** The least height of a bar with its name above it, and the most of any. */
const [namedBarMin, barMax] = [26, 42]

/** A bar for each entity, in the order of the query. Beside a bar, a name has two fifths of the width: longer ones stand above. */
export function bars(shown: PanelOptions & { readonly longNames?: boolean }): Panel {
  const panel = withDefaults(new BarGauge(), shown)
    .reduceOptions(lastValue())
    .displayMode(BarGaugeDisplayMode.Basic)
    .orientation(VizOrientation.Horizontal)
    .namePlacement(shown.longNames === true ? BarGaugeNamePlacement.Top : BarGaugeNamePlacement.Left)
    .text(
      shown.longNames === true ? new TextSize().titleSize(12).valueSize(14) : new TextSize().valueSize(14),
    )
    .sizing(BarGaugeSizing.Manual)
    .minVizHeight(shown.longNames === true ? namedBarMin : 8)
    .maxVizHeight(barMax)
    .showUnfilled(true)
  return withTargets(panel.build(), shown.targets)
}

export const listLegend = () =>
  new VizLegendOptionsBuilder()
    .showLegend(true)
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .calcs([])

/** Rows of a state timeline on one page: Grafana 11.3 and later have further pages. */
const statesPerPage = 12

/** Only series that are named by labels. Others are few: without pages, the number of the only one takes no space. */
const mayBeMany = ({ targets }: PanelOptions): boolean =>
  targets.some((target) => 'legendFormat' in target && String(target.legendFormat).includes('{{'))

/** A gap has no state. Without this, the text of an empty panel would appear in a cell or in the legend. */
const gap: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: ' ', color: 'transparent', index: 99 } },
}

/**
 * States over time, as bands of color that the legend names: in a short band Grafana would show a part of the name. The
 * mappings color them: with colors by threshold, Grafana merges values by threshold and ignores the mappings.
 */
export function states(shown: PanelOptions & { readonly mappings: readonly ValueMapping[] }): Panel {
  const panel = withDefaults(new StateTimeline(), { ...shown, mappings: [...shown.mappings, gap] })
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(palette.gray))
    .perPage(statesPerPage)
    .showValue(VisibilityMode.Never)
    .mergeValues(true)
    .rowHeight(0.85)
    .fillOpacity(80)
    .lineWidth(0)
    .legend(listLegend())
    .tooltip(tooltip(TooltipDisplayMode.Single, SortOrder.None))
    .build()
  const options = { ...(panel.options as object), perPage: mayBeMany(shown) ? statesPerPage : 0 }
  return withTargets({ ...panel, options }, shown.targets)
}

/** One line of text without a frame. */
export const textLine = (html: string): Panel =>
  new Text().title('').transparent(true).mode(TextMode.HTML).content(html).build()
