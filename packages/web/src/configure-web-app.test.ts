import { expect, it } from 'vitest'
import { configureAuth } from './proxy.ts'

it('says in the web app that the API reads what the API reads', () => {
  expect(() => configureAuth({ beforeRegister: () => {} })).toThrow(
    new TypeError(
      'The API reads beforeRegister, and it does not run in this process: call configureAuth where the API starts.',
    ),
  )
  expect(() => configureAuth({ enforcePasswordChange: true })).toThrow('enforcePasswordChange')
})
