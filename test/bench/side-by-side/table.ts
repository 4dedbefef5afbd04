import { digits } from '../harness/finding.ts'
import type { Estimate } from '../harness/turns.ts'
import type { Cost } from './measure.ts'

export const seriesOf = (exposition: string): number => exposition.match(/^[^#\n]/gm)?.length ?? 0

/** The first two columns are text. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heads.map((_, at) => (at < 2 ? '---' : '---:'))
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** A difference below zero is noise: the request costs too little to stand out from other work of the server. */
const shown = (value: number): string => digits(Math.max(0, value))
const range = ({ value, low, high }: Estimate): string => `${shown(value)} (${shown(low)}–${shown(high)})`

export const costHeads = ['MB', 'Wall ms', 'CPU ms']
export const costCells = ({ bytes, wallMs, cpuMs }: Cost): string[] => [
  digits(bytes / 1e6),
  range(wallMs),
  range(cpuMs),
]

const codedHeads = (coding: string): string[] =>
  [...costHeads, 'CPU ms per 1,000 series'].map((head) => `${coding}: ${head}`)
export const scrapeHeads = ['Series', ...codedHeads('Plain'), ...codedHeads('gzip')]

/** A server that does not compress has no costs of gzip. */
export const scrapeCells = (series: number, plain: Cost, gzip: Cost | null): string[] => [
  series.toLocaleString('en-US'),
  ...[plain, gzip].flatMap((cost) =>
    cost === null ? ['–', '–', '–', '–'] : costCells(cost).concat(shown((cost.cpuMs.value / series) * 1_000)),
  ),
]
