import type { Choice } from './languages.ts'

export interface Region {
  name: string
  zones: Choice[]
}

/** The time zones to choose from by region; one that the account has already is among them, an alias too. */
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
