import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { statementOf } from '../../src/store/statements.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a closed database takes no memory, although statements of it are kept', async () => {
  const databases = Array.from({ length: 20 }, () => {
    const database = new DatabaseSync(':memory:')
    statementOf(database, 'SELECT 1').get()
    database.close()
    return new WeakRef(database)
  })
  // A database goes after its statements.
  for (let i = 0; i < 3; i++) {
    await setTimeout()
    collect()
  }
  // One may still be on the stack.
  expect(databases.filter((database) => database.deref() !== undefined).length).toBeLessThan(3)
})
