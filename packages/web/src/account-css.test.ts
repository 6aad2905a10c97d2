import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from '../../../scripts/documents/contrast.ts'

const css = readFileSync(new URL('account.css', import.meta.url), 'utf8')

type Look = 'light' | 'dark'

/** A colour of the style sheet, as it is written. */
function colour(name: string, look: Look) {
  const both = new RegExp(`--svc-${name}: light-dark\\((.*)\\);`).exec(css)?.[1] ?? ''
  const [light = '', dark = ''] = both.match(/oklch\([^)]*\)/g) ?? []
  return look === 'light' ? light : dark
}

const contrastOf = (one: string, other: string, look: Look) =>
  contrast(colour(one, look), colour(other, look))

describe.each(['light', 'dark'] as const)('the colours of the pages: %s', (look) => {
  it.each([
    ['ink', 'paper'],
    ['ink', 'sheet'],
    ['ink', 'fresh'],
    ['faded', 'paper'],
    ['faded', 'sheet'],
    ['accent', 'paper'],
    ['accent', 'sheet'],
    ['danger', 'paper'],
    ['danger', 'sheet'],
    ['on-accent', 'accent'],
  ])('%s can be read on %s', (text, ground) => {
    expect(contrastOf(text, ground, look)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['paper', 'sheet'])('the edge of a field is seen on %s', (ground) => {
    expect(contrastOf('edge', ground, look)).toBeGreaterThanOrEqual(3)
  })
})
