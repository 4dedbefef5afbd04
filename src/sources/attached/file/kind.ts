import { basename, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceKind } from '../../source-kind.ts'

/** A world in a file that another program rewrites. */
export const worldFileKind: SourceKind<{ readonly kind: 'file'; readonly path: string }> = {
  usage: 'a JSON file such as world.json',
  help: 'FILE.json, a world that another program rewrites',
  noun: 'worlds in a file',
  matches: (source) => extname(source).toLowerCase() === '.json',
  describe: ({ path }) => `the world in ${path}`,
  sessionName: ({ source }) => basename(source, extname(source)),
  open: async ({ path }, context) => {
    const { AttachedSource } = await import('../source.ts')
    return new AttachedSource({ ...context, origin: pathToFileURL(path) })
  },
}
