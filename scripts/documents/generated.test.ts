import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { authContract } from '../../packages/auth/src/auth-contract.ts'
import { adviceIn } from './error-codes.ts'
import { generate, generatedPages } from './generated-parts.ts'
import { cellsOf } from './table.ts'

const pages = generatedPages.map((path) => ({
  name: basename(path),
  text: readFileSync(path, 'utf8'),
}))

/** What stands between the marks, each with what its mark says. */
const parts = pages.flatMap(({ text }) =>
  [...text.matchAll(/<!-- generated: (.*?) -->\n(.*?)<!-- end of generated -->/gs)].map(
    ([, what = '', written = '']) => ({ what, written }),
  ),
)

describe('docs/reference', () => {
  it.each(pages)(
    'is what the code says in $name: `npm run docs:generate` writes it',
    ({ text }) => {
      expect(text).toBe(generate(text))
    },
  )

  it('has every operation once: who may call it, what it takes, answers and refuses with (A-008)', () => {
    const named = parts
      .filter(({ what }) => what.startsWith('operations '))
      .flatMap(({ what }) => what.split(' ').slice(1))
    expect(named.toSorted()).toEqual(Object.keys(authContract).toSorted())
  })

  it('has every event of sign-in with its payload (A-351), every error class with its status (A-371), the limits, and what is built in (A-059)', () => {
    const kinds = parts.map(({ what }) => what).filter((what) => !what.startsWith('operations '))
    expect(kinds.toSorted()).toEqual([
      'codes core',
      'codes sign-in',
      'errors core',
      'errors sign-in',
      'events',
      'limits',
      'permissions',
      'roles',
      'shapes',
    ])
  })

  it('explains each event and error', () => {
    const explained = parts.filter(({ what }) => /^(errors|events)\b/.test(what))
    const silent = explained.flatMap(({ written }) => cellsOf(written)).filter((row) => !row.at(-1))
    expect(silent).toEqual([])
  })

  it('says for each error what to do', () => {
    const codes = parts.filter(({ what }) => /^codes\b/.test(what))
    const named = codes.flatMap(({ written }) => [...adviceIn(written)])
    expect(named.length).toBeGreaterThan(80)
    expect(named.filter(([, advice]) => !advice)).toEqual([])
    // A word about "when" would be missing too, if errors.md had lost a row.
    expect(codes.map(({ written }) => written).join()).not.toContain('**Thrown when** .')
  })

  it.each(['poems', 'operations writePoem'])(
    'refuses a mark that nothing is known of: %s',
    (what) => {
      const page = `<!-- generated: ${what} -->\n<!-- end of generated -->`
      expect(() => generate(page)).toThrow(what.split(' ').at(-1) ?? '')
    },
  )
})
