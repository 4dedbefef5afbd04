import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkRules, exportedNames, files, isScript, linesWith } from './source-files.ts'

const vagueName = /^(?:utils?|helpers?|managers?|data|misc)$/i

/** Words that betray a translation; `docs/glossary.md` has the words of the field. Split, so that this file has none. */
const dialect = new RegExp(
  `\\b(?:${[
    'an_ew, le_st, to_ld of, te_lls? of, some_body, any_body, no_body, who_ever, what_ever',
    'go_es on, com_es along, han_gs on, reck_on(?:s|ed|ing)?, (?<!all )is we_ll, se_es to',
    'tak_es in',
  ]
    .flatMap((line) => line.split(', '))
    .map((word) => word.replace('_', ''))
    .join('|')})\\b`,
  'i',
)

/** Split, so that this file has none. An attribute of HTML is spelled as its standard does. */
const british = new RegExp(
  [
    'col_our',
    '(?<!aria-)labell_ed',
    'neighb_our',
    'behavi_our',
    'fav_our',
    'hon_our',
    'def_ence',
    'catalo_gue',
    '\\b(?:kilo)?met_res?\\b',
    '\\bcancell_ed\\b',
    '\\btravell_ed\\b',
    '\\blice_nce\\b',
  ]
    .map((word) => word.replace('_', ''))
    .join('|'),
  'i',
)

/** A clause that describes a term nearly always begins so. Split, so that this file has none. */
const describedTerm = new RegExp(['(?:^|\\s)(?:\\/\\/|\\/\\*\\*?|\\*|#) +Wh', 'at\\b'].join(''))

test('no two files export different things of one name', () => {
  const places = new Map<string, string[]>()
  const isCovered = (path: string): boolean =>
    /^(?:src|alerts|dashboards|promql|deploy)\//.test(path) && isScript(path)
  for (const file of files.filter(({ path }) => isCovered(path))) {
    for (const name of new Set(exportedNames(file)))
      places.set(name, [...(places.get(name) ?? []), file.path])
  }
  const shared = [...places].filter(([, paths]) => paths.length > 1)
  expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
})

checkRules([
  {
    name: 'texts are in the words of the field',
    covers: (path) =>
      /^(?:src|docs|alerts|dashboards|promql|deploy)\/|^test\/.*\.ts$|^(?:README|CHANGELOG|SECURITY|CONTRIBUTING)\.md$|^docker-compose.*\.yml$/.test(
        path,
      ),
    violations: linesWith(dialect),
    example: { path: 'docs/a.md', text: ['The counter starts an', 'ew.\n'].join('') },
  },
  {
    name: 'a comment names the term instead of describing it',
    // In Markdown a number sign begins a heading.
    covers: (path) => !path.endsWith('.md') && path !== 'package-lock.json',
    violations: linesWith(describedTerm),
    example: { path: 'src/world/a.ts', text: ['/** Wh', 'at is left of the budget. */\n'].join('') },
  },
  {
    name: 'spelling is American',
    // The digests in the lock file can spell anything; companies of the simulation have names of their own.
    covers: (path) => path !== 'package-lock.json' && !path.endsWith('/customer-names.ts'),
    violations: linesWith(british),
    example: { path: 'docs/a.md', text: ['In col', 'our\n'].join('') },
  },
  {
    name: 'a data center is spelled so',
    covers: (path) => !path.endsWith('package-lock.json'),
    violations: linesWith(/data[ -]cent[r]e/i),
    example: { path: 'dashboards/a.yml', text: ['folder: Data cent', 're\n'].join('') },
  },
  {
    name: 'no note of work left to do, and no mark of a merge',
    // The digests in the lock file can spell anything.
    covers: (path) => path !== 'package-lock.json',
    violations: linesWith(/\b(?:TO(?:DO)|FIX(?:ME)|X{3}|HA(?:CK))\b|^[<>]{7} /),
    example: { path: 'a.md', text: ['<'.repeat(7), 'HEAD'].join(' ') },
  },
  {
    name: 'no path of one particular machine',
    covers: (path) => path !== 'package-lock.json',
    violations: linesWith(/(?<![\w.:@}*-])\/(?:work|root|home)\//),
    example: { path: 'a.md', text: ['See ', 'home', 'someone'].join('/') },
  },
  {
    name: 'names say what is inside',
    covers: () => true,
    violations: ({ path }) =>
      path.split('/').some((segment) => vagueName.test(posix.parse(segment).name.split('.')[0]))
        ? [path]
        : [],
    example: { path: 'src/http/helpers.ts', text: '' },
  },
])
