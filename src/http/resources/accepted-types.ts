interface Range {
  readonly type: string
  readonly quality: number
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((item) => {
    const [type, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return { type, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 }
  })
}

/** The quality value of a type: the most specific range that matches it decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [group] = type.split('/')
  for (const pattern of [type, `${group}/*`, '*/*']) {
    const range = ranges.find((one) => one.type === pattern)
    if (range !== undefined) return range.quality
  }
  return 0
}

/** The type that a client prefers by its Accept header; the first one if it has no preference. */
export function preferredType<N extends string>(
  accept: string | undefined,
  types: Readonly<Record<N, string>>,
): N {
  const names = Object.keys(types) as N[]
  if (accept === undefined) return names[0]
  const ranges = rangesOf(accept)
  return names.reduce((best, name) =>
    qualityOf(types[name], ranges) > qualityOf(types[best], ranges) ? name : best,
  )
}
