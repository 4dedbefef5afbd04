/** HTML in which every inserted text is text: only a template makes markup. */

class Markup {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}
export type { Markup }

type Inserted = string | number | Markup | readonly Markup[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function codeOf(inserted: Inserted): string {
  if (inserted instanceof Markup) return inserted.code
  if (typeof inserted === 'object') return inserted.map(({ code }) => code).join('')
  return String(inserted).replace(/[&<>"']/g, (one) => entities[one])
}

/** Markup with texts, numbers and other markup in it. Texts may stand in elements and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...inserted: readonly Inserted[]): Markup =>
  new Markup(parts.reduce((code, part, index) => code + codeOf(inserted[index - 1]) + part))

/** Markup that another part of the program made, with its texts escaped. */
export const markupOf = (code: string): Markup => new Markup(code)
