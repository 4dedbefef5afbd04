import { partText } from '../../contract/collections.ts'
import type { UnknownParts, WorldPart } from '../../contract/collections.ts'

/** The header that says which parts a response lacks because the source does not tell them, and why. */
export const unknownHeader = 'X-Sim-Unknown'

/** Names the parameters that a table does not have: they have no effect. */
export const ignoredParametersHeader = 'X-Ignored-Parameters'

const reasonLengthMax = 300

/** Text of an upstream as a header may have it. */
const plainAscii = (text: string): string => text.replaceAll(/[^ -~]/g, '?').slice(0, reasonLengthMax)

/** The reasons of those parts that are unknown, as text; empty if all are known. */
export const unknownText = (unknown: UnknownParts, parts: readonly WorldPart[]): string =>
  parts
    .flatMap((part) =>
      unknown[part] === undefined ? [] : [`${partText(part)}: ${plainAscii(unknown[part])}`],
    )
    .join(' ')

/** Alternating names and values; empty if all of the parts are known. */
export function unknownHeaders(unknown: UnknownParts, parts: readonly WorldPart[]): readonly string[] {
  const text = unknownText(unknown, parts)
  return text === '' ? [] : [unknownHeader, text]
}
