import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, posix } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
/** Also what is not committed yet, but not what is deleted. */
const listed = ['ls-files', '--cached', '--others', '--exclude-standard']
const tracked = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)))
const documents = tracked.filter((path) => path.endsWith('.md'))

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading))

function leadsNowhere(document: string, link: string): boolean {
  const [path, anchor] = link.split('#')
  const target = path === '' ? document : normalize(join(dirname(document), path))
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(target).includes(anchor)
}

test('every link of a document leads to a file and a heading that exist', () => {
  const links = documents.flatMap((document) =>
    [
      ...textOf(document)
        .replaceAll(/^```[^]*?^```$/gm, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
      .map(([, link]) => ({ document, link }))
      .filter(({ link }) => !/^[a-z]+:/.test(link)),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ document, link }) => leadsNowhere(document, link))).toStrictEqual([])
})

test('docs/README.md lists every page of docs', () => {
  const index = 'docs/README.md'
  const links = [...textOf(index).matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) => posix.join('docs', link))
  const unlisted = documents.filter(
    (page) =>
      page.startsWith('docs/') &&
      page !== index &&
      !links.some((link) => page === link || (link.endsWith('/') && page.startsWith(link))),
  )
  expect(unlisted).toStrictEqual([])
})

test('every document that settings, manifests, scripts and programs name exists', () => {
  const naming = tracked.filter(
    (path) =>
      /(^|\/)(\.env\.example|Dockerfile)$|\.(ya?ml|sh|ts|md)$/.test(path) && !path.startsWith('test/'),
  )
  const named = naming.flatMap((path) =>
    [...textOf(path).matchAll(/(?<![\w/.-])docs\/[\w./-]+\.md/g)].map(([document]) => ({ path, document })),
  )
  expect(named.map(({ path }) => path)).toContain('.env.example')
  expect(named.filter(({ document }) => !existsSync(join(root, document)))).toStrictEqual([])
})

test('SECURITY.md names tests that exist', () => {
  const links = [...textOf('SECURITY.md').matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)]
  expect(links.length).toBeGreaterThan(20)
  const titles = (path: string): string[] =>
    [...textOf(path).matchAll(/(['"`])((?:\\.|(?!\1).)+)\1/g)].map(([, , title]) => title)
  const missing = links.filter(([, name, path]) => !titles(path).some((title) => title.includes(name)))
  expect(missing.map(([link]) => link)).toEqual([])
})
