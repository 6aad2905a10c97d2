// The languages of the starter's messages come first.
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

/**
 * The languages to choose from, each by its own name. The account's current one is always among
 * them.
 */
export function languages(chosen: string): Choice[] {
  const tags = offered.includes(chosen) ? offered : [chosen, ...offered]
  return tags.map((value) => ({ value, label: nameOf(value) }))
}

function nameOf(tag: string) {
  // Other parts of a tag, such as a calendar, have no name.
  const { baseName } = new Intl.Locale(tag)
  const name = new Intl.DisplayNames([baseName], { type: 'language' }).of(baseName) ?? tag
  return name.charAt(0).toLocaleUpperCase(baseName) + name.slice(1)
}

export interface Region {
  name: string
  zones: Choice[]
}

/**
 * The time zones to choose from, by region. The account's current one is always among them, even if
 * it is an alias.
 */
export function timezones(chosen: string): Region[] {
  const regions = new Map<string, Choice[]>()
  const all = new Set(
    [...Intl.supportedValuesOf('timeZone'), chosen].filter((zone) => zone !== 'UTC'),
  )
  for (const value of [...all].toSorted()) {
    const [region = '', ...place] = value.split('/')
    const zones = regions.get(region) ?? []
    regions.set(region, zones)
    zones.push({ value, label: (place.join(' / ') || region).replaceAll('_', ' ') })
  }
  return [...regions].map(([name, zones]) => ({ name, zones }))
}
