import { expect, it } from 'vitest'
import { configureAuth } from './server.ts'

it('takes what the API reads, and says where the rest is read', () => {
  configureAuth({ enforcePasswordChange: false, freshProof: 'required' })
  expect(() => configureAuth({ csrf: { mode: 'enforce' } })).toThrow(
    new TypeError(
      'The web app reads csrf, and it does not run in this process: call configureAuth where the web app starts.',
    ),
  )
  expect(() => configureAuth({ sessionTtl: '7d' })).toThrow('The web app reads sessionTtl')
})
