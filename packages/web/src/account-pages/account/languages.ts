// Those of the starter's messages come first.
const offered = [
  'en',
  'ko',
  'de',
  'es',
  'fr',
  'it',
  'ja',
  'nl',
  'pl',
  'pt-BR',
  'sv',
  'tr',
  'uk',
  'zh-Hans',
]

export interface Choice {
  value: string
  label: string
}

/** The languages to choose from, each called as its speakers do; one that the account has already is among them. */
export function languages(chosen: string): Choice[] {
  const tags = offered.includes(chosen) ? offered : [chosen, ...offered]
  return tags.map((value) => ({ value, label: nameOf(value) }))
}

function nameOf(tag: string) {
  // What a tag says besides, such as a calendar, has no name.
  const { baseName } = new Intl.Locale(tag)
  const name = new Intl.DisplayNames([baseName], { type: 'language' }).of(baseName) ?? tag
  return name.charAt(0).toLocaleUpperCase(baseName) + name.slice(1)
}
