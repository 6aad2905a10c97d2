import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const isForBrowsers = (path: string) => read(path).startsWith(`'use client'\n`)

const exported = read('account-pages.ts').matchAll(/^.*\bfrom '(\.\/[^']+\.tsx)'$/gm)
const components = [...exported].map(([, path = '']) => path)

// It has neither state nor words of its own, so a server may draw it.
const drawnAnywhere = ['./ui/page.tsx']

it('each component is for browsers by itself, so that a page of Next loads no other one with it', () => {
  expect(components).toContain('./ui/button.tsx')
  const others = components.filter((path) => !isForBrowsers(path))
  expect(others).toEqual(drawnAnywhere)
  // With it, each page would load all that any page of the application takes from the entry.
  expect(isForBrowsers('../account.ts')).toBe(false)
})
