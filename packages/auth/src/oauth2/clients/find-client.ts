import type { IncomingHttpHeaders } from 'node:http'
import { HttpError, parseJson } from '@svc/core'
import { fetchPublic, PublicFetchError } from '@svc/core/fetch'
import { Check } from 'typebox/value'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { type AuthorizationServer, authorizationServerOf } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'
import type { AgentNeeds, AgentService } from './agent-needs.ts'
import {
  type DeclaredKeys,
  type DocumentAddress,
  declaredKeys,
  documentAddress,
} from './client-keys.ts'
import { type ClientFacts, readMetadata, unusable } from './client-metadata.ts'
import { ClientDocument, type ClientMetadata } from './contract.ts'
import { findRow, keepDocument, type OAuth2Client } from './store.ts'

export type { OAuth2Client }

// What was registered here has no colon, and every address has one.
const registered = /^[\w-]{1,128}$/

/**
 * A client by its id; null when there is none, or its document says nothing that can be used. A document may have to be
 * read, which is counted for the address that the request came from.
 */
export async function findClient(
  auth: AgentService,
  clientId: string,
  address: string | null,
  { withKeys = false }: { withKeys?: boolean } = {},
): Promise<OAuth2Client | null> {
  if (registered.test(clientId)) return findRow(auth.db, clientId, 'registration')
  const document = documentAddress(authorizationServerOf(auth), clientId)
  return document && findByDocument(auth, document, { address, withKeys })
}

/**
 * What was read is not used a moment longer than its host has said: a client that was taken over, and whose document
 * takes a redirect URI back, must not live on here because its host is held down.
 */
async function findByDocument(
  auth: AgentService,
  document: DocumentAddress,
  { address, withKeys }: { address: string | null; withKeys: boolean },
) {
  const { clientId } = document
  const known = await findRow(auth.db, clientId, 'document')
  const isFresh = known !== null && known.expiresAt > auth.clock.now()
  // The row has no keys: a process that has not read the document itself reads it for them.
  if (isFresh && (!withKeys || auth.clientKeys.isKnown(clientId))) return known
  await auth.limits.take('oauth2 document by address', address)
  const read = await tryToRead(auth, document, known !== null)
  if (!read) return null
  const now = auth.clock.now()
  const expiresAt = new Date(now.getTime() + read.freshMillis)
  const { facts, authMethod, keys } = read
  auth.clientKeys.keep(clientId, keys, expiresAt)
  // The table wants a secret of every client that is not public. No client knows this one.
  const secretHash = authMethod === 'none' ? null : hashToken(newToken())
  return keepDocument(auth.db, { ...facts, clientId, authMethod, secretHash, now, expiresAt })
}

/**
 * If the host of a known client is away, that says nothing against the client: it is told to come
 * again, not that it is unknown.
 */
async function tryToRead(
  auth: AgentNeeds<'log' | 'authorizationServer'>,
  document: DocumentAddress,
  isKnown: boolean,
) {
  try {
    return await readDocument(authorizationServerOf(auth), document)
  } catch (error) {
    const isAway = error instanceof PublicFetchError
    if (!isAway && !(error instanceof HttpError)) throw error
    const { host } = new URL(document.clientId)
    auth.log.info({ host, reason: error.message }, 'the document of a client cannot be used')
    if (isAway && isKnown) throw away()
    return null
  }
}

function away() {
  return new OAuth2Error({
    error: 'temporarily_unavailable',
    message: 'The document of the client cannot be read at the moment.',
  })
}

interface ReadDocument {
  facts: ClientFacts
  authMethod: 'none' | 'private_key_jwt'
  /** What it signs with, where it can. */
  keys: DeclaredKeys | null
  freshMillis: number
}

/**
 * Reads the document at a client's address. Throws a `PublicFetchError` if the address can't be
 * asked, and another error if its answer is no use. Nothing that the document names is read: a logo
 * never, and its keys only when it signs with one.
 */
async function readDocument(
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
