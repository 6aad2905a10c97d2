import { HttpError } from '@svc/core'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { PublicFetchError } from '../public-fetch/public-fetch-error.ts'
import type { AgentNeeds, AgentService } from './agent-needs.ts'
import { type DocumentAddress, documentAddress } from './document-address.ts'
import { readDocument } from './read-document.ts'
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

/** Of a client that was known, a host that is away is no word against it: it is told to come again, not that it is nobody. */
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
