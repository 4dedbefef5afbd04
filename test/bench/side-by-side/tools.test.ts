import { expect, test } from 'vitest'
import { versionOf } from './tools.ts'

test('a missing program is named with the way to get it', async () => {
  await expect(versionOf('no-such-program')).rejects.toThrow(
    'no-such-program is missing; on Debian: apt-get install no-such-program',
  )
})
