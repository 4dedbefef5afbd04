import { worldFileKind } from './attached/file/kind.ts'
import { upstreamKind } from './attached/kind.ts'
import { simulationKind } from './built-in/kind.ts'
import { recordingKind } from './replay/kind.ts'
import type { Source } from './source.ts'
import type { SessionOptions, SourceContext, SourceKind } from './source-kind.ts'

/** Every kind of source. A value of `--source` selects the first that matches. */
export const sourceKinds = {
  simulation: simulationKind,
  upstream: upstreamKind,
  file: worldFileKind,
  recording: recordingKind,
} as const

export type SourceKindName = keyof typeof sourceKinds

type SpecOf<K> = K extends SourceKind<infer S> ? S : never

/** Selects one source. */
export type SourceSpec = SpecOf<(typeof sourceKinds)[SourceKindName]>

export const sourceKindNames = Object.keys(sourceKinds) as SourceKindName[]

export const sourceKindOf = (source: string): SourceKindName =>
  sourceKindNames.find((name) => sourceKinds[name].matches(source))!

const kindOf = (spec: SourceSpec): SourceKind<SourceSpec> => sourceKinds[spec.kind] as SourceKind<SourceSpec>

export const describeSource = (spec: SourceSpec): string => kindOf(spec).describe(spec)

export const openSource = (spec: SourceSpec, context: SourceContext): Promise<Source> =>
  kindOf(spec).open(spec, context)

export const upstreamOriginOf = (spec: SourceSpec): string | null =>
  kindOf(spec).upstreamOrigin?.(spec) ?? null

export const defaultSessionName = (options: SessionOptions): string =>
  sourceKinds[sourceKindOf(options.source)].sessionName(options)

const usualYoungGenerationMb = 48

/** Without a limit, V8 grows the young generation to 128 MB at 10,000 hosts, which makes the world no faster. */
export const youngGenerationMbOf = (spec: SourceSpec): number =>
  kindOf(spec).youngGenerationMb?.(spec) ?? usualYoungGenerationMb

/** Whether closing a source saves its state. */
export const isSavedAtClose = (spec: SourceSpec): boolean => kindOf(spec).isSavedAtClose?.(spec) ?? false
