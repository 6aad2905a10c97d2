import { globSync, readFileSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { rigs, withFewValues } from '../../vitest.config.ts'
import { orFew } from './or-few.ts'

describe('orFew', () => {
  const ten = Array.from({ length: 10 }, (_, at) => at)

  it('takes so many values, evenly chosen, the first among them', () => {
    vi.stubEnv('SVC_TEST_VALUES', undefined)
    expect(orFew(ten)).toEqual([0])
    expect(orFew(ten, 3)).toEqual([0, 3, 6])
    expect(orFew(ten, 10)).toEqual(ten)
    expect(orFew(ten, 11)).toEqual(ten)
  })

  it('takes all of them in npm run test:long', () => {
    vi.stubEnv('SVC_TEST_VALUES', 'all')
    expect(orFew(ten, 3)).toEqual(ten)
  })
})

it('npm run test:long runs each file that takes few values', () => {
  const root = resolve(import.meta.dirname, '../..')
  const files = globSync('{apps,bench,examples,packages,scripts}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules', '**/.next', '**/.generated'],
  })
  const taking = files.filter((file) =>
    /^import .*\/test\/or-few\.ts'$/m.test(readFileSync(resolve(root, file), 'utf8')),
  )
  expect(taking.length).toBeGreaterThan(5)
  const long = [...withFewValues, ...Object.values(rigs).flat()]
  expect(taking.filter((file) => !long.some((pattern) => matchesGlob(file, pattern)))).toEqual([])
})
