import { generateKeyPairSync, sign } from 'node:crypto'
import { parseRequestJwt } from '../request-jwt.ts'

export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const keyId = 'device-key-1'

export const header = { alg: 'ES256', typ: 'svc-req+jwt', kid: keyId }
export const claims = {
  keyId,
  iat: 1_700_000_000,
  exp: 1_700_000_060,
  jti: 'abcdefghijklmnop',
  aud: 'https://api.example.com',
  htm: 'POST',
  htu: '/orders?a=~~~???>>>',
  bh: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
}

export const base64url = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url')
const asText = (part: object | string | Uint8Array) =>
  typeof part === 'string' || part instanceof Uint8Array ? part : JSON.stringify(part)

type Part = object | string | Uint8Array

/** A token whose every byte is the test's, and whose signature holds. */
export function signed(head: Part = header, payload: Part = claims) {
  return signParts(base64url(asText(head)), base64url(asText(payload)))
}

export function signParts(head: string, payload: string) {
  const text = `${head}.${payload}`
  return `${text}.${base64url(es256(text))}`
}

export const es256 = (text: string) =>
  sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })

export const bearer = (token: string) => `Bearer ${token}`
export const parse = (token: string) => parseRequestJwt(bearer(token))

export function parsed(token: string) {
  const jwt = parse(token)
  if (!jwt) throw new Error('The token was refused.')
  return jwt
}

export const es256Row = { key: ec.publicKey, algorithm: 'ES256' as const }
export const rs256Row = { key: rsa.publicKey, algorithm: 'RS256' as const }

export const without = (part: object, name: string) =>
  Object.fromEntries(Object.entries(part).filter(([member]) => member !== name))
