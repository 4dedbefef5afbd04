import { htmlPage } from '../landing/page-head.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import type { Representation } from '../responses/representation.ts'
import { xmlText } from '../../pictures/svg.ts'
import { markdownToHtml } from './markdown.ts'

/** The runbooks as pages: one for each alert, and a list of them. */
export interface RunbookPages {
  readonly index: Representation
  /** The page of an alert. Throws a problem if there is none. */
  page(alert: string): Representation
}

interface Runbook {
  readonly subject: string
  readonly alert: string
  readonly markdown: string
}

/** A runbook is the text below a heading of the second level. */
const runbooksIn = ([subject, markdown]: readonly [string, string]): Runbook[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n')
      return { subject, alert: section.slice(0, end).trim(), markdown: section.slice(end + 1) }
    })

/** The mitigation in the built-in world for runbooks without one of their own. */
const builtInMitigation =
  'In the built-in world: Its technicians and automation work on it by themselves, in a blind one when the team' +
  ' orders it by `act`; `/tables/work?incident=ID` shows how far they are.'

const withBuiltIn = (markdown: string): string =>
  markdown.includes('In the built-in world:') ? markdown : `${markdown.trimEnd()}\n\n${builtInMitigation}\n`

const subjectTitle = (subject: string): string => {
  const words = subject.replaceAll('-', ' ')
  return words === 'sla' ? 'SLA' : words[0].toUpperCase() + words.slice(1)
}

/** Relative, as a proxy may have the pages below a prefix: the list is at /runbooks, a page below it. */
const link = ({ alert }: Runbook): string => `<li><a href="runbooks/${alert}">${xmlText(alert)}</a></li>`

function indexPage(bySubject: ReadonlyMap<string, readonly Runbook[]>, session: string): Representation {
  const lists = Array.from(
    bySubject,
    ([subject, runbooks]) =>
      `<h2>${xmlText(subjectTitle(subject))}</h2>\n<ul class="routes">${runbooks.map(link).join('\n')}</ul>`,
  )
  const opening =
    '<h1>Runbooks</h1>\n<p>What each alert means, what it does, how to look closer, what helps.</p>'
  const none = '<p>This installation ships no runbooks.</p>'
  const content = lists.length === 0 ? none : lists.join('\n')
  return htmlPage({ name: 'runbooks', title: 'Runbooks of dcsim-mirror', opening, content, session })
}

export function createRunbookPages(
  markdownBySubject: ReadonlyMap<string, string>,
  session: string,
): RunbookPages {
  const runbooks = [...markdownBySubject].flatMap(runbooksIn)
  const pages = new Map(
    runbooks.map(({ alert, subject, markdown }) => {
      const opening = `<p><a href="../runbooks">Runbooks</a> · ${xmlText(subjectTitle(subject))}</p>\n<h1>${xmlText(alert)}</h1>`
      const content = markdownToHtml(withBuiltIn(markdown).replaceAll(/^### /gm, '## '))
      return [
        alert,
        htmlPage({ name: `runbook ${alert}`, title: `${alert} – runbook`, opening, content, session }),
      ]
    }),
  )
  return {
    index: indexPage(
      Map.groupBy(runbooks, ({ subject }) => subject),
      session,
    ),
    page(alert) {
      const page = pages.get(alert)
      if (page !== undefined) return page
      const detail = `alert: got ${quoted(alert)}, expected one that /runbooks lists.`
      throw new Problem('NoSuchRunbook', detail)
    },
  }
}
