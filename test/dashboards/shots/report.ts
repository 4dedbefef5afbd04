import type { Seen } from './browser.ts'

/** Pictures in documents must load quickly. */
const mostKilobytes = 300

export const isBroken = ({ panelErrors, pageErrors }: Seen): boolean =>
  panelErrors.length > 0 || pageErrors.length > 0

/** A line per picture, and one per problem. */
export function reportLines(name: string, seen: Seen): string {
  const kilobytes = Math.ceil(seen.picture.length / 1024)
  const size = kilobytes > mostKilobytes ? `${kilobytes} kB, more than ${mostKilobytes}` : `${kilobytes} kB`
  return [
    `${name}: first screen after ${(seen.firstScreenMs / 1000).toFixed(1)} s, ${seen.panels} panels, ${size}`,
    ...seen.panelErrors.map((panel) => `  panel with an error: ${panel}`),
    ...seen.pageErrors.map((text) => `  error of the page: ${text}`),
    ...seen.empty.map((panel) => `  without data: ${panel}`),
    ...seen.cut.map((text) => `  cut: ${text}`),
  ].join('\n')
}
