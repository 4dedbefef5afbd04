import { expect, test, vi } from 'vitest'
import { Logger } from '../../src/command-line/logger.ts'
import { progressOf } from '../../src/command-line/progress.ts'

test('long work tells its progress to a log every few seconds, without a terminal too', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const out = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream
  const progress = progressOf(new Logger({ level: 'info', out }), 'Running the world twice')
  for (const share of [0.1, 0.2, 0.4, 0.6]) {
    vi.advanceTimersByTime(2_500)
    progress(share)
  }
  vi.useRealTimers()
  expect(lines).toEqual([
    'Running the world twice: 20 %, about 20 s left.\n',
    'Running the world twice: 60 %, about 10 s left.\n',
  ])
})
