import { HttpError } from '@svc/core'
import type { Auth, Needs } from '../auth.ts'
import { authorizationServerOf } from '../oauth2/configured.ts'
import { OAuth2Error } from '../oauth2/errors.ts'
import { PublicFetchError } from '../public-fetch/public-fetch-error.ts'
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
  auth: Auth,
  clientId: string,
  address: string | null,
): Promise<OAuth2Client | null> {
  if (registered.test(clientId)) return findRow(auth.db, clientId, 'registration')
  const document = documentAddress(authorizationServerOf(auth), clientId)
  return document && findByDocument(auth, document, address)
}

/**
 * What was read is not used a moment longer than its host has said: a client that was taken over, and whose document
 * takes a redirect URI back, must not live on here because its host is held down.
 */
async function findByDocument(auth: Auth, document: DocumentAddress, address: string | null) {
  const { clientId } = document
  const known = await findRow(auth.db, clientId, 'document')
  if (known && known.expiresAt > auth.clock.now()) return known
  await auth.limits.take('oauth2 document by address', address)
  const read = await tryToRead(auth, document, known !== null)
  if (!read) return null
  const now = auth.clock.now()
  const expiresAt = new Date(now.getTime() + read.freshMillis)
  return keepDocument(auth.db, { ...read.facts, clientId, now, expiresAt })
}

/** Of a client that was known, a host that is away is no word against it: it is told to come again, not that it is nobody. */
async function tryToRead(
  auth: Needs<'log' | 'authorizationServer'>,
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
