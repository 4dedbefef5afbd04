import { checkRules, isScript, parse, place, walk } from './source-files.ts'
import type { SourceFile } from './source-files.ts'

const found = (file: SourceFile, matches: (node: Parameters<typeof place>[1]) => boolean): string[] => {
  const places: string[] = []
  walk(parse(file), (node) => {
    if (matches(node)) places.push(place(file, node))
  })
  return places
}

checkRules([
  {
    name: 'types are imported by statements of their own',
    covers: isScript,
    violations: (file) =>
      found(file, ({ type, importKind }) => type === 'ImportSpecifier' && importKind === 'type'),
    example: { path: 'test/a.ts', text: "import { b, type C } from './b.ts'\n" },
  },
  {
    name: 'private members of a class are private at run time',
    covers: isScript,
    violations: (file) =>
      found(
        file,
        ({ type, kind, accessibility }) =>
          accessibility === 'private' &&
          kind !== 'constructor' &&
          /^(?:PropertyDefinition|MethodDefinition|TSParameterProperty)$/.test(type),
      ),
    example: { path: 'src/http/a.ts', text: 'class A {\n  private b = 1\n}\n' },
  },
  {
    name: 'a file is not named by the path of its URL, in which blanks and umlauts are encoded',
    covers: isScript,
    violations: (file) =>
      found(
        file,
        ({ type, start, end }) =>
          type === 'MemberExpression' &&
          /(?:import\.meta\.url\)|\broot\)?)\.pathname$/.test(file.text.slice(start, end)),
      ),
    example: { path: 'test/a.ts', text: "const b = new URL('b.sh', import.meta.url).pathname\n" },
  },
])
