import { sessionNamePattern } from '../../contract/session.ts'
import { defaultSessionName } from '../../sources/registry.ts'
import type { SessionOptions } from '../../sources/source-kind.ts'

const nameLengthMax = 64

/** Turns a text into a name: characters that a name cannot contain become dashes. */
function asName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9._:-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const bounded = name.slice(0, nameLengthMax)
  return sessionNamePattern.test(bounded) ? bounded : 'session'
}

/** The name of the session that the options select. */
export const sessionNameOf = (options: SessionOptions & { readonly session: string }): string =>
  options.session === '' ? asName(defaultSessionName(options)) : options.session
