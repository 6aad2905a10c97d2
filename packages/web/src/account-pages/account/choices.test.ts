import { describe, expect, it } from 'vitest'
import { languages, timezones } from './choices.ts'

describe('languages', () => {
  it('are called as their speakers do', () => {
    expect(languages('en')).toContainEqual({ value: 'de', label: 'Deutsch' })
    expect(languages('en')).toContainEqual({ value: 'fr', label: 'Français' })
  })

  it('have the chosen one among them, once', () => {
    for (const chosen of ['en', 'gsw', 'en-US-u-hc-h12']) {
      expect(languages(chosen).filter(({ value }) => value === chosen)).toHaveLength(1)
    }
  })
})

describe('time zones', () => {
  const zonesOf = (chosen: string) => timezones(chosen).flatMap(({ zones }) => zones)

  it('are grouped by region', () => {
    const europe = timezones('UTC').find(({ name }) => name === 'Europe')
    expect(europe?.zones).toContainEqual({ value: 'Europe/Berlin', label: 'Berlin' })
    expect(zonesOf('UTC')).toContainEqual({
      value: 'America/Argentina/Rio_Gallegos',
      label: 'Argentina / Rio Gallegos',
    })
  })

  it('have the chosen one among them, an alias too, and leave UTC to the top', () => {
    for (const chosen of ['Europe/Berlin', 'US/Pacific']) {
      expect(zonesOf(chosen).filter(({ value }) => value === chosen)).toHaveLength(1)
    }
    expect(zonesOf('UTC').filter(({ value }) => value === 'UTC')).toHaveLength(0)
  })
})
