import { describe, expect, it } from 'vitest'
import { verifyNaverUnlink } from './naver.ts'
import { encryptNaverId, signNaverFields, signNaverUnlink } from './testing/test-naver.ts'

const client = { clientId: 'jyvqXeaVOVmV', clientSecret: '527300A0COq1XV33cf' }
const now = new Date('2026-03-01T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

function verify(form: Record<string, string> | string, webClient: object | null = client) {
  const web = webClient && { clientId: '', scopes: [], redirectUri: '', ...webClient }
  const fields = new URLSearchParams(form)
  return verifyNaverUnlink({ method: 'POST', headers: new Headers(), fields, now }, web)
}

describe('what Naver sends when a user ends the consent', () => {
  it('names who, signed and encrypted with the secret of the client (A-287, A-289)', () => {
    const { form } = signNaverUnlink(client, 'abcdefgABCDEFG1234567', now)
    const providerUserId = 'abcdefgABCDEFG1234567'
    expect(verify(form)).toEqual({ providerUserId, reason: 'unlinked', at: now })
  })

  it('is what others compute by the documentation of Naver too (A-287, A-289)', () => {
    // openssl dgst -md5, enc -aes-128-cbc and dgst -sha256 -mac HMAC, with a vector of zeros.
    const form = {
      clientId: 'jyvqXeaVOVmV',
      encryptUniqueId: 'AAAAAAAAAAAAAAAAAAAAAAmdd95H20K_6t8k59IQAcHPPku544y7CsFgAJFeZ1vv',
      timestamp: '1772366400',
      signature: 'X1Z_YVyW9j8n0jIQHVLCpwaxsozc8BiMim5ljnA1UxU',
    }
    expect(verify(form)?.providerUserId).toBe('abcdefgABCDEFG1234567')
  })

  it('is believed for ten minutes, and from a clock that goes before ours (A-287)', () => {
    const sentAt = (minutes: number) =>
      verify(signNaverUnlink(client, 'somebody', inMinutes(minutes)).form)
    expect([-10, 0, 10].map((minutes) => sentAt(minutes)?.providerUserId)).toEqual([
      'somebody',
      'somebody',
      'somebody',
    ])
    expect([-11, 11, -60 * 24 * 365].map(sentAt)).toEqual([null, null, null])
  })

  it.each(['clientId', 'encryptUniqueId', 'timestamp', 'signature'])(
    'is nothing when its %s was altered, left out or sent twice (A-284, A-287)',
    (name) => {
      const { form } = signNaverUnlink(client, 'somebody', now)
      const value = new URLSearchParams(form).get(name) ?? ''
      const altered = value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      const twice = new URLSearchParams(form)
      twice.append(name, value)
      expect(verify({ ...form, [name]: altered })).toBeNull()
      expect(verify({ ...form, [name]: '' })).toBeNull()
      expect(verify(twice.toString())).toBeNull()
    },
  )

  it('is nothing with a signature by another secret, or a part of the right one (A-284, A-287)', () => {
    const other = signNaverUnlink({ ...client, clientSecret: 'of nobody' }, 'somebody', now)
    const { form } = signNaverUnlink(client, 'somebody', now)
    expect(verify(other.form)).toBeNull()
    expect(verify({ ...form, signature: form.signature.slice(0, 20) })).toBeNull()
    expect(verify({ ...form, signature: `${form.signature}=` })).toBeNull()
  })

  it('is nothing when it is meant for another client (A-287)', () => {
    expect(
      verify(signNaverUnlink({ ...client, clientId: 'other' }, 'somebody', now).form),
    ).toBeNull()
  })

  it('is nothing where there is no client with a secret (A-286, A-287)', () => {
    const { form } = signNaverUnlink(client, 'somebody', now)
    expect(verify(form, null)).toBeNull()
    expect(verify(form, { clientId: client.clientId })).toBeNull()
    expect(
      verify(signNaverUnlink({ ...client, clientSecret: '' }, 'somebody', now).form, {
        ...client,
        clientSecret: '',
      }),
    ).toBeNull()
  })

  // A rightly signed one with any of these is Naver's own slip, and is refused as all others are.
  it.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['less than a vector', Buffer.alloc(15).toString('base64url')],
    ['a vector alone', Buffer.alloc(16).toString('base64url')],
    ['half a block', Buffer.alloc(24).toString('base64url')],
    ['a wrong padding', Buffer.alloc(32).toString('base64url')],
    ['an empty id', encryptNaverId(client.clientSecret, '')],
    ['the id undefined', encryptNaverId(client.clientSecret, 'undefined')],
    ['the id null', encryptNaverId(client.clientSecret, 'null')],
    ['an id of 10 kB', encryptNaverId(client.clientSecret, 'a'.repeat(10_000))],
    ['what is not text', encryptNaverId(client.clientSecret, '\u0000\uFFFD')],
  ])('is nothing when what was encrypted is %s (A-284, A-287)', (_, encryptUniqueId) => {
    const timestamp = String(now.getTime() / 1000)
    const { form } = signNaverFields(client.clientSecret, {
      clientId: client.clientId,
      encryptUniqueId,
      timestamp,
    })
    expect(verify(form)).toBeNull()
  })
})
