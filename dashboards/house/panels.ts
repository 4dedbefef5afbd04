import { PanelBuilder as BarGauge } from '@grafana/grafana-foundation-sdk/bargauge'
import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  LineInterpolation,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
} from '@grafana/grafana-foundation-sdk/common'
import type { VizTooltipOptions } from '@grafana/grafana-foundation-sdk/common'
import {
  FieldColorBuilder,
  FieldColorModeId,
  FieldColorSeriesByMode,
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
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as StateTimeline } from '@grafana/grafana-foundation-sdk/statetimeline'
import { PanelBuilder as Text, TextMode } from '@grafana/grafana-foundation-sdk/text'
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries'
import { alarm, calmSteps, colours, plain, quiet, seriesColours } from './look.ts'
import type { Unit } from './look.ts'
import { withoutWorld, withRefIds } from './targets.ts'
import type { Target } from './targets.ts'
import { infinity, prometheus } from './variables.ts'

/** What stands in a panel that should always have something to show. */
export const noAnswer = 'No answer: is the mirror scraped?'
export const noAnswerOfMirror = 'No answer from the mirror.'
/** What stands in a cell that has no value. */
export const emptyCell = '–'

/** What every panel says of itself. */
export interface PanelOptions {
  readonly title: string
  readonly description: string
  readonly unit: Unit
  readonly targets: readonly Target[]
  /** What stands there while there is nothing to show, and why. */
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

/** What the panel builders of the SDK have in common. */
export interface PanelParts {
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

/** Tells a builder what the panel says of itself. */
export function withDefaults<B extends PanelParts>(panel: B, shown: PanelOptions): B {
  panel.title(shown.title)
  panel.description(shown.description)
  panel.datasource(shown.infinity === true ? infinity : prometheus)
  panel.unit(shown.unit)
  panel.noValue(shown.empty ?? withoutWorld(shown.targets) ?? noAnswer)
  panel.thresholds(
    new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...(shown.steps ?? plain)]),
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

const tooltip = (mode: TooltipDisplayMode, sort: SortOrder): Builder<VizTooltipOptions> => ({
  build: () => ({ mode, sort }),
})
const lastValue = () => new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false)
const fixed = (color: string) => ({ id: 'color', value: { mode: 'fixed', fixedColor: color } })

/** The colours of the series that are known by name. */
function named(panel: PanelParts, byName: Readonly<Record<string, string>>): void {
  for (const [name, color] of Object.entries(byName)) panel.overrideByName(name, [fixed(color)])
}

export interface Figure extends PanelOptions {
  /** Leaves out how it went. */
  readonly calm?: boolean
  /** The tile takes the color of its state, for words rather than numbers. */
  readonly filled?: boolean
  /** Colours of numbers by name, where there are several. */
  readonly colours?: Readonly<Record<string, string>>
  /** The same where a number is worth its color only when it is not 0. */
  readonly loud?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, { id: string; value: unknown }[]>>
  /** Numbers that say by their units what they are. */
  readonly nameless?: boolean
  /** Names even a single number. */
  readonly withName?: boolean
}

/** A line below a number is small: more points would not be seen. */
const sparklinePoints = 100

function textMode({ nameless, withName }: Figure): BigValueTextMode {
  if (nameless === true) return BigValueTextMode.Value
  return withName === true ? BigValueTextMode.ValueAndName : BigValueTextMode.Auto
}

function statColor({ filled, steps, mappings, colours: byName }: Figure): BigValueColorMode {
  if (filled === true) return BigValueColorMode.Background
  const isColored = steps !== undefined || mappings !== undefined || byName !== undefined
  return isColored ? BigValueColorMode.Value : BigValueColorMode.None
}

/** One number, large, with how it went below it. Several sessions stand side by side. */
export function stat(shown: Figure): Panel {
  const steps = shown.filled === true ? shown.steps : calmSteps(shown.steps ?? [])
  const panel = withDefaults(new Stat(), { ...shown, ...(shown.steps !== undefined && { steps }) })
    .maxDataPoints(sparklinePoints)
    .reduceOptions(lastValue())
    .textMode(textMode(shown))
    .justifyMode(BigValueJustifyMode.Auto)
    .colorMode(statColor(shown))
    .graphMode(shown.calm === true ? BigValueGraphMode.None : BigValueGraphMode.Area)
    .orientation(VizOrientation.Auto)
  named(panel, shown.colours ?? {})
  for (const [name, color] of Object.entries(shown.loud ?? {})) panel.overrideByName(name, [louder(color)])
  for (const [name, properties] of Object.entries(shown.overrides ?? {}))
    panel.overrideByName(name, properties)
  return withTargets(panel.build(), shown.targets)
}

const louder = (color: string) => ({
  id: 'thresholds',
  value: {
    mode: 'absolute',
    steps: [
      { value: null, color: quiet },
      { value: 1, color },
    ],
  },
})

/** A bar for each thing, longest at the top where the query sorts them. */
export function bars(shown: PanelOptions): Panel {
  const panel = withDefaults(new BarGauge(), shown)
    .reduceOptions(lastValue())
    .displayMode(BarGaugeDisplayMode.Basic)
    .orientation(VizOrientation.Horizontal)
    .showUnfilled(true)
  return withTargets(panel.build(), shown.targets)
}

export interface Lines extends PanelOptions {
  readonly stacked?: boolean
  /** Colours of series by name; the others are told apart by lightness. */
  readonly colours?: Readonly<Record<string, string>>
  /** Whether the thresholds are drawn, and the colour of a line is that of its last value. */
  readonly limits?: boolean
  /** Series of equal rank whose names are not known: each has a color of its own. */
  readonly varied?: boolean
  /** A line that values should stay below, or above. */
  readonly limit?: number
  /** Values that hold until they change, rather than going up and down. */
  readonly stepped?: boolean
  readonly legend?: 'table' | 'list' | 'none'
}

const legends = {
  none: () => new VizLegendOptionsBuilder().showLegend(false),
  list: () =>
    new VizLegendOptionsBuilder()
      .showLegend(true)
      .displayMode(LegendDisplayMode.List)
      .placement(LegendPlacement.Bottom)
      .calcs([]),
  table: () =>
    new VizLegendOptionsBuilder()
      .showLegend(true)
      .displayMode(LegendDisplayMode.Table)
      .placement(LegendPlacement.Right)
      .calcs(['lastNotNull', 'max'])
      .sortBy('Last *')
      .sortDesc(true),
}

/** How values went over time. */
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
  if (shown.stacked === true) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
  if (shown.limits === true) {
    panel.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
    panel.colorScheme(
      new FieldColorBuilder().mode(FieldColorModeId.Thresholds).seriesBy(FieldColorSeriesByMode.Last),
    )
  } else if (shown.varied === true) {
    panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic))
  } else {
    panel.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Shades).fixedColor(colours.blue))
  }
  if (shown.limit !== undefined) {
    const steps = [
      { value: null, color: 'transparent' },
      { value: shown.limit, color: alarm },
    ]
    panel.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    panel.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  }
  named(panel, shown.colours ?? {})
  return withTargets(panel.build(), shown.targets)
}

/** The house's colours for series in this order. */
export const inOrder = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, seriesColours[at % seriesColours.length]]))

/** Rows of a state timeline that are shown at once: Grafana 11.3 and later page through the others. */
const statesPerPage = 12

/** A gap has no state. Otherwise the text of an empty panel would stand for it, in a cell or in the legend. */
export const gap: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: ' ', color: 'transparent', index: 99 } },
}

/**
 * In which state things were, as bands of colour with the state's name in them. The mappings color them: where
 * thresholds do, Grafana merges values by threshold and forgets the mappings.
 */
export function states(shown: PanelOptions & { readonly mappings: readonly ValueMapping[] }): Panel {
  const panel = withDefaults(new StateTimeline(), { ...shown, mappings: [...shown.mappings, gap] })
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colours.grey))
    .perPage(statesPerPage)
    .showValue(VisibilityMode.Auto)
    .mergeValues(true)
    .rowHeight(0.85)
    .fillOpacity(80)
    .lineWidth(0)
    .legend(legends.list())
    .tooltip(tooltip(TooltipDisplayMode.Single, SortOrder.None))
  return withTargets(panel.build(), shown.targets)
}

/** Text for people, in Markdown. */
export const note = (title: string, content: string): Panel =>
  new Text().title(title).mode(TextMode.Markdown).content(content).build()

/** One line of text without a frame. */
export const textLine = (html: string): Panel =>
  new Text().title('').transparent(true).mode(TextMode.HTML).content(html).build()
