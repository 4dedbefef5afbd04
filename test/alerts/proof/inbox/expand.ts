import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PastPrometheus } from '../prometheus.ts'
import { beginning } from '../play.ts'
import type { Post } from './posts.ts'

/**
 * Prometheus expands the texts of alerts during evaluation. It also expands console templates, but as of now: texts are
 * turned into console templates with literal labels and values, whose queries contain the evaluation time.
 */

const separator = '\n=====dcsim=====\n'
const atOnce = 100

const goString = (text: string): string => JSON.stringify(text)

/** A number that Go templates parse as a float. */
const goFloat = (value: number): string => {
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** Adds a time to all selectors. */
const timed = (action: string, seconds: number): string =>
  action.replaceAll(
    /\b(dcsim_\w+|up|[a-z_]+:[\w:]+)(\{[^{}]*\})?/g,
    (selector, name: string, _, offset: number) =>
      /^(dcsim_|up$)|:/.test(name) && isInQuery(action, offset) ? `${selector} @ ${seconds}.000` : selector,
  )

/** Whether an offset is within a quoted text, which contains queries. */
const isInQuery = (action: string, offset: number): boolean =>
  (action.slice(0, offset).replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1

function written(template: string, { labels, value, textsOf }: Post): string {
  return template.replaceAll(/\{\{.*?\}\}/gs, (action) => {
    const timedAction = action.includes('query') ? timed(action, beginning + textsOf) : action
    return timedAction
      .replaceAll(/\$labels\.(\w+)/g, (_, label: string) => goString(labels[label] ?? ''))
      .replaceAll(/\$value\b/g, () => goFloat(value))
  })
}

/** Consoles are HTML. */
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const unescaped = (text: string): string =>
  text.replaceAll(/&(#(\d+)|\w+);/g, (all, name: string, code?: string) =>
    code === undefined ? (entities[name] ?? all) : String.fromCodePoint(Number(code)),
  )

export type Texts = Readonly<Record<string, string>>

/** Expands texts of alerts, each once. */
export class Expander {
  readonly #prometheus: PastPrometheus
  readonly #folder: string
  readonly #known = new Map<string, string>()

  constructor(prometheus: PastPrometheus, folder: string) {
    this.#prometheus = prometheus
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  /** The expanded labels and annotations of each post. */
  async expand(posts: readonly Post[]): Promise<{ readonly labels: Texts; readonly annotations: Texts }[]> {
    const wanted = new Set<string>()
    const templates = posts.map((post) => {
      const filled = (texts: Texts): [string, string][] =>
        Object.entries(texts).map(([name, template]) => [name, written(template, post)])
      const both = { labels: filled(post.rule.labels), annotations: filled(post.rule.annotations) }
      for (const [, template] of [...both.labels, ...both.annotations]) {
        if (template.includes('{{') && !this.#known.has(template)) wanted.add(template)
      }
      return both
    })
    const list = [...wanted]
    for (let first = 0; first < list.length; first += atOnce) {
      await this.#expandAll(list.slice(first, first + atOnce))
    }
    const made = (texts: readonly [string, string][]): Texts =>
      Object.fromEntries(texts.map(([name, template]) => [name, this.#known.get(template) ?? template]))
    return templates.map(({ labels, annotations }) => ({
      labels: made(labels),
      annotations: made(annotations),
    }))
  }

  async #expandAll(templates: readonly string[]): Promise<void> {
    // Each template has a scope of its own, which separates their variables.
    const text = templates.map((template) => `{{ with "x" }}${template}{{ end }}`).join(separator)
    writeFileSync(join(this.#folder, 'texts.html'), text)
    const answer = await fetch(`${this.#prometheus.url}/consoles/texts.html`)
    const body = await answer.text()
    if (!answer.ok) throw new Error(`Prometheus cannot expand texts: ${body.slice(0, 500)}`)
    const texts = body.split(separator)
    if (texts.length !== templates.length) throw new Error('a text holds the separator of texts')
    for (const [index, template] of templates.entries()) this.#known.set(template, unescaped(texts[index]))
  }
}
