import { basename, extname } from 'node:path'
import { sessionNamePattern } from '../../contract/session.ts'
import type { sessionSettings } from '../../options/session-settings.ts'
import type { Values } from '../../options/command.ts'
import type { worldSettings } from '../../options/world-settings.ts'
import { sourceKindOf } from '../../sources/registry.ts'
import type { SourceKindName } from '../../sources/registry.ts'

type Options = Pick<
  Values<typeof sessionSettings & typeof worldSettings>,
  'session' | 'source' | 'scale' | 'seed' | 'scenario'
>

const stem = (file: string): string => basename(file, extname(file))

/** What tells one world of a kind from another: equal worlds have equal names. */
const defaultNames: { readonly [K in SourceKindName]: (options: Options) => string } = {
  simulation: ({ scale, seed, scenario }) =>
    [scale, seed, ...(scenario === '' ? [] : [stem(scenario)])].join('-'),
  upstream: ({ source }) => new URL(source).host,
  recording: ({ source }) => stem(source),
}

const nameLengthMax = 64

/** A text as a name: what a name cannot hold becomes a dash. */
function asName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9._:-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const bounded = name.slice(0, nameLengthMax)
  return sessionNamePattern.test(bounded) ? bounded : 'session'
}

/** The name of the session that the options select. */
export const sessionNameOf = (options: Options): string =>
  options.session === '' ? asName(defaultNames[sourceKindOf(options.source)](options)) : options.session
