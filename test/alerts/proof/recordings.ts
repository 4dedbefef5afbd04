import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ruleGroups } from '../../../alerts/catalogue.ts'
import type { Recording } from '../../../alerts/rule.ts'
import { defaultSettings } from '../../../alerts/settings.ts'
import { beginning, promtool, scrapeSeconds } from './play.ts'
import { PastPrometheus } from './prometheus.ts'

/** Recording rules in layers: those of one read what those before it have recorded. */
export function layers(recordings: readonly Recording[]): Recording[][] {
  const reads = ({ record, expr }: Recording): Recording[] =>
    recordings.filter((other) => other.record !== record && expr.includes(other.record))
  const sorted: Recording[][] = []
  let left = [...recordings]
  while (left.length > 0) {
    const layer = left.filter((rule) => !reads(rule).some((other) => left.includes(other)))
    if (layer.length === 0)
      throw new Error(`these rules read each other: ${left.map(({ record }) => record).join(', ')}`)
    sorted.push(layer)
    left = left.filter((rule) => !layer.includes(rule))
  }
  return sorted
}

/** Adds to the blocks in a folder what recording rules would have recorded while they came about. */
export async function record(folder: string, seconds: number): Promise<void> {
  const all = ruleGroups(defaultSettings).flatMap(({ recordings }) => recordings)
  for (const [index, rules] of layers(all).entries()) {
    const file = join(folder, `recordings-${index}.json`)
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'recordings', rules }] }))
    const prometheus = await PastPrometheus.start(folder)
    try {
      promtool(
        'tsdb',
        'create-blocks-from',
        'rules',
        `--url=${prometheus.url}`,
        `--start=${beginning}`,
        `--end=${beginning + seconds}`,
        `--eval-interval=${scrapeSeconds}s`,
        `--output-dir=${folder}`,
        file,
      )
    } finally {
      await prometheus.stop()
    }
  }
}
