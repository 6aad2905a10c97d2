/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

/** HTML in which whatever is put in is text, unless it is HTML itself. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html)[]) {
  const inserted = values.map((value) => (value instanceof Html ? value : escaped(String(value))))
  return new Html(String.raw({ raw: parts }, ...inserted))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string) {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
