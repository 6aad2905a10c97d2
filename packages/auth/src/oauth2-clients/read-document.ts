import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '@svc/core'
import { Check } from 'typebox/value'
import type { AuthorizationServer } from '../oauth2/options.ts'
import { fetchPublic } from '../public-fetch/fetch-public.ts'
import { PublicFetchError } from '../public-fetch/public-fetch-error.ts'
import { type ClientFacts, readMetadata, unusable } from './client-metadata.ts'
import { ClientDocument } from './contract.ts'
import type { DocumentAddress } from './document-address.ts'

interface ReadDocument {
  facts: ClientFacts
  freshMillis: number
}

/**
 * What is said at a client's address. Throws a `PublicFetchError` where nobody can be asked, and another error where
 * nothing is said that could be used. Nothing that it names is read, a logo as little as keys.
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
  // Whatever is in a document is no secret, and a key has nobody here who would read it.
  const { token_endpoint_auth_method: method = 'none', client_secret } = document
  if (method !== 'none' || client_secret !== undefined) throw unusable('not a public client')
  return { facts: readMetadata(document, server), freshMillis: freshMillisOf(headers) }
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
