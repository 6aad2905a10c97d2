import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { directRequest } from '@svc/core/client'
import { decodeJwt } from 'jose'
import { routeMap } from '../../route-map.generated.ts'
import type { Attacked, Victim } from './victim.ts'

function claimsOf(text: string): { htm?: string; htu?: string } {
  try {
    return decodeJwt(text)
  } catch {
    return {}
  }
}

/** To where it says that it was signed for. */
export async function sendsAgain(text: string, { app }: Attacked) {
  const { htm: method, htu } = claimsOf(text)
  if (method === undefined || !htu?.startsWith('/')) return false
  const answers = ['', '{}'].map((body) =>
    app.fetch(htu, {
      method,
      headers: { ...bearer(text), 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body }),
    }),
  )
  return (await Promise.all(answers)).some(({ ok }) => ok)
}

export const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What the text may stand for in bytes. */
const bytesOf = (text: string) => [
  Buffer.from(text),
  Buffer.from(text, 'base64'),
  ...(/^([\da-f]{2})+$/i.test(text) ? [Buffer.from(text, 'hex')] : []),
]

const hmac = (secret: Buffer, signed: string) =>
  createHmac('sha256', secret).update(signed).digest('base64url')

// RFC 5915 in PKCS #8, without the public half, for P-256.
const p256 = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'

function privateKeyOf(bytes: Buffer) {
  const der = bytes.length === 32 ? Buffer.concat([Buffer.from(p256, 'hex'), bytes]) : bytes
  if (der.length < 64) return null
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

/** The text as a private key of the victim's, in whatever form, or as a secret that both sides share. */
export async function signsAs(text: string, { at, app }: Attacked, { user }: Victim) {
  const { url } = directRequest(at.url, { ...routeMap.getAuthSession, input: {} })
  const sample = await app.signerOf(user.key)({ method: 'GET', url, body: '' })
  const [head = '', claims = ''] = sample.authorization?.replace('Bearer ', '').split('.') ?? []
  const shared = encode({ alg: 'HS256', typ: 'svc-req+jwt', kid: user.key.keyId })
  for (const bytes of bytesOf(text)) {
    const tokens = [`${shared}.${claims}.${hmac(bytes, `${shared}.${claims}`)}`]
    const key = privateKeyOf(bytes)
    if (key) {
      const input = Buffer.from(`${head}.${claims}`)
      const signature = sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' })
      tokens.push(`${head}.${claims}.${signature.toString('base64url')}`)
    }
    for (const token of tokens) {
      if ((await at.fetch('/_auth/session', { headers: bearer(token) })).ok) return true
    }
  }
  return false
}

/** The text as the secret of the server's own tokens. */
export async function signsForServer(text: string, { at }: Attacked, { user }: Victim) {
  const now = Math.floor(at.clock.now().getTime() / 1000)
  const claims = { userId: user.userId, iss: 'svc-auth', iat: now, exp: now + 600 }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const tokens = bytesOf(text).map((secret) => `${signed}.${hmac(secret, signed)}`)
  for (const token of tokens) {
    if ((await at.fetch('/_auth/session', { headers: bearer(token) })).ok) return true
  }
  return false
}
