import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('account.css', import.meta.url), 'utf8')

type Look = 'light' | 'dark'

/** A colour of the style sheet as linear red, green and blue. */
function colour(name: string, look: Look) {
  const both = new RegExp(`--svc-${name}: light-dark\\((.*)\\);`).exec(css)?.[1] ?? ''
  const [light, dark] = [...both.matchAll(/oklch\(([^)]*)\)/g)].map(([, values = '']) =>
    values.split(' ').map(Number),
  )
  const [l = Number.NaN, c = Number.NaN, h = Number.NaN] = (look === 'light' ? light : dark) ?? []
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  // https://www.w3.org/TR/css-color-4/#color-conversion-code
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((part) => Math.min(1, Math.max(0, part)))
}

/** As WCAG 2 has it. */
function contrast(one: string, other: string, look: Look) {
  const [first = 0, second = 0] = [one, other].map((name) => {
    const [red = 0, green = 0, blue = 0] = colour(name, look)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  })
  return Math.max(first, second) / Math.min(first, second)
}

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
    expect(contrast(text, ground, look)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['paper', 'sheet'])('the edge of a field is seen on %s', (ground) => {
    expect(contrast('edge', ground, look)).toBeGreaterThanOrEqual(3)
  })
})
