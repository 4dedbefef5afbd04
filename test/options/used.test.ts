import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { actCommand, reportCommand } from '../../src/commands/game-day.ts'
import { historyCommand } from '../../src/commands/history.ts'
import { inspectCommand } from '../../src/commands/inspect.ts'
import { recordCommand } from '../../src/commands/record.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { targetsCommand } from '../../src/commands/targets.ts'

const commands = [
  serveCommand,
  recordCommand,
  inspectCommand,
  historyCommand,
  actCommand,
  reportCommand,
  targetsCommand,
]

/** The code that may read the value of a flag: all but the declarations. */
const code = globSync('src/**/*.ts', { exclude: ['src/options/*-settings.ts'] })
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

/** As a member, or by destructuring. */
const isRead = (flag: string): boolean =>
  new RegExp(
    flag.includes('-')
      ? `\\['${flag}'\\]|'${flag}': \\w+`
      : `options\\??\\.${flag}\\b|settings\\??\\.${flag}\\b|[{,]\\s*${flag}\\b[^{}]*\\}`,
  ).test(code)

test('the value of every flag is read', () => {
  const flags = new Set(commands.flatMap(({ settings }) => Object.keys(settings)))
  expect([...flags].filter((flag) => !isRead(flag))).toStrictEqual([])
  expect(flags.size).toBeGreaterThan(30)
  expect(isRead('no-such-flag')).toBe(false)
})
