import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '@svc/core'
import { Check } from 'typebox/value'
import type { AuthorizationServer } from '../authorization-server/options.ts'
import { fetchPublic } from '../public-fetch/fetch-public.ts'
import { PublicFetchError } from '../public-fetch/public-fetch-error.ts'
import { type ClientFacts, readMetadata, unusable } from './client-metadata.ts'
import { type DeclaredKeys, declaredKeys } from './declared-keys.ts'
import type { DocumentAddress } from './document-address.ts'
import { ClientDocument, type ClientMetadata } from './operations.ts'

interface ReadDocument {
  facts: ClientFacts
  authMethod: 'none' | 'private_key_jwt'
  /** What it signs with, where it can. */
  keys: DeclaredKeys | null
  freshMillis: number
}

/**
 * What is said at a client's address. Throws a `PublicFetchError` where nobody can be asked, and another error where
 * nothing is said that could be used. Nothing that it names is read: a logo never, and its keys when it signs with one.
 */
export async function readDocument(
  server: AuthorizationServer,
  { clientId, isNamed }: DocumentAddress,
): Promise<ReadDocument> {
  const { status, headers, body } = await fetchPublic(new URL(clientId), { isNamed })
  if (status >= 500 || status === 429) throw new PublicFetchError(`answered ${status}`)
  if (status !== 200) throw unusable(`answered ${status}`)
  if (!isJson.test(headers['content-type'] ?? '')) throw unusable('not application/json')
  const document = parseJson(body)
  if (!Check(ClientDocument, document)) throw unusable('not a client metadata document')
  // Else a host could speak for another one's client.
  if (document.client_id !== clientId) throw unusable('about another client_id')
  // A document is public, so it holds no secret.
  if (document.client_secret !== undefined) throw unusable('it shows a secret')
  return {
    facts: readMetadata(document, server),
    ...authenticationOf(document),
    freshMillis: freshMillisOf(headers),
  }
}

/** How it shows who it is. Where it can do without a key, no answer depends on the host of its keys. */
function authenticationOf(document: ClientMetadata) {
  const { token_endpoint_auth_method: preferred = 'none' } = document
  const methods = [preferred, ...(document.token_endpoint_auth_methods_supported ?? [])]
  const keys = methods.includes('private_key_jwt') ? declaredKeys(document) : null
  if (methods.includes('none')) return { authMethod: 'none' as const, keys }
  if (!keys) throw unusable('neither a public client nor one with keys to sign with')
  return { authMethod: 'private_key_jwt' as const, keys }
}

const isJson = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i

const minuteMillis = 60_000

/** As long as its host says (RFC 9111), from five minutes to a day, and an hour where it says nothing. */
function freshMillisOf({ 'cache-control': said = '' }: IncomingHttpHeaders) {
  if (/\bno-(?:store|cache)\b/i.test(said)) return 5 * minuteMillis
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(said) ?? []
  if (seconds === undefined) return 60 * minuteMillis
  return Math.min(Math.max(Number(seconds) * 1000, 5 * minuteMillis), 24 * 60 * minuteMillis)
}
