import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  VizOrientation,
  VizTextDisplayOptionsBuilder as TextSize,
} from '@grafana/grafana-foundation-sdk/common'
import { MappingType, SpecialValueMatch } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat'
import { calmMappings, calmSteps, quiet } from '../style/look.ts'
import { lastValue, withColors, withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'

export interface Figure extends PanelOptions {
  /** Fills the tile with the color of its state, for words rather than numbers. */
  readonly filled?: boolean
  /** Colors of numbers by name, if there are several. */
  readonly colors?: Readonly<Record<string, string>>
  /** The same for numbers that have a color only when they are not 0. */
  readonly loud?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, { id: string; value: unknown }[]>>
  /** Hides names, for numbers whose units are sufficient. */
  readonly nameless?: boolean
  /** Shows the name even of a single number. */
  readonly withName?: boolean
  /** In pixels; chosen by Grafana where left out, which makes several texts in a low panel tiny. */
  readonly valueSize?: number
}

function textMode({ nameless, withName }: Figure): BigValueTextMode {
  if (nameless === true) return BigValueTextMode.Value
  return withName === true ? BigValueTextMode.ValueAndName : BigValueTextMode.Auto
}

function statColor({ filled, steps, mappings, colors: byName }: Figure): BigValueColorMode {
  if (filled === true) return BigValueColorMode.Background
  const isColored = steps !== undefined || mappings !== undefined || byName !== undefined
  return isColored ? BigValueColorMode.Value : BigValueColorMode.None
}

/** No response is not a state: without this, it has the color of the lowest step, which may be that of an alarm. */
const silent: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NullAndNan, result: { color: quiet, index: 99 } },
}

/** One large number, as of now. Several sessions are side by side. A graph of a tile would run through its number. */
export function stat(shown: Figure): Panel {
  const steps = shown.filled === true ? shown.steps : calmSteps(shown.steps ?? [])
  const mappings = [
    ...(shown.filled === true ? (shown.mappings ?? []) : calmMappings(shown.mappings ?? [])),
    silent,
  ]
  const panel = withDefaults(new Stat(), { ...shown, mappings, ...(shown.steps !== undefined && { steps }) })
    .reduceOptions(lastValue())
    .textMode(textMode(shown))
    .justifyMode(BigValueJustifyMode.Auto)
    .colorMode(statColor(shown))
    .graphMode(BigValueGraphMode.None)
    .orientation(VizOrientation.Auto)
  if (shown.valueSize !== undefined) panel.text(new TextSize().valueSize(shown.valueSize))
  withColors(panel, shown.colors ?? {})
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
