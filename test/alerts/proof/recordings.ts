import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginning, promtool, scrapeSeconds } from './play.ts'
import { PastPrometheus } from './prometheus.ts'
import { layers, recordingsOfAlerts } from './rules.ts'

/** Adds the results of recording rules to the blocks in a folder. */
export async function record(folder: string, seconds: number): Promise<void> {
  for (const [index, rules] of layers(recordingsOfAlerts()).entries()) {
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
