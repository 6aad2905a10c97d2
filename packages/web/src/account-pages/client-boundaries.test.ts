import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const isForBrowsers = (path: string) => read(path).startsWith(`'use client'\n`)

const componentsOf = (folder: string, door: string) =>
  [...read(`${folder}/${door}`).matchAll(/^.*\bfrom '\.(\/[^']+\.tsx)'$/gm)].map(
    ([, path = '']) => `${folder}${path}`,
  )
const components = [
  ...componentsOf('.', 'account-pages.ts'),
  ...componentsOf('../console', 'client.ts'),
]

// They have neither state nor words of their own, so a server may draw them.
const drawnAnywhere = ['./ui/page.tsx', '../console/fact.tsx']

it('each component is for browsers by itself, so that a page of Next loads no other one with it', () => {
  expect(components).toContain('./ui/button.tsx')
  expect(components).toContain('../console/search-form.tsx')
  const others = components.filter((path) => !isForBrowsers(path))
  expect(others).toEqual(drawnAnywhere)
  // With it, each page would load all that any page of the application takes from the entry.
  expect(isForBrowsers('../account.ts')).toBe(false)
  expect(isForBrowsers('../console.ts')).toBe(false)
})
