import { globSync, readFileSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ofTheProcess } from '../../vitest.config.ts'

const root = resolve(import.meta.dirname, '../..')

it('gives each file that replaces a module a process of its own', () => {
  const files = globSync('{apps,bench,examples,packages}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules', '**/.next', '**/.generated'],
  })
  const replacing = files.filter((file) => {
    return /\bvi\.(?:doMock|mock)\(/.test(readFileSync(resolve(root, file), 'utf8'))
  })
  expect(replacing.length).toBeGreaterThan(5)
  const shared = replacing.filter(
    (file) => !ofTheProcess.some((pattern) => matchesGlob(file, pattern)),
  )
  // Files that share a process all get the module as the first of them has loaded it.
  expect(shared).toEqual([])
})
