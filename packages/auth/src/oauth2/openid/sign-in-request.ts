import type { RawContext } from '@svc/core'
import type { AgentService } from '../clients/clients.ts'
import type { AuthorizationFields } from '../contract.ts'
import { OAuth2Error, type OAuth2ErrorCode } from '../errors.ts'
import type { Destination } from '../grants/grants.ts'

/** What a user can be asked for, with the words of the consent page. */
export const signInScopes: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know that it is you'],
  ['profile', 'See your name and your username'],
  ['email', 'See your email address'],
])

/** The words of `prompt` (OpenID Connect Core, section 3.1.2.1). */
export const prompts = ['none', 'login', 'consent', 'select_account'] as const
type Prompt = (typeof prompts)[number]

/** What an application asks for, to sign a user in. */
export interface SignInRequest extends Destination {
  readonly scopes: string[]
  /** Null for a client with a secret, which sends a nonce instead. */
  readonly codeChallenge: string | null
  readonly keyThumbprint: string | null
  readonly nonce: string | null
  readonly prompts: ReadonlySet<Prompt>
  /** How long ago the user may have proved who they are. */
  readonly maxAgeSeconds: number | null
}

/** Whether the client signs users in, instead of acting for them. */
export const isSignIn = (
  { openid }: Pick<AgentService, 'openid'>,
  { client_id: id }: AuthorizationFields,
) => id !== undefined && openid?.clients.has(id) === true

interface Read {
  readonly destination: Destination
  readonly fields: AuthorizationFields
}

/** Its faults are reported to the application, at its redirect URI. */
export function readSignIn({ destination, fields }: Read): SignInRequest {
  if (fields.response_type !== 'code') {
    throw refused('unsupported_response_type', 'The response_type is code.')
  }
  if (fields.resource !== undefined) {
    throw refused('invalid_target', 'Its token is for the userinfo endpoint. Name no resource.')
  }
  const { dpop_jkt: keyThumbprint = null, nonce = null } = fields
  if (keyThumbprint !== null && !sha256.test(keyThumbprint)) {
    throw refused('invalid_request', 'The dpop_jkt is no SHA-256 thumbprint in base64url.')
  }
  return {
    ...destination,
    scopes: scopesIn(fields.scope),
    codeChallenge: challengeIn(fields, destination),
    keyThumbprint,
    nonce,
    prompts: promptsIn(fields.prompt),
    maxAgeSeconds: maxAgeIn(fields.max_age),
  }
}

const sha256 = /^[\w-]{43}$/

/**
 * Without a challenge, only the client's secret and the nonce keep a stolen code from being used (OAuth 2.1, section
 * 7.5.1): so a client without a secret needs one.
 */
function challengeIn(fields: AuthorizationFields, { client }: Destination) {
  const { code_challenge: challenge, code_challenge_method: method, nonce } = fields
  if (challenge === undefined && method === undefined) {
    if (client.authMethod !== 'none' && nonce) return null
    throw refused('invalid_request', 'Send a code_challenge with the method S256, or a nonce.')
  }
  if (challenge === undefined || method !== 'S256' || !sha256.test(challenge)) {
    throw refused('invalid_request', 'The code_challenge_method is S256.')
  }
  return challenge
}

/** Unknown names are ignored, as OpenID Connect Core says in section 3.1.2.1. */
function scopesIn(given = '') {
  const names = given.split(' ')
  if (!names.includes('openid')) {
    throw refused('invalid_scope', 'This client signs users in: ask for openid.')
  }
  return [...signInScopes.keys()].filter((name) => names.includes(name))
}

function promptsIn(given = ''): ReadonlySet<Prompt> {
  const names = given.split(' ')
  const known = new Set(prompts.filter((each) => names.includes(each)))
  if (known.has('none') && known.size > 1) {
    throw refused('invalid_request', 'The prompt none cannot be combined with another one.')
  }
  return known
}

function maxAgeIn(given: string | undefined) {
  if (given === undefined) return null
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw refused('invalid_request', 'The max_age is a number of seconds.')
}

/** Requests as objects are not supported (OpenID Connect Core, sections 3.1.2.6 and 6). */
export function unsupportedIn({ req }: RawContext) {
  const [, query = ''] = req.target.split('?')
  const given = new URLSearchParams(query)
  const name = ['request', 'request_uri', 'registration'].find((each) => given.has(each))
  return name === undefined ? null : { error: `${name}_not_supported`, message: '' }
}

export function refused(error: OAuth2ErrorCode, message: string) {
  return new OAuth2Error({ error, message })
}
