/** The quality value of each item of an Accept header, in lower case; 0 for a malformed one. */
export function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const items = header.split(',').map((item) => {
    const [name, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0] as const
  })
  return new Map(items)
}

/** The type that a client prefers by its Accept header; the first one if it has no preference. */
export function preferredType<N extends string>(
  accept: string | undefined,
  types: Readonly<Record<N, string>>,
): N {
  const names = Object.keys(types) as N[]
  if (accept === undefined) return names[0]
  const qualities = qualitiesOf(accept)
  /** The most specific range that matches a type decides. */
  const qualityOf = (type: string): number =>
    qualities.get(type) ?? qualities.get(`${type.split('/')[0]}/*`) ?? qualities.get('*/*') ?? 0
  return names.reduce((best, name) => (qualityOf(types[name]) > qualityOf(types[best]) ? name : best))
}
