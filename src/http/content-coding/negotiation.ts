import { codingNames } from './codings.ts'
import type { CodingName } from './codings.ts'

const listItem = /^\s*([A-Za-z0-9*-]+)\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?$/

/** The weight of each coding that the header names, in lower case. Malformed items are ignored. */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of header.split(',')) {
    const [, name, weight = '1'] = listItem.exec(item) ?? []
    if (name === undefined) continue
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase()
    weights.set(coding, Math.min(1, Number(weight)))
  }
  return weights
}

/** The coding that an Accept-Encoding header prefers; null for identity. */
export function negotiateCoding(header: string): CodingName | null {
  const weights = parseWeights(header)
  const defaultWeight = weights.get('*') ?? 0
  // Identity is the fallback even if the header refuses it: no other representation is acceptable.
  let best: CodingName | null = null
  let bestWeight = weights.get('identity') ?? 0
  for (const name of codingNames) {
    const weight = weights.get(name) ?? defaultWeight
    const isBetter = best === null ? weight >= bestWeight : weight > bestWeight
    if (weight === 0 || !isBetter) continue
    best = name
    bestWeight = weight
  }
  return best
}
