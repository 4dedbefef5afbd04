import type { Stored } from './real-prometheus.ts'

/** Prometheus 3 stores the bounds of histograms as floats, 300 as 300.0. */
const alike = (label: string, value: string): string =>
  label === 'le' && value !== '+Inf' ? String(Number(value)) : value

/** A sample's name and labels, in any order. */
function sampleKey(
  name: string | undefined,
  labels: readonly (readonly [name: string, value: string])[],
  stray = '',
): string {
  const written = labels.map(([label, value]) => [label, alike(label, value)] as const)
  return JSON.stringify([name, stray, written.toSorted(([one], [other]) => (one < other ? -1 : 1))])
}

/** A stored sample as the text format writes it, the labels that Prometheus adds left out. */
export function asWritten({ metric }: Pick<Stored, 'metric'>): string {
  const { __name__: name, job, instance, session: _, ...labels } = metric
  const stray = job === undefined || instance === undefined ? 'stray' : ''
  return sampleKey(name, Object.entries(labels), stray)
}

/** The same of a sample line. */
export function asScraped(sample: string): string {
  const name = /^[^{]+/.exec(sample)![0]
  const labels = [...sample.matchAll(/[{,](?<label>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g)].map(
    ({ groups }) =>
      [
        groups!['label'],
        groups!['value'].replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
      ] as const,
  )
  return sampleKey(name, labels)
}
