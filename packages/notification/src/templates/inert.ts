// Line breaks can add headers and forge lines, bidi controls reverse text, and the others control a terminal. Half of a
// surrogate pair is not a character.
const obeyed = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** One line of text, without the characters that software obeys instead of showing. */
export function inert(text: string) {
  return text.replace(obeyed, ' ')
}

// The dots of a mail address make no link, and people copy it.
const linked = /:(?=\/\/)|(?<=[\p{L}\p{N}])(?<![\p{L}\p{N}*]@[\p{L}\p{N}.-]*)\.(?=\p{L})/gu
// It is invisible, and no line breaks at it.
const wordJoiner = '\u2060'

/**
 * Mail programs make a link of text that looks like an address. An attacker could put one into a
 * device's name, under our letterhead.
 */
function unlinked(text: string) {
  return text.replace(linked, `$&${wordJoiner}`)
}

// Longer than any useful line, and short enough that it does not push other text out of sight.
const longest = 1000

function shortened(text: string) {
  return text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
}

/**
 * Facts come from users too, and here no template can forget to make them harmless. Only `url`, and
 * names that end in `Url`, may be links.
 */
export function inertFacts<Facts>(facts: Facts) {
  return inertValue(facts, '') as Facts
}

function inertValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    return isLink(name) ? inert(value) : unlinked(shortened(inert(value)))
  }
  if (Array.isArray(value)) return value.map((each) => inertValue(each, name))
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([key, each]) => [key, inertValue(each, key)])
  return Object.fromEntries(members)
}

const isLink = (name: string) => name === 'url' || name.endsWith('Url')

/** An object of a class, such as a `Date`, stays as it is. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
