// Line breaks make headers and forge lines, bidi controls turn text around, and the rest moves a terminal.
const obeyed = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** One line of text, without the characters that software obeys instead of showing. */
export function inert(text: string) {
  return text.replace(obeyed, ' ')
}

/** Facts come from users too, and here no template can forget it. */
export function inertFacts<Facts extends object>(facts: Facts) {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'string' ? inert(value) : value,
  ])
  return Object.fromEntries(entries) as Facts
}
