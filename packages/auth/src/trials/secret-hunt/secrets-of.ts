import type { Exchange } from './wire.ts'

/** What is opaque and known to others on purpose: names of things, public halves, and what a secret was hashed to. */
const publicMembers = new Set(
  `keyId kid publicKey fingerprint fingerprintPrefix rawId id jwk userId publicId passkeyId invitationId grantId roleId
  requestId client_id clientId expiredKeyId userHandle codeChallenge code_challenge attestationObject authenticatorData x y
  x-svc-key-id x-svc-client-id`.split(/\s+/),
)
/** Stored as they are, because a user reads them from a screen (R49). */
const readAloud = new Set(['userCode', 'user_code'])
/** Short, or in words, so that only their name tells. */
const secretNames =
  /password|secret|token|otp|^code$|recoveryCodes?$|verifier|signature|challenge$|x-svc-proof/i
const openNames = /token_?type|challenge_method|auth_method|secret_expires_at|passwordChange|hint$/i
const opaque = /^(?=.*[\dA-Z])[\w.~+/=-]{20,}$/
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const shortest = 6

export interface Told {
  /** What opens something, did, or might. */
  readonly secrets: Set<string>
  /** Signed requests. Those that change something are spent and kept as a proof of who asked. */
  readonly requestTokens: Set<string>
  readonly open: Set<string>
}

/** Everything secret that has crossed the wire in these. What is opaque counts, unless its name says that it may. */
export function secretsOf(exchanges: readonly Exchange[]): Told {
  const told: Told = { secrets: new Set(), requestTokens: new Set(), open: new Set() }
  for (const { url, headers, body, status, answered } of exchanges) {
    for (const [name, value] of headers) readHeader(told, name, value)
    for (const [name, value] of answered.headers) readHeader(told, name, value)
    readQuery(told, URL.parse(url)?.searchParams)
    readBody(told, body)
    // A refusal gives nothing out, and has a code that is none.
    if (status < 400) readBody(told, answered.body)
  }
  for (const value of told.open) told.secrets.delete(value)
  return told
}

function readHeader(told: Told, name: string, value: string) {
  if (name === 'authorization') readCredentials(told, value)
  else if (name === 'cookie' || name === 'set-cookie') {
    for (const [, each = ''] of value.matchAll(/=([^;,\s]+)/g)) note(told, 'cookie', each)
  } else if (name === 'location') readText(told, value)
  else if (['dpop', 'x-svc-proof'].includes(name)) note(told, name, value)
}

function readCredentials({ secrets, requestTokens }: Told, value: string) {
  const [scheme, token = ''] = value.split(' ')
  if (scheme === 'Basic') {
    const [, secret = ''] = Buffer.from(token, 'base64').toString().split(':')
    secrets.add(token).add(secret)
  } else if (token.split('.').length === 3) requestTokens.add(token)
  else secrets.add(token)
}

function readQuery(told: Told, query?: URLSearchParams) {
  for (const [name, value] of query ?? []) note(told, name, value)
}

function readBody(told: Told, body: string) {
  try {
    walk(told, '', JSON.parse(body))
  } catch {
    readQuery(told, new URLSearchParams(body))
  }
}

function walk(told: Told, name: string, value: unknown) {
  if (typeof value === 'string') note(told, name, value)
  else if (Array.isArray(value)) for (const each of value) walk(told, name, each)
  else if (typeof value === 'object' && value !== null) {
    for (const [member, each] of Object.entries(value)) walk(told, member, each)
  }
}

function note(told: Told, name: string, value: string) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return readText(told, value)
  if (readAloud.has(name)) told.open.add(value)
  if (publicMembers.has(name) || uuid.test(value)) {
    told.open.add(value)
    return
  }
  const isNamed = secretNames.test(name) && !openNames.test(name)
  if (value.length >= shortest && (isNamed || opaque.test(value))) told.secrets.add(value)
}

/** Where an address leads to, it carries secrets in its query. */
function readText(told: Told, address: string) {
  const url = URL.parse(address)
  readQuery(told, url?.searchParams)
  readQuery(told, new URLSearchParams(url?.hash.slice(1) ?? ''))
}

/** The links and codes in mails. */
export function secretsOfMail(text: string): string[] {
  const tokens = [...text.matchAll(/[?&](?:token|code|state)=([\w.-]+)/g)]
  const codes = [...text.matchAll(/(?<![\w.-])(\d{6})(?![\w-])/g)]
  return [...tokens, ...codes].map(([, secret = '']) => secret)
}

/** A private key in each form that one is kept in. */
export async function secretsOfKey(key: CryptoKey): Promise<string[]> {
  if (!key.extractable) return []
  const { d = '' } = await crypto.subtle.exportKey('jwk', key)
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  const base64 = pkcs8.toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  // The first line of every key of its kind is alike, but for its end.
  const bytes = Buffer.from(d, 'base64url')
  return [d, bytes.toString('hex'), bytes.toString('base64'), base64, ...lines.slice(1)].filter(
    (each) => each.length > 16,
  )
}
