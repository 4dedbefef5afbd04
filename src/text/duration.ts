const pattern = /^(?:(\d{1,9})d ?)?(?:(\d{1,9})h ?)?(?:(\d{1,9})m ?)?(?:(\d{1,9})s)?$/
const unitSeconds = [86_400, 3_600, 60, 1] as const

/** The seconds of a duration such as 45s, 1h30m or "4d 12h": each unit at most once, the largest first. */
export function parseDuration(text: string): number | null {
  const parts = text === '' || text.endsWith(' ') ? null : pattern.exec(text)
  return parts && unitSeconds.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0)
}

/** A duration in the format of `parseDuration`, to its largest parts: "4d 12h", "90s" as "1m 30s". */
export function durationText(seconds: number, partsMax = Infinity): string {
  let left = Math.max(0, Math.floor(seconds))
  const end = unitSeconds.findIndex((unit) => unit <= left) + partsMax
  const parts = unitSeconds.flatMap((unit, index) => {
    const count = Math.floor(left / unit)
    left -= count * unit
    return count === 0 || index >= end ? [] : [`${count}${'dhms'[index]}`]
  })
  return parts.length === 0 ? '0s' : parts.join(' ')
}
