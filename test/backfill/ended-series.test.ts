import { expect, test } from 'vitest'
import { LastScrapes } from '../../src/backfill/ended-series.ts'

const chunk = (text: string) => ({ family: 'incident', bytes: new TextEncoder().encode(text) })
const head = '# HELP incident x\n# TYPE incident gauge\n'
const text = (chunks: readonly { readonly bytes: Uint8Array }[]): string =>
  chunks.map(({ bytes }) => new TextDecoder().decode(bytes)).join('')

test('the last scrapes lose the series that end before the last one, and no others', () => {
  const last = new LastScrapes()
  const major = chunk(`${head}incident{id="1",band="Major"} 1\nincident{id="2",band="Minor"}  1\n`)
  last.hold([major], 940, true)
  last.hold([major], 960, false)
  last.hold(
    [chunk(`${head}incident{id="1",band="Critical"} 1\nincident{id="2",band="Minor"} 0\n`)],
    980,
    true,
  )
  // The writer of metrics reuses its memory.
  major.bytes.fill(0)
  const lasting = [...last.lasting()]
  expect(lasting.map(({ atSeconds, changesOnly, chunks }) => [atSeconds, changesOnly, text(chunks)])).toEqual(
    [
      [940, true, `${head}incident{id="2",band="Minor"}  1\n`],
      [960, false, `${head}incident{id="2",band="Minor"}  1\n`],
      [980, true, `${head}incident{id="1",band="Critical"} 1\nincident{id="2",band="Minor"} 0\n`],
    ],
  )
  // A chunk that has not changed remains the same object, by which the writer recognizes it.
  expect(lasting[0].chunks[0]).toBe(lasting[1].chunks[0])
})
