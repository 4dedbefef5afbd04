const weakPrefix = 'W/'
const opaque = (tag: string): string => (tag.startsWith(weakPrefix) ? tag.slice(weakPrefix.length) : tag)

/** Whether an If-None-Match header names the tag, by weak comparison, or any representation at all. */
export function matchesTag(header: string, tag: string): boolean {
  if (header === tag || header.trim() === '*') return true
  const wanted = opaque(tag)
  // Our own tags hold no comma, so an item that a comma in a foreign tag cuts in two matches none of them.
  return header.split(',').some((item) => opaque(item.trim()) === wanted)
}
