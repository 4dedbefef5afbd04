import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { actionRules } from '../../src/world/simulation/scenarios/scenario.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-act-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function answer(...words: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const command = run(words)
  const [code] = await command.ended
  return { code, out: command.out, err: command.err }
}

describe('act', () => {
  const file = join(folder, 'actions.jsonl')

  test('appends a line, after one that was begun by hand', async () => {
    writeFileSync(file, '{"do":')
    const { code, out } = await answer('act', '--actions', file, 'SwitchFailure core busiest for 30m')
    expect(code).toBe(0)
    expect(out).toContain(`Appended to ${file}: {"do":"SwitchFailure",`)
    await answer('act', '--actions', file, 'Repair', 'Switch', 'id', '3')
    expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
      '{"do":"SwitchFailure","target":{"kind":"Switch","role":"core","pick":"busiest"},"for":"30m"}',
      '{"do":"Repair","target":{"kind":"Switch","id":3}}',
      '',
    ])
  })

  test.each([
    [['SwichFailure'], 2, 'unknown action "SwichFailure"; did you mean "SwitchFailure"?\n'],
    [[], 2, 'missing argument ACTION; --list lists them\n'],
  ])('refuses %s', async (words, code, err) => {
    expect(await answer('act', '--actions', file, ...words)).toEqual({ code, out: '', err })
  })

  test('says that a file cannot be written', async () => {
    const { code, err } = await answer('act', '--actions', join(folder, 'none/actions.jsonl'), 'HostFailure')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Cannot append to .*actions\.jsonl: .*\. Name the file that the mirror watches: --actions FILE\.\n$/,
    )
  })

  test('lists what there is', async () => {
    const { out } = await answer('act', '--list')
    for (const name of Object.keys(actionRules)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(out).toMatch(/^  Switch +zone ID, edge aggregation core$/m)
  })
})

describe('report', () => {
  test.each([
    [['none.jsonl', '--prometheus', 'http://127.0.0.1:1'], /^TRUTH: cannot read "none\.jsonl": /],
    [['none.jsonl'], /^--prometheus is required: expected a URL such as http:\/\/127\.0\.0\.1:9090\n$/],
    [['none.jsonl', '--prometheus', 'prometheus'], /^--prometheus: got "prometheus", expected a URL such as/],
    [
      ['none.jsonl', '--prometheus', 'http://127.0.0.1:1', '--alerts', '('],
      /^--alerts: got "\(", expected a regular expression/,
    ],
  ])('refuses %s', async (words, message) => {
    const { code, err } = await answer('report', ...words)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('names the line of a truth file that is none, and an empty file', async () => {
    const file = join(folder, 'truth.jsonl')
    const report = () => answer('report', file, '--prometheus', 'http://127.0.0.1:1')
    writeFileSync(file, '\n')
    expect((await report()).err).toBe(`TRUTH: ${file} has no faults yet\n`)
    writeFileSync(file, '\nnothing\n')
    expect((await report()).err).toBe(
      `TRUTH: ${file}, line 2: expected a fault as JSON, as --truth writes it\n`,
    )
  })
})
