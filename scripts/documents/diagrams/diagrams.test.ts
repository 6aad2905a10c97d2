import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagrams } from './diagrams.ts'
import { drawSequence } from './draw-sequence.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')
const guides = join(root, 'docs', 'guide')
const pages = readdirSync(guides).map((name) => readFileSync(join(guides, name), 'utf8'))

describe('the diagrams of the guides', () => {
  it.each(diagrams)('$name is what the script draws: `npm run docs:generate`', ({ path, text }) => {
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(text)
  })

  it('are all that the folder has', () => {
    const [{ path } = { path: '' }] = diagrams
    expect(readdirSync(dirname(path)).toSorted()).toEqual(
      diagrams.map(({ name }) => `${name}.svg`).toSorted(),
    )
  })

  it.each(diagrams)('$name is on a guide, with its title for readers who do not see it', (each) => {
    const shown = `![${each.title}`
    const picture = `](../diagrams/${each.name}.svg)`
    expect(pages.filter((page) => page.includes(shown) && page.includes(picture))).not.toEqual([])
  })
})

describe('a drawn flow', () => {
  const drawn = drawSequence({
    title: 'Tea & cake',
    parts: ['Guest', 'Host', 'Kitchen'],
    steps: [
      { from: 'Guest', to: 'Host', says: 'a cup of tea <please>, '.repeat(6).trim() },
      { at: 'Kitchen', does: 'boils the water' },
      { from: 'Host', to: 'Guest', says: 'tea' },
    ],
  })
  const linesOf = (kind: string) =>
    [...drawn.matchAll(new RegExp(`class="${kind}" x="(\\d+)" y="\\d+">(.*?)</text>`, 'g'))].map(
      ([, x, text = '']) => ({ x: Number(x), letters: text.replaceAll(/&..;/g, '.').length }),
    )

  it('says in words what it shows', () => {
    expect(drawn).toContain('<title id="title">Tea &amp; cake</title>')
    expect(drawn).toContain('Kitchen: boils the water. Host to Guest: tea.</desc>')
  })

  it('numbers its arrows, and has no letter outside of the picture', () => {
    expect(drawn).toContain('>2. tea</text>')
    const lines = [...linesOf('says'), ...linesOf('does')]
    expect(lines.length).toBeGreaterThan(4)
    for (const { x, letters } of lines) {
      expect(x - (letters * 7.4) / 2).toBeGreaterThanOrEqual(8)
      expect(x + (letters * 7.4) / 2).toBeLessThanOrEqual(392)
    }
  })

  it('has colours for a dark theme', () => {
    expect(drawn).toMatch(/@media \(prefers-color-scheme: dark\) \{\n {2}svg \{ --paper: #1/)
  })
})
