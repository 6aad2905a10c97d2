import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

/** Where the requests of the tests go, as their clients know it. */
export const api = 'https://api.example.com'

export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' })

export interface Forgery {
  header?: object
  claims?: object
  signature?: (signed: string) => Buffer
}

/** A proof for POST /notes whose every member is the test's, and whose signature holds unless it brings its own. */
export function proofAt(now: Date, { header, claims, signature = es256 }: Forgery = {}) {
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: jwkOf(ec.publicKey), ...header }
  const iat = Math.floor(now.getTime() / 1000)
  const payload = { jti: randomUUID(), htm: 'POST', htu: `${api}/notes`, iat, ...claims }
  const signed = `${encode(head)}.${encode(payload)}`
  return `${signed}.${signature(signed).toString('base64url')}`
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const es256 = (signed: string) =>
  sign('sha256', Buffer.from(signed), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })

export const rs256 = (signed: string) => sign('sha256', Buffer.from(signed), rsa.privateKey)
