/** Share of the letters of both words that may differ, exclusive. */
const differingShareMax = 1 / 3
const wordLengthMax = 80
const prefixLengthMin = 3

/** The number of insertions and deletions that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(a[i - 1] === b[j - 1] ? row[j - 1] : Math.min(row[j], next[j - 1]) + 1)
    }
    row = next
  }
  return row.at(-1)!
}

/** The name that the user most likely meant; null if none is similar. */
export function closestMatch(word: string, names: readonly string[]): string | null {
  if (word.length > wordLengthMax) return null
  const isSimilar = (name: string): boolean =>
    (word.length >= prefixLengthMin && name.startsWith(word)) ||
    editDistance(word, name) < differingShareMax * (word.length + name.length)
  const similar = names.filter(isSimilar)
  return similar.toSorted((a, b) => editDistance(word, a) - editDistance(word, b))[0] ?? null
}
