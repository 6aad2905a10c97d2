import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { mutations } from './list.ts'
import { mutated, pathOf } from './mutate.ts'

const packages = resolve(import.meta.dirname, '../../packages')

it.each(mutations)('$name: there is a guard to take away', (mutation) => {
  const text = readFileSync(pathOf(mutation), 'utf8')
  expect(mutated(text, mutation)).not.toBe(text)
})

it.each(mutations)('$name: there is a test that must notice', (mutation) => {
  const { of = 'auth', testedIn = of, folder = 'trials/races', test, title } = mutation
  const text = readFileSync(resolve(packages, testedIn, 'src', folder, test), 'utf8')
  if (mutation.isTitleMade) expect(text).toContain(title.split(/[ .*:]+/).findLast(Boolean))
  else expect(text).toMatch(new RegExp(title))
})

it('has enough of them, each with a name of its own', () => {
  const names = new Set(mutations.map(({ name }) => name))
  expect(names.size).toBe(mutations.length)
  expect(names.size).toBeGreaterThanOrEqual(25)
})

it('refuses a guard that is not there, and one that is there twice', () => {
  const mutation = { ...mutations[0], find: 'guard' } as (typeof mutations)[number]
  for (const text of ['none', 'guard and guard']) {
    expect(() => mutated(text, mutation)).toThrow('is not once in')
  }
})
