/**
 * The language to show a page in: the first that the reader wants and the app has (RFC 4647, 3.4: `zh-Hant-TW`, then
 * `zh-Hant`, then `zh`), else English.
 */
export function chooseLanguage(wanted: readonly string[], languages: readonly string[]) {
  const offered = new Map(['en', ...languages].map((tag) => [tag.toLowerCase(), tag]))
  const found = wanted.flatMap(prefixesOf).find((prefix) => offered.has(prefix))
  return offered.get(found ?? 'en') ?? 'en'
}

/** `zh-hant-tw`, `zh-hant`, `zh`. */
function prefixesOf(tag: string) {
  const parts = tag.toLowerCase().split('-')
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'))
}

/** The languages that a browser asks for, the most wanted first. */
export function languagesAskedFor(acceptLanguage: string | null) {
  return (acceptLanguage ?? '')
    .split(',')
    .map(askedFor)
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

function askedFor(range: string) {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
  const [, weight = '1'] = /^q=(.*)$/i.exec(parameters[0] ?? '') ?? []
  return { tag, weight: Number(weight) || 0 }
}
