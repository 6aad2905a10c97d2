import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { walk } from '../../packages/cli/src/run/source-files.ts'

const root = resolve(import.meta.dirname, '../..')

it('has every package of ours under our scope, so that no other author owns a name', () => {
  const manifests = walk(join(root, 'packages')).filter(({ path }) =>
    /^[\w-]+\/package\.json$/.test(path),
  )
  expect(manifests.length).toBeGreaterThanOrEqual(7)
  for (const { path } of manifests) {
    const { name } = JSON.parse(readFileSync(join(root, 'packages', path), 'utf8'))
    expect(name, path).toMatch(/^@svc\//)
  }
})

it('never says to run the package svc, which belongs to another author', () => {
  const told = walk(root)
    .filter(({ path, isFolder }) => !isFolder && /\.(md|ts|tsx|mjs|json|example)$/.test(path))
    .filter(({ path }) =>
      /(npx|npm exec|npm (i|install|add)) .*(?<![/@\w.-])svc(@|\s+[a-z-])/.test(
        readFileSync(join(root, path), 'utf8').replaceAll('npm install --save-dev @svc', ''),
      ),
    )
  expect(told.map(({ path }) => path)).toEqual([])
})
