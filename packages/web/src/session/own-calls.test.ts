import { authRouteMap } from '@svc/auth'
import { expect, it } from 'vitest'
import { ownCalls } from './own-calls.ts'

it('calls of itself what the service has', () => {
  expect(authRouteMap).toMatchObject(ownCalls)
})
