import { createRequire } from 'node:module'
import type * as GrafanaData from '@grafana/data'
import type { Panel } from '../dashboard-json.ts'

type Library = typeof GrafanaData
export type Frame = GrafanaData.DataFrame
export type Field = GrafanaData.Field

/** Versions of Grafana's own code that draw panels: the pinned one, and the oldest supported one. */
export const versions = { '13.2.3': '@grafana/data', '12.4.10': 'grafana-data-oldest' } as const
export type Version = keyof typeof versions

interface Shown {
  readonly text: string
  /** Whether the text only stands for a missing value. */
  readonly isEmpty: boolean
  readonly color: string | undefined
}

/** A table as displayed. */
interface TableShown {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Shown[])[]
}

const standardProperties = 'unit min max decimals displayName noValue mappings thresholds color links'.split(
  ' ',
)
const customProperties =
  'width cellOptions hidden hideFrom axisPlacement axisLabel fillOpacity stacking'.split(' ')

const libraries = new Map<Version, Library>()

/** The code of a version, with its transformations in the registry, where Grafana itself puts them. */
function libraryOf(version: Version): Library {
  const known = libraries.get(version)
  if (known !== undefined) return known
  // Its ES modules import names of CommonJS modules that Node does not find there.
  const require = createRequire(import.meta.url)
  // Its dependency takes the presence of a window for a browser.
  Reflect.deleteProperty(globalThis, 'window')
  createRequire(require.resolve(versions[version]))('react-use')
  // The older version adds listeners to the window while it loads.
  Object.assign(globalThis, { window: { addEventListener: () => {}, localStorage: {}, location: {} } })
  const library = require(versions[version]) as Library
  const transformers = new Map(Object.values(library.standardTransformers).map((info) => [info.id, info]))
  library.standardTransformersRegistry.setInit(() =>
    [...transformers].map(([id, info]) => {
      const transformation = version === '13.2.3' ? () => Promise.resolve(info) : info
      return { id, name: id, transformation } as never
    }),
  )
  libraries.set(version, library)
  return library
}

/** Grafana's own code for the steps before a panel draws frames: transformations, overrides, texts and colors. */
export class Grafana {
  readonly #library: Library
  readonly #theme: GrafanaData.GrafanaTheme2
  readonly #registry: GrafanaData.FieldConfigOptionsRegistry

  constructor(version: Version) {
    this.#library = libraryOf(version)
    const { Registry, createTheme, identityOverrideProcessor } = this.#library
    this.#theme = createTheme()
    const property = (path: string, isCustom: boolean): unknown => ({
      id: isCustom ? `custom.${path}` : path,
      path,
      name: path,
      isCustom,
      process: identityOverrideProcessor,
      shouldApply: () => true,
      override: () => null,
      editor: () => null,
    })
    this.#registry = new Registry(
      () =>
        [
          ...standardProperties.map((path) => property(path, false)),
          ...customProperties.map((path) => property(path, true)),
        ] as never,
    ) as never
  }

  /** The frames that a panel receives, each value with its text and color. */
  async drawn(panel: Panel, frames: readonly Frame[]): Promise<Frame[]> {
    const { transformDataFrame, applyFieldOverrides } = this.#library
    const known = (panel.transformations ?? []).map(({ id }) => id)
    const unknown = known.filter((id) => !this.#library.standardTransformersRegistry.getIfExists(id))
    if (unknown.length > 0)
      throw new Error(`${panel.title}: no transformation ${unknown.join(', ')} in @grafana/data`)
    const { promise, resolve, reject } = Promise.withResolvers<Frame[]>()
    const context = { interpolate: (text: string) => text }
    transformDataFrame([...(panel.transformations ?? [])] as never, [...frames], context).subscribe({
      next: resolve,
      error: reject,
    })
    return applyFieldOverrides({
      data: await promise,
      fieldConfig: structuredClone(panel.fieldConfig) as never,
      replaceVariables: (text) => text,
      theme: this.#theme,
      timeZone: 'utc',
      fieldConfigRegistry: this.#registry,
    })
  }

  frame(refId: string, name: string | undefined, fields: readonly Partial<Field>[]): Frame {
    return this.#library.toDataFrame({ refId, name, fields })
  }

  /** The text and color of a value. */
  shown(field: Field, value: unknown): Shown {
    const { formattedValueToString, getDisplayProcessor } = this.#library
    const display = field.display ?? getDisplayProcessor({ field, theme: this.#theme })
    const shown = display(value)
    const isEmpty = value === null || value === undefined || value === ''
    return { text: formattedValueToString(shown), isEmpty, color: shown.color }
  }

  /** The display name of a field: the head of a column, the name of a line. */
  nameOf(field: Field, frame: Frame, all: readonly Frame[]): string {
    return this.#library.getFieldDisplayName(field, frame, [...all])
  }

  /** The visible columns of a table, with their texts. */
  table(frame: Frame): TableShown {
    const fields = frame.fields.filter(({ config }) => !isHidden(config))
    const rows = Array.from({ length: frame.length }, (_, at) =>
      fields.map((field) => this.shown(field, field.values[at])),
    )
    return { columns: fields.map((field) => this.nameOf(field, frame, [frame])), rows }
  }

  /** The numbers of a panel that shows one per series. */
  figures(
    panel: Panel,
    frames: readonly Frame[],
  ): { readonly title: string; readonly text: string; readonly color: string | undefined }[] {
    const { getFieldDisplayValues, formattedValueToString } = this.#library
    const values = getFieldDisplayValues({
      fieldConfig: structuredClone(panel.fieldConfig) as never,
      reduceOptions: (panel.options?.reduceOptions ?? { calcs: ['lastNotNull'] }) as never,
      replaceVariables: (text) => text,
      theme: this.#theme,
      data: [...frames],
      timeZone: 'utc',
    })
    return values.map(({ display }) => ({
      title: display.title ?? '',
      text: formattedValueToString(display),
      color: display.color,
    }))
  }
}

function isHidden(config: Field['config']): boolean {
  const custom = config.custom as { hidden?: boolean; hideFrom?: { viz?: boolean } } | undefined
  return custom?.hidden === true || custom?.hideFrom?.viz === true
}
