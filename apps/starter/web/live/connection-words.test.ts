import { ForbiddenError, UnauthorizedError } from '@svc/core/client'
import type { StreamStatus } from '@svc/web/react'
import { describe, expect, it } from 'vitest'
import { connectionWords, endingWords, isSignedOut } from './connection-words.ts'

const connecting: StreamStatus = {
  state: 'connecting',
  attempts: 0,
  openSinceMillis: null,
  rejected: null,
  missed: null,
}

describe('the words for a connection', () => {
  it('count attempts, the next one while nothing is tried', () => {
    expect(connectionWords(connecting)).toBe('Connecting')
    expect(connectionWords({ ...connecting, state: 'error' })).toBe('Reconnecting, attempt 1')
    expect(connectionWords({ ...connecting, attempts: 1 })).toBe('Reconnecting, attempt 1')
    expect(connectionWords({ ...connecting, state: 'error', attempts: 1 })).toBe(
      'Reconnecting, attempt 2',
    )
    expect(connectionWords({ ...connecting, state: 'open' })).toBe('Connected')
    expect(connectionWords({ ...connecting, state: 'closed' })).toBe('Ended')
  })

  it('tell a device that was signed out from other refusals', () => {
    const rejected = new ForbiddenError({ message: 'Not for you.' })
    expect(isSignedOut(connecting)).toBe(false)
    expect(isSignedOut({ ...connecting, state: 'closed', rejected })).toBe(false)
    expect(endingWords({ ...connecting, state: 'closed', rejected })).toContain('Not for you.')
    expect(isSignedOut({ ...connecting, rejected: new UnauthorizedError() })).toBe(true)
    expect(endingWords(connecting)).toBe('')
  })
})
