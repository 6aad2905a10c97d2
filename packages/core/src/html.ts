/** Markup that your code wrote. A value parsed from JSON is never one, so it is escaped as text. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString() {
    return this.#markup
  }
}

/** Markup. A value that is not markup itself is escaped and shown as text. */
export function html(parts: TemplateStringsArray, ...values: Value[]) {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)))
}

type Value = string | number | Html | readonly Html[]

function markupOf(value: Value): string {
  if (value instanceof Html) return value.toString()
  return Array.isArray(value) ? value.map(markupOf).join('') : escaped(String(value))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string) {
  return text.replace(/[&<>"']/g, (one) => entities[one] ?? one)
}
