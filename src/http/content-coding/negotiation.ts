import { qualitiesOf } from '../requests/accepted-types.ts'
import { codingNames } from './codings.ts'
import type { CodingName } from './codings.ts'

/** The coding that an Accept-Encoding header prefers; null for identity. */
export function negotiateCoding(header: string): CodingName | null {
  const accepted = qualitiesOf(header)
  const qualityOf = (name: string): number => accepted.get(name) ?? accepted.get('*') ?? 0
  const best = codingNames.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one))
  // Identity is the fallback even if the header refuses it: no other representation is acceptable.
  return qualityOf(best) > 0 && qualityOf(best) >= (accepted.get('identity') ?? 0) ? best : null
}
