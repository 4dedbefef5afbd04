/** Finds the name that somebody may have meant. */

/** Of the letters of both words, fewer than this share may differ. */
const differingShare = 1 / 3
const longestWord = 80
const shortestBeginning = 3

/** How many letters have to be left out or put in to make one word of the other. */
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

/** The nearest of some names; null where none is near. */
export function nearest(word: string, names: readonly string[]): string | null {
  if (word.length > longestWord) return null
  const isNear = (name: string): boolean =>
    (word.length >= shortestBeginning && name.startsWith(word)) ||
    editDistance(word, name) < differingShare * (word.length + name.length)
  const near = names.filter(isNear)
  return near.toSorted((a, b) => editDistance(word, a) - editDistance(word, b))[0] ?? null
}
