import { ForbiddenError, UnauthorizedError } from '@svc/core/client'
import type { StreamStatus } from '@svc/web/react'
import { describe, expect, it } from 'vitest'
import { english } from '../words/words.ts'
import { connectionWords, endingWords, isSignedOut } from './connection-state.tsx'
import { type Arrived, answered, failed, mostShown, noEcho, withNewest } from './received.ts'

const { live } = english
const connecting: StreamStatus = {
  state: 'connecting',
  attempts: 0,
  openSinceMillis: null,
  rejected: null,
  missed: null,
}

describe('the words for a connection', () => {
  it('count attempts, the next one while nothing is tried', () => {
    expect(connectionWords(live, connecting)).toBe('Connecting')
    expect(connectionWords(live, { ...connecting, state: 'error' })).toBe('Reconnecting, attempt 1')
    expect(connectionWords(live, { ...connecting, attempts: 1 })).toBe('Reconnecting, attempt 1')
    expect(connectionWords(live, { ...connecting, state: 'error', attempts: 1 })).toBe(
      'Reconnecting, attempt 2',
    )
    expect(connectionWords(live, { ...connecting, state: 'open' })).toBe('Connected')
    expect(connectionWords(live, { ...connecting, state: 'closed' })).toBe('Ended')
  })

  it('tell a device that was signed out from other refusals', () => {
    const rejected = new ForbiddenError({ message: 'Not for you.' })
    expect(isSignedOut(connecting)).toBe(false)
    expect(isSignedOut({ ...connecting, state: 'closed', rejected })).toBe(false)
    expect(endingWords(live, { ...connecting, state: 'closed', rejected })).toContain(
      'Not for you.',
    )
    expect(isSignedOut({ ...connecting, rejected: new UnauthorizedError() })).toBe(true)
    expect(endingWords(live, connecting)).toBe('')
  })
})

const waiting = { state: 'waiting', sentAtMillis: 10 } as const

describe('an echo', () => {
  it('has the time of its round trip', () => {
    expect(answered(waiting, 'Hello', 14.5)).toEqual({
      state: 'answered',
      text: 'Hello',
      millis: 4.5,
    })
  })

  it('is lost with the connection, and only while it is waited for', () => {
    expect(failed(waiting, 'Gone')).toEqual({ state: 'failed', why: 'Gone' })
    const before = answered(waiting, 'Hello', 14)
    expect(failed(before, 'Gone')).toBe(before)
    expect(answered(noEcho, 'Hello', 14)).toBe(noEcho)
  })
})

const notice = (id: number): Arrived => ({
  id: `${id}`,
  text: 'Hello',
  author: 'ada',
  arrivedAtMillis: id,
})

describe('what has arrived', () => {
  it('is shown newest first, and the oldest goes', () => {
    const numbers = Array.from({ length: mostShown + 1 }, (_, index) => index)
    const list = numbers.reduce<Arrived[]>((before, id) => withNewest(before, notice(id)), [])
    expect(list).toHaveLength(mostShown)
    expect(list.at(0)?.id).toBe(`${mostShown}`)
    expect(list.at(-1)?.id).toBe('1')
  })

  it('has nothing twice', () => {
    expect(withNewest([notice(1), notice(2)], notice(2)).map(({ id }) => id)).toEqual(['2', '1'])
  })
})
