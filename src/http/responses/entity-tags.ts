const weakPrefix = 'W/'
const opaque = (tag: string): string => (tag.startsWith(weakPrefix) ? tag.slice(weakPrefix.length) : tag)

/** Whether an If-None-Match header matches the tag, by weak comparison, or any tag. */
export function matchesEntityTag(header: string, tag: string): boolean {
  if (header === tag || header.trim() === '*') return true
  const opaqueTag = opaque(tag)
  // The service's tags contain no comma, so splitting a foreign tag at a comma yields no match.
  return header.split(',').some((item) => opaque(item.trim()) === opaqueTag)
}
