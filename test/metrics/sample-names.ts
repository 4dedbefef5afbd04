import type { Stored } from './real-prometheus.ts'

/** Prometheus 3 stores the bounds of histograms as floats, 300 as 300.0. */
const alike = (label: string, value: string): string =>
  label === 'le' && value !== '+Inf' ? String(Number(value)) : value

/** A sample's name and sorted labels. */
function sampleKey(
  name: string | undefined,
  labels: readonly (readonly [name: string, value: string])[],
  stray = '',
): string {
  const written = labels.map(([label, value]) => [label, alike(label, value)] as const)
  return JSON.stringify([name, stray, written.toSorted(([one], [other]) => (one < other ? -1 : 1))])
}

/** A stored sample in the text format, without the labels that Prometheus adds. */
export function asWritten({ metric }: Pick<Stored, 'metric'>): string {
  const { __name__: name, job, instance, session: _, ...labels } = metric
  const stray = job === undefined || instance === undefined ? 'stray' : ''
  return sampleKey(name, Object.entries(labels), stray)
}

/** The same for a sample line. */
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
