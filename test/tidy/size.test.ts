import { checkRules, isScript, parse, place, walk } from './source-files.ts'
import type { SourceFile } from './source-files.ts'

const functionLinesMax = 70
const fileLinesMax = 400

function longFunctions(file: SourceFile): string[] {
  const found: string[] = []
  walk(parse(file), (node, parent) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    // The callback of a describe groups tests, each of which is measured itself.
    if (parent?.type === 'CallExpression' && /^describe\b/.test(file.text.slice(parent.start))) return
    const lines = file.text.slice(node.start, node.end).split('\n').length
    if (lines > functionLinesMax) found.push(`${place(file, node)}: a function of ${lines} lines`)
  })
  return found
}

function longFile({ path, text }: SourceFile): string[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > fileLinesMax ? [`${path}: ${lines} lines`] : []
}

checkRules([
  {
    name: `a function has at most ${functionLinesMax} lines`,
    covers: isScript,
    violations: longFunctions,
    example: { path: 'src/http/a.ts', text: `export const f = () => {${'\n'.repeat(functionLinesMax)}}\n` },
  },
  {
    name: `a file in src has at most ${fileLinesMax} lines`,
    covers: (path) => path.startsWith('src/'),
    violations: longFile,
    example: { path: 'src/http/a.ts', text: '\n'.repeat(fileLinesMax + 1) },
  },
])
