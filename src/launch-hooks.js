// Node does not strip types below node_modules. Loaded with `--import`, which worker threads inherit,
// this does so for the package's own files and leaves every other package's alone.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const ownFolder = new URL('.', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    const { pathname } = new URL(url)
    if (!url.startsWith(ownFolder) || !pathname.endsWith('.ts')) return nextLoad(url, context)
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', source, shortCircuit: true }
  },
})
