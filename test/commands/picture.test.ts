import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import { TestService } from '../http/test-service.ts'
import { run } from './run.ts'

let service: TestService
const folder = mkdtempSync(join(tmpdir(), 'picture-'))

beforeAll(async () => {
  service = await TestService.start()
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

test('picture writes the picture of a running mirror', async () => {
  const file = join(folder, 'floor.svg')
  const url = `http://127.0.0.1:${service.port}`
  const command = run(['picture', 'floor', '--url', url, '--out', file, '--theme', 'dark'])
  expect([await command.ended, command.out, command.err]).toEqual([[0, null], `Wrote ${file}.\n`, ''])
  expect(readFileSync(file, 'utf8')).toBe((await service.get('/pictures/floor.svg?theme=dark')).text)
})

test.each([
  [
    ['picture', 'flor'],
    'The mirror refused: There is no picture "flor"; did you mean /pictures/floor.svg?\n',
  ],
  [
    ['picture'],
    `missing argument NAME; expected ${pictureNames.slice(0, -1).join(', ')} or ${pictureNames.at(-1)}\n`,
  ],
  [
    ['picture', 'floor', '--url', ''],
    '--url: got "", expected an http or https address, such as http://127.0.0.1:3000\n',
  ],
  [['picture', 'floor', '--filter', 'zone'], '--filter: got "zone", expected NAME=VALUE\n'],
])('%j says what is wrong', async (words, message) => {
  const url = words.includes('--url') ? [] : ['--url', `http://127.0.0.1:${service.port}`]
  const command = run([...words, ...url])
  expect([(await command.ended)[0] === 0, command.err]).toEqual([false, message])
})
