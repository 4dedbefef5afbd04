/**
 * Converts the subset of Markdown that runbooks use to HTML: headings, paragraphs, lists, code, links. Those to paths of
 * this service are relative to a runbook's page, as a proxy may have all of them below a prefix.
 */
import { xmlText } from '../../pictures/svg.ts'

/** Paths of this service that work without changes. */
const isOwnPath = (text: string): boolean => /^\/(?:api\/v1|tables|health|openapi\.json)[^\s]*$/.test(text)

/** Whether a text has a placeholder that the reader has to fill in. */
const isTemplate = (text: string): boolean => /\{|\b(?:ID|NAME)\b/.test(text)

function code(text: string): string {
  const marked = `<code>${xmlText(text)}</code>`
  return isOwnPath(text) && !isTemplate(text) ? `<a href="..${xmlText(text)}">${marked}</a>` : marked
}

/** Code is only escaped; links may point to web addresses and paths only. */
const inline = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? code(part.slice(1, -1))
        : xmlText(part).replace(
            /\[([^\]]*)\]\(((?:https?:\/|\/)[^\s)]*)\)/g,
            (_, label: string, target: string) =>
              `<a href="${target.startsWith('/') ? '..' : ''}${target}">${label}</a>`,
          ),
    )
    .join('')

function block(text: string): string {
  const heading = /^(?<marks>#{1,4}) (?<title>.*)$/.exec(text)
  if (heading !== null) {
    const { marks, title } = heading.groups!
    return `<h${marks.length}>${inline(title)}</h${marks.length}>`
  }
  if (!text.startsWith('- ')) return `<p>${inline(text.replaceAll('\n', ' '))}</p>`
  const items = text.split(/^- /m).filter((item) => item !== '')
  return `<ul>${items.map((item) => `<li>${inline(item.trim().replaceAll(/\s*\n\s*/g, ' '))}</li>`).join('')}</ul>`
}

export const markdownToHtml = (markdown: string): string =>
  markdown
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(block)
    .join('\n')
