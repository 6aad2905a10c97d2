import { expect, it } from 'vitest'
import { withReturnTo } from './sign-in-address.ts'

it('keeps where the user was going, in an address that may have a query already', () => {
  expect(withReturnTo('/register', '/')).toBe('/register')
  expect(withReturnTo('/register', '/account?a=1&b')).toBe(
    '/register?returnTo=%2Faccount%3Fa%3D1%26b',
  )
  expect(withReturnTo('/login?with=code', '/live')).toBe('/login?with=code&returnTo=%2Flive')
})
