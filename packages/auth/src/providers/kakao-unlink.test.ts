import { describe, expect, it } from 'vitest'
import { verifyKakaoUnlink } from './kakao.ts'

const adminKey = 'admin-key-of-kakao'
const told = { app_id: '123456', user_id: '1234567890', referrer_type: 'UNLINK_FROM_APPS' }

function verify(
  authorization: string | null,
  fields: string | Record<string, string> = told,
  key: string | undefined = adminKey,
) {
  const headers = new Headers(authorization === null ? {} : { authorization })
  const now = new Date('2026-03-01T12:00:00Z')
  const request = { method: 'POST' as const, headers, fields: new URLSearchParams(fields), now }
  return verifyKakaoUnlink(request, key)
}

describe('what Kakao sends when a user ends the consent', () => {
  it('names who and why, with the admin key (A-286, A-289)', () => {
    expect(verify(`KakaoAK ${adminKey}`)).toEqual({
      providerUserId: '1234567890',
      reason: 'UNLINK_FROM_APPS',
    })
  })

  it.each([
    ['no header', null],
    ['an empty header', ''],
    ['another key', 'KakaoAK admin-key-of-nobody'],
    ['the beginning of the key', 'KakaoAK admin-key'],
    ['more than the key', `KakaoAK ${adminKey}1`],
    ['another case', `KakaoAK ${adminKey.toUpperCase()}`],
    ['no scheme', adminKey],
    ['another scheme', `Bearer ${adminKey}`],
    ['the key twice', `KakaoAK ${adminKey}, KakaoAK ${adminKey}`],
  ])('is nothing with %s (A-284, A-286)', (_, authorization) => {
    expect(verify(authorization)).toBeNull()
  })

  it.each(['KakaoAK ', 'KakaoAK undefined', `KakaoAK ${adminKey}`])(
    'is nothing where no key is configured: %s (A-286)',
    (authorization) => {
      const headers = new Headers({ authorization })
      const request = { method: 'POST' as const, headers, fields: new URLSearchParams(told) }
      expect(verifyKakaoUnlink({ ...request, now: new Date() }, undefined)).toBeNull()
      expect(verifyKakaoUnlink({ ...request, now: new Date() }, '')).toBeNull()
    },
  )

  it.each([
    'app_id=123456&referrer_type=UNLINK_FROM_APPS',
    'user_id=',
    'user_id=undefined',
    'user_id=null',
    'user_id=0',
    'user_id=-1',
    'user_id=1e9',
    'user_id=01',
    'user_id=1234567890&user_id=1234567891',
    `user_id=${'9'.repeat(10_000)}`,
  ])('is nothing without a user: %.40s (A-286)', (fields) => {
    expect(verify(`KakaoAK ${adminKey}`, fields)).toBeNull()
  })

  it.each([
    '',
    'referrer_type=<script>',
    `referrer_type=${'A'.repeat(65)}`,
    'referrer_type=A&referrer_type=B',
  ])('has a plain reason where it has none of Kakao: %.30s (A-289)', (reason) => {
    expect(verify(`KakaoAK ${adminKey}`, `user_id=1&${reason}`)).toEqual({
      providerUserId: '1',
      reason: 'unlinked',
    })
  })
})
