import type { IncomingHttpHeaders } from 'node:http'
import { HttpError, parseJson } from '@svc/core'
import { fetchPublic, PublicFetchError } from '@svc/core/fetch'
import { Check } from 'typebox/value'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { authorizationServerOf } from '../authorization-server.ts'
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

// The id of a registered client has no colon, and every address has one.
const registered = /^[\w-]{1,128}$/

/**
 * A client by its id; null if there is none, or if its document is unusable. A document may have to
 * be read, which counts against the address that sent the request.
 */
export async function findClient(
  auth: AgentService,
  clientId: string,
  address: string | null,
  { withKeys = false }: { withKeys?: boolean } = {},
): Promise<OAuth2Client | null> {
  const configured = auth.openid?.clients.get(clientId)
  if (configured) return configured.client
  if (registered.test(clientId)) return findRow(auth.db, clientId, 'registration')
  const document = documentAddress(authorizationServerOf(auth), clientId)
  return document && findByDocument(auth, document, { address, withKeys })
}

/**
 * A document is not used any longer than its host has said. If a client was taken over and its
 * document removes a redirect URI, an attacker must not be able to keep the URI here by blocking
 * the host.
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
  // The table requires a secret of every client that is not public. No client knows this one.
  const secretHash = authMethod === 'none' ? null : hashToken(newToken())
  return keepDocument(auth.db, { ...facts, clientId, authMethod, secretHash, now, expiresAt })
}

/**
 * An unreachable host is no fault of a known client: it is told to retry, not that it is unknown.
 */
async function tryToRead(
  auth: AgentNeeds<'log' | 'authorizationServer' | 'exchangeClients' | 'identityProviders'>,
  document: DocumentAddress,
  isKnown: boolean,
) {
  try {
    return await readDocument(auth, document)
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
    message: 'The document of the client cannot be read at the moment. Try again later.',
  })
}

interface ReadDocument {
  facts: ClientFacts
  authMethod: 'none' | 'private_key_jwt'
  /** The keys it signs with, if it has any. */
  keys: DeclaredKeys | null
  freshMillis: number
}

/**
 * Reads the document at a client's address. Throws a `PublicFetchError` if the address can't be
 * fetched, and another error if the response is unusable. It fetches nothing that the document
 * names: a logo never, and keys only when the client signs with one.
 */
async function readDocument(
  auth: AgentNeeds<'authorizationServer' | 'exchangeClients' | 'identityProviders'>,
  { clientId, isNamed }: DocumentAddress,
): Promise<ReadDocument> {
  const { status, headers, body } = await fetchPublic(new URL(clientId), { isNamed })
  if (status >= 500 || status === 429) throw new PublicFetchError(`answered ${status}`)
  if (status !== 200) throw unusable(`answered ${status}`)
  if (!isJson.test(headers['content-type'] ?? '')) throw unusable('not application/json')
  const document = parseJson(body)
  if (!Check(ClientDocument, document)) throw unusable('not a client metadata document')
  // Otherwise a host could speak for another host's client.
  if (document.client_id !== clientId) throw unusable('about another client_id')
  // A document is public, so it can't hold a secret.
  if (document.client_secret !== undefined) throw unusable('it shows a secret')
  return {
    facts: readMetadata(document, {
      ...authorizationServerOf(auth),
      isListed:
        auth.exchangeClients.has(clientId) || auth.identityProviders.clientIds.has(clientId),
    }),
    ...authenticationOf(document),
    freshMillis: freshMillisOf(headers),
  }
}

/**
 * How it authenticates. If it can do without a key, no response depends on the host of its keys.
 */
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

/** As long as its host says (RFC 9111), from five minutes to a day; an hour if it says nothing. */
function freshMillisOf({ 'cache-control': said = '' }: IncomingHttpHeaders) {
  if (/\bno-(?:store|cache)\b/i.test(said)) return 5 * minuteMillis
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(said) ?? []
  if (seconds === undefined) return 60 * minuteMillis
  return Math.min(Math.max(Number(seconds) * 1000, 5 * minuteMillis), 24 * 60 * minuteMillis)
}
