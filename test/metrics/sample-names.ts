import type { Stored } from './real-prometheus.ts'

/** Prometheus 3 stores the bounds of histograms as floats, 300 as 300.0. */
const alike = (label: string, value: string): string =>
  label === 'le' && value !== '+Inf' ? String(Number(value)) : value

/** A stored sample as the text format writes it, the labels that Prometheus adds left out. */
export function asWritten({ metric }: Pick<Stored, 'metric'>): string {
  const { __name__: name, job, instance, ...labels } = metric
  const written = Object.entries(labels).map(([label, value]) => [label, alike(label, value)] as const)
  const pairs = written.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([name, job === undefined || instance === undefined ? 'stray' : '', pairs])
}

/** The same of a sample line. */
export function asScraped(sample: string): string {
  const name = /^[^{]+/.exec(sample)![0]
  const pairs = [...sample.matchAll(/[{,](?<label>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g)].map(({ groups }) => [
    groups!['label'],
    alike(
      groups!['label'],
      groups!['value'].replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
    ),
  ])
  return JSON.stringify([name, '', pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))])
}
