import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportPages, undocumented } from './exports.ts'

const pages = exportPages()
const [{ path: first } = { path: '' }] = pages
const textOf = (name: string) => pages.find(({ entry }) => entry.name === name)?.text ?? ''
const partOf = (page: string, name: string) =>
  textOf(page)
    .split(/^### /m)
    .find((part) => part.startsWith(`${name}\n`))

describe('the reference of exports', () => {
  it.each(pages)('$entry.name is what its types say: `npm run docs:generate`', (page) => {
    expect(existsSync(page.path) && readFileSync(page.path, 'utf8')).toBe(page.text)
  })

  it('has a page for each entry, and no other', () => {
    expect(readdirSync(dirname(first)).toSorted()).toEqual(
      pages.map(({ path }) => basename(path)).toSorted(),
    )
  })

  it('names every export of an entry once, on its page', async () => {
    const core = await import('../../../packages/core/src/client.ts')
    const page = textOf('@svc/core/client')
    for (const name of Object.keys(core)) {
      const described = page.split('\n').filter((line) => line === `### ${name}`).length
      const linked = new RegExp(`^- .*\`${name}\`(?:,|$)`, 'm').test(page) ? 1 : 0
      expect(described + linked, name).toBe(1)
    }
  })

  it('has a comment for every export, also for a name that only the entry gives', () => {
    expect(undocumented(pages.map(({ entry }) => entry))).toEqual([])
    expect(partOf('@svc/auth', 'authRouteMap')).toContain('operation of sign-in')
  })

  it('names an export without a comment, and its entry', () => {
    const named = { kind: 'Function', signature: '', id: 1, file: '' } as const
    const exported = [
      { ...named, name: 'plain', says: '' },
      { ...named, name: 'told', says: 'What it does.' },
    ]
    expect(undocumented([{ name: '@svc/poems', exported }])).toEqual([
      { entry: '@svc/poems', name: 'plain' },
    ])
  })

  it('shows of a namespace what its file exports, and not how it is made', () => {
    const shown = partOf('@svc/core/contract', 't')
    expect(shown).toContain("export type * from 'typebox'")
    expect(shown).not.toContain('import ')
  })

  it('has the types of a function, also where its source leaves them to be inferred', () => {
    expect(partOf('@svc/core/nearest', 'nearest')).toContain(
      'function nearest(word: string, candidates: readonly string[]): string | null',
    )
    expect(partOf('@svc/auth', 'createPortableKey')).toMatch(
      /function createPortableKey\(.*\): Promise</s,
    )
  })

  it('has nothing of what runs, of the inside of a class, or of the machine it was made on', () => {
    const error =
      partOf('@svc/core/client', 'HttpError') ?? partOf('@svc/core/contract', 'HttpError')
    expect(error).toContain('abstract readonly status: number')
    expect(error).not.toMatch(/#fields|super\(/)
    for (const { text } of pages) expect(text).not.toContain('import("')
  })
})
