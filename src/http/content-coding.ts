/** The content codings that are offered, the one that we would rather use first where a client doesn't mind. */
export const codingNames = ['zstd', 'br', 'gzip'] as const
export type CodingName = (typeof codingNames)[number]

const listItem = /^\s*([A-Za-z0-9*-]+)\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?$/

/** The weight of each coding that the header names, in lower case; items that cannot be read are passed over. */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of header.split(',')) {
    const [, name, weight = '1'] = listItem.exec(item) ?? []
    if (name === undefined) continue
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase()
    found.set(coding, Math.min(1, Number(weight)))
  }
  return found
}

/** The coding that an Accept-Encoding header asks for; null sends the body as it is. */
export function negotiatedCoding(
  header: string,
  offered: readonly CodingName[] = codingNames,
): CodingName | null {
  const asked = weights(header)
  const others = asked.get('*') ?? 0
  // Without coding is acceptable unless refused, and then there is nothing better to send than just that.
  let best: CodingName | null = null
  let bestWeight = asked.has('identity') ? asked.get('identity')! : 0
  for (const name of offered) {
    const weight = asked.get(name) ?? others
    const better = best === null ? weight >= bestWeight : weight > bestWeight
    if (weight === 0 || !better) continue
    best = name
    bestWeight = weight
  }
  return best
}

/** How many distinct Accept-Encoding headers are remembered with what they come to. */
const rememberedMax = 64

/** Negotiates once for each header that readers send: there are few, and each is sent over and over. */
export class NegotiatedCodings {
  readonly #offered: readonly CodingName[]
  readonly #remembered = new Map<string, CodingName | null>()

  constructor(offered: readonly CodingName[]) {
    this.#offered = offered
  }

  for(header: string): CodingName | null {
    const known = this.#remembered.get(header)
    if (known !== undefined) return known
    const coding = negotiatedCoding(header, this.#offered)
    if (this.#remembered.size < rememberedMax) this.#remembered.set(header, coding)
    return coding
  }
}
