/** Markup that somebody wrote, not received. Nothing that JSON made is taken for it. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString() {
    return this.#markup
  }
}

/** Markup in which every value that is not markup itself is shown as it is. */
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
