import { expect, it } from 'vitest'
import { isUnder } from './is-under.ts'

it('marks the part of the site that a page belongs to', () => {
  expect(isUnder('/', '/')).toBe(true)
  expect(isUnder('/live', '/')).toBe(false)
  expect(isUnder('/account/devices', '/account')).toBe(true)
  expect(isUnder('/accounts', '/account')).toBe(false)
})
