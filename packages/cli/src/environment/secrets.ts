import { randomBytes } from 'node:crypto'

export interface Secret {
  name: string
  /** The process that needs it. */
  of: 'the API' | 'the web app' | 'the API and the web app'
  /** What it is for. */
  does: string
  /** What does not work without it. A secret without this text is required. */
  without?: string
  /** Makes an entry of a list, or the whole value. */
  make: (keyId: string) => string
}

const secret = () => randomBytes(32).toString('base64url')

export const secrets: readonly Secret[] = [
  {
    name: 'SVC_AUTH_VERIFICATION_TOKEN_SECRET',
    of: 'the API',
    does: 'signs the proof that an address was verified',
    make: secret,
  },
  {
    name: 'SVC_AUTH_SESSION_SECRET',
    of: 'the web app',
    does: 'encrypts the session cookie',
    make: secret,
  },
  {
    name: 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS',
    of: 'the API',
    does: 'encrypts second factors and the tokens of providers',
    without: 'no second factor, and no social sign-in on the web',
    make: (keyId) => `${keyId}:${randomBytes(32).toString('base64')}`,
  },
  {
    name: 'SVC_PROXY_SECRET',
    of: 'the API and the web app',
    does: 'signs the address of the browser that the web app sends to the API',
    without: 'the API sees the address of the web app instead of the addresses of browsers',
    make: (keyId) => `${keyId}:${secret()}`,
  },
]

/** A name for a key that is made today, different from those in use. */
export function newKeyId(taken: readonly string[] = []) {
  const today = `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  for (let nth = 1; ; nth += 1) {
    const candidate = nth === 1 ? today : `${today}-${nth}`
    if (!taken.includes(candidate)) return candidate
  }
}
