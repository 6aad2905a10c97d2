/** A request as it will be sent. */
export interface RequestToSign {
  method: string
  url: string
  /** Exactly what is sent: the text, or the bytes. */
  body?: string | Uint8Array<ArrayBuffer> | Blob
  /** The server's time as far as it is known. The local clock's unless set. */
  nowMillis?: number
}

/** Gets the request as it will be sent, and resolves to the headers that sign it. */
export type SignRequest = (request: RequestToSign) => Promise<Record<string, string>>

/** A private key with its id, for `requestSigner`. */
export interface SigningKey {
  keyId: string
  algorithm: 'ES256' | 'RS256'
  privateKey: CryptoKey
}

interface SigningOptions {
  /** The server's own name: the `aud` of every token. The request's own origin unless set. */
  audience?: string
  /**
   * A unique id, so that the token can be used only once: 16 to 128 printable characters. Random
   * unless set.
   */
  jti?: string
  /**
   * When the token expires, at most 300 s from then. Until then, the server remembers its `jti`. A
   * minute unless set.
   */
  expiresAtMillis?: number
  /** When the `jti` was created, if it is older than the request. The request's time unless set. */
  issuedAtMillis?: number
}

// The server accepts up to 300 s. A minute is enough for slow networks, and limits a stolen token.
const lifeMillis = 60_000

const signatureParameters = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
}

/** Signs each request with the device's own key: what `createApi` takes as `sign`. */
export function requestSigner(key: SigningKey, options: SigningOptions = {}): SignRequest {
  return (request) => signRequest(key, request, options)
}

/** The headers that sign one request: a JWT bound to its method, path, query and body. */
export async function signRequest(
  key: SigningKey,
  { method, url, body = '', nowMillis = Date.now() }: RequestToSign,
  {
    audience,
    expiresAtMillis,
    issuedAtMillis = nowMillis,
    jti = base64url(crypto.getRandomValues(new Uint8Array(16))),
  }: SigningOptions = {},
) {
  const { origin, target } = readUrl(url)
  const token = await signToken(key, {
    keyId: key.keyId,
    iat: Math.floor(issuedAtMillis / 1000),
    exp: Math.floor((expiresAtMillis ?? issuedAtMillis + lifeMillis) / 1000),
    jti,
    aud: audience ?? origin,
    htm: method,
    htu: target,
    bh: await bodyHash(body),
  })
  return { authorization: `Bearer ${token}` }
}

/**
 * The origin, and the target on the request line: `search` would lose the `?` of an empty query.
 */
export function readUrl(text: string) {
  // A relative address is resolved against the page's own, as in `fetch`.
  const url = new URL(text, globalThis.location?.href)
  url.hash = ''
  return { origin: url.origin, target: url.href.slice(url.origin.length) }
}

async function signToken({ keyId, algorithm, privateKey }: SigningKey, payload: object) {
  const header = { alg: algorithm, typ: 'svc-req+jwt', kid: keyId }
  const signed = `${encodeJson(header)}.${encodeJson(payload)}`
  const parameters = signatureParameters[algorithm]
  const signature = await crypto.subtle.sign(parameters, privateKey, utf8(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

// The hash of no bytes, which is the body of most requests.
const emptyHash = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'

/** The hash of exactly the bytes that are sent. */
export async function bodyHash(body: string | Uint8Array<ArrayBuffer> | Blob): Promise<string> {
  if (body instanceof Blob) return blobHash(body)
  if (body.length === 0) return emptyHash
  const bytes = typeof body === 'string' ? utf8(body) : body
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

// The web proxy signs a body twice, as itself and for the user, and a Blob never changes.
const blobHashes = new WeakMap<Blob, Promise<string>>()

function blobHash(blob: Blob) {
  const hash = blobHashes.get(blob) ?? blob.arrayBuffer().then((it) => bodyHash(new Uint8Array(it)))
  blobHashes.set(blob, hash)
  return hash
}

export const utf8 = (text: string) => new TextEncoder().encode(text)

const encodeJson = (value: object) => base64url(utf8(JSON.stringify(value)))

/** Part of platforms since 2025. TypeScript's types don't have it yet. */
type Encoding = Uint8Array & { toBase64?: () => string }

export function base64url(bytes: Encoding) {
  // It takes a twentieth of the time of the other way, which is for older platforms.
  const text = bytes.toBase64?.() ?? btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
