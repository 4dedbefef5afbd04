import { describe, expect, test } from 'vitest'
import { parseActionLine } from '../../../src/world/scenarios/action-line.ts'
import { actionLineOf } from '../../../src/world/scenarios/action-words.ts'
import { hour, minute } from '../../../src/world/simulation/time.ts'
import { reviewedTexts } from '../../fixtures/reviewed-texts.ts'

const texts = reviewedTexts(new URL('./texts/', import.meta.url))

describe('a line of an actions file', () => {
  test('is an action, now or at a time', () => {
    const target = '"target":{"kind":"Switch","role":"core","pick":"busiest"}'
    expect(parseActionLine(`{"do":"SwitchFailure",${target},"for":"30m"}`)).toMatchObject({
      line: { at: null, action: { action: 'SwitchFailure', duration: 30 * minute } },
    })
    expect(parseActionLine(`{"at":"1h 30m","do":"SwitchFailure",${target}}`)).toMatchObject({
      line: { at: 1.5 * hour, action: { duration: null } },
    })
  })

  test.each([...texts.blocks('refused-lines')])('%s is refused', (text, [told]) => {
    const [, column, reason] = /^column (\d+): (.+)$/.exec(told)!
    const problem = { column: Number(column), message: expect.stringContaining(reason) as string }
    expect(parseActionLine(text)).toEqual({ problem })
  })

  test('that never ends is refused', () => {
    const message = 'expected at most 10000 characters, got 10001'
    expect(parseActionLine(' '.repeat(10_001))).toEqual({ problem: { column: 1, message } })
  })
})

describe('an action in words', () => {
  test.each([...texts.blocks('words')])('%s', (words, [line]) => {
    const read = actionLineOf(words)
    expect('json' in read && (JSON.parse(read.json) as unknown)).toEqual(JSON.parse(line))
  })

  test.each([...texts.blocks('refused-words')])('"%s" is refused', (words, [problem]) => {
    expect(actionLineOf(words)).toEqual({ problem })
  })

  test('without a word is refused', () => {
    expect(actionLineOf('')).toEqual({ problem: 'unknown action ""; act --list lists what there is' })
  })
})
