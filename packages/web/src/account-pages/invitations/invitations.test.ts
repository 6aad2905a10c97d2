import {
  AccountAlreadyExistsError,
  InvitationAlreadyExistsError,
  InvitationClosedError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ServiceUnavailableError } from '@svc/core/client'
import { describe, expect, it } from 'vitest'
import { koreanWords } from '../words/korean-words.ts'
import { english as say, sayIn } from '../words/say.ts'
import { expiryWords, invitationRefusal, roleWords } from './invitation-words.ts'
import { listingAddress, readListing } from './listing.ts'

describe('the address of a list of invitations', () => {
  it('is read as it was written', () => {
    for (const listing of [
      { page: 1 },
      { status: 'pending', page: 1 },
      { status: 'expired', page: 3 },
    ] as const) {
      const { searchParams } = new URL(
        listingAddress('/admin/invitations', listing),
        'http://localhost',
      )
      expect(readListing(Object.fromEntries(searchParams))).toEqual(listing)
    }
  })

  it('asks for all where it names no status that there is', () => {
    for (const status of ['gone', '', ['pending'], undefined]) {
      expect(readListing({ status, page: '-1' })).toEqual({ page: 1 })
    }
  })
})

it('a refused invitation is told in words', () => {
  const words = [
    [new RoleNotFoundError(), 'no role'],
    [new AccountAlreadyExistsError(), 'already has an account'],
    [new InvitationAlreadyExistsError({ invitationId: 'i' }), 'already invited'],
    [new InvitationClosedError(), 'has expired'],
    [
      new ForbiddenError({ message: 'You can only grant permissions that you have.' }),
      'only grant permissions that you have',
    ],
    [new ServiceUnavailableError(), 'does not answer'],
  ] as const
  for (const [error, said] of words) expect(invitationRefusal(say, error)).toContain(said)
})

it('calls a role as it is called, or by its name where that is not told', () => {
  expect(roleWords(say, 'admin', null)).toBe('Administrator')
  expect(roleWords(say, 'editor', null)).toBe('editor')
  expect(roleWords(say, 'constructor', null)).toBe('constructor')
})

it('says how long an invitation waits still', () => {
  const now = Date.UTC(2030, 0, 1)
  const hour = 3_600_000
  const after = (millis: number, words = say) =>
    expiryWords(words, new Date(now + millis).toISOString(), now)
  expect(after(7 * 24 * hour)).toBe('expires in 7 days')
  expect(after(7 * 24 * hour - 1)).toBe('expires in 7 days')
  // Sent half a minute after the page was rendered.
  expect(after(7 * 24 * hour + 30_000)).toBe('expires in 7 days')
  expect(after(23 * hour - 1)).toBe('expires in 23 hours')
  expect(after(hour - 1)).toBe('expires within an hour')
  expect(after(7 * 24 * hour, sayIn(koreanWords, 'ko'))).toBe('7일 후 만료')
})
