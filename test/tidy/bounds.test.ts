import { expect, test } from 'vitest'
import { boundsOf } from '../mutants/mutations.ts'
import { files } from './source-files.ts'

/** `node test/mutants/main.ts src/store --bounds` says which of a folder no behavior is tested of. */
test('each bound of the mirror has the value that is listed: to add, raise or remove one is a decision', async () => {
  const bounds = files
    .filter(({ path }) => /^src\/(?:mirror|http|store|sessions|sources|tables)\//.test(path))
    .flatMap((file) =>
      boundsOf(file).map(
        ({ path, start, end, change }) => `${path} ${change}: ${file.text.slice(start, end)}`,
      ),
    )
  expect(bounds.length).toBeGreaterThan(100)
  await expect(`${bounds.toSorted().join('\n')}\n`).toMatchFileSnapshot('bounds.txt')
})
