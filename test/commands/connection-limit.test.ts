import { expect, test } from 'vitest'
import { connectionLimit } from '../../src/commands/serve/connection-limit.ts'

const limits = (openFiles: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             63432                63432                processes
Max open files            ${openFiles}                1048576              files
`

test.each([
  ['1048576', 1_048_512],
  ['1024', 960],
  ['80', 20],
  ['64', 16],
])('a limit of %s open files allows %s connections', (openFiles, connections) => {
  expect(connectionLimit(limits(openFiles))).toBe(connections)
})

test.each(['', limits('unlimited')])('without a known limit there is none', (text) => {
  expect(connectionLimit(text)).toBeUndefined()
})
