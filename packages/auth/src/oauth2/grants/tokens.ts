import { createHash } from 'node:crypto'
import type { Tx } from '@svc/core'
import { lockAccount } from '../../accounts/accounts.ts'
import type { RequestOrigin } from '../../caller/caller.ts'
import { equal, hashToken } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { findOwnKey } from '../../keys/keys.ts'
import type { AgentService, OAuth2Client } from '../clients/clients.ts'
import { endGrant } from './end-grant.ts'
import { invalidGrant } from './invalid-grant.ts'
import { findByCode, type GrantRow, startGrant } from './store.ts'
import { announceGrant, mailOfGrant } from './tell-of-grant.ts'
import {
  checkKey,
  checkResource,
  endIfReplayed,
  issueTokens,
  refreshMillis,
  type TokenRequest,
} from './token-request.ts'
import { findToken } from './token-store.ts'

/**
 * The first tokens of a grant, for the code that its client got, and the verifier that only the
 * client has.
 */
export async function redeemCode(auth: AgentService, request: TokenRequest) {
  const { client, form } = request
  const offer = form.code === undefined ? null : await findByCode(auth.db, hashToken(form.code))
  if (offer?.clientId !== client.clientId) throw invalidGrant()
  return redeemOffer(auth, { offer, request }, () => checkForm(auth, { offer, request }))
}

/** The first tokens of a grant that is this client's. A second request for them ends what the first one began. */
export async function redeemOffer(
  auth: AgentService,
  { offer, request }: Redemption,
  check: () => void,
) {
  if (offer.state !== 'offered') {
    await endIfReplayed(auth, request, {
      grant: offer,
      usedAt: offer.startedAt,
      reason: 'code_replayed',
    })
    throw invalidGrant()
  }
  check()
  const answer = await inTransaction(auth.db, (tx) => start(tx, auth, { offer, request }))
  if (!answer) throw invalidGrant()
  return answer
}

interface Redemption {
  offer: GrantRow
  request: TokenRequest
}

function checkForm(auth: AgentService, { offer, request }: Redemption) {
  const { form } = request
  if (!isVerifierOf(form.code_verifier, offer.codeChallenge)) throw invalidGrant()
  if (form.redirect_uri !== undefined && form.redirect_uri !== offer.redirectUri)
    throw invalidGrant()
  // An attacker with the code and its verifier still needs the key (RFC 9449, section 10).
  if (offer.keyThumbprint !== null) checkKey(request, offer)
  checkResource(auth, request, offer)
}

const verifierForm = /^[\w.~-]{43,128}$/

/** Whether a code's challenge was made from this (RFC 7636). */
export function isVerifierOf(verifier: string | undefined, challenge: string) {
  if (verifier === undefined || !verifierForm.test(verifier)) return false
  return equal(createHash('sha256').update(verifier).digest('base64url'), challenge)
}

async function start(tx: Tx, auth: AgentService, { offer, request }: Redemption) {
  const account = await lockAccount(tx, offer.userId)
  // Since the consent, the user has signed out everywhere, or the account was suspended.
  if (account?.generation !== offer.generation || account.status !== 'active') return null
  const { key } = request
  const now = auth.clock.now()
  const device = key && (await findOwnKey(tx, { ...key, userId: offer.userId, now }))
  // The device was signed out since the consent: tokens that were bound to it could not end with
  // it.
  if (device && !device.isLive) return null
  const grant = await startGrant(tx, {
    grantId: offer.grantId,
    keyThumbprint: key?.thumbprint ?? null,
    keyId: device?.keyId ?? null,
    expiresAt: new Date(now.getTime() + refreshMillis),
    now,
  })
  if (!grant) return null
  const granted = { grant, client: request.client, now }
  await announceGrant(granted)
  await mailOfGrant(tx, auth, granted)
  return issueTokens(tx, auth, { grant, scopes: grant.scopes, now })
}

interface Revocation {
  /** It has authenticated. */
  client: OAuth2Client
  token: string
  origin: RequestOrigin
}

/**
 * A client no longer needs access: the grant of its token ends, with all its other tokens (RFC
 * 7009, section 2.1).
 */
export async function revokeToken(auth: AgentService, { client, token, origin }: Revocation) {
  const hash = hashToken(token)
  const found =
    (await findToken(auth.db, hash, 'refresh')) ?? (await findToken(auth.db, hash, 'access'))
  // Another client's token is treated as unknown.
  if (found?.grant.clientId !== client.clientId) return {}
  await endGrant(auth, { grant: found.grant, reason: 'client', actor: null, origin })
  return {}
}
