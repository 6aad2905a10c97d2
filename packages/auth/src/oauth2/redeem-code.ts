import { createHash } from 'node:crypto'
import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { equal } from '../crypto/constant-time.ts'
import { hashToken } from '../crypto/token.ts'
import { findOwnKey } from '../keys/find-own-key.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { checkKey, checkResource } from './fits-grant.ts'
import { invalidGrant } from './invalid-grant.ts'
import { issueTokens, refreshMillis } from './issue-tokens.ts'
import { endIfReplayed } from './refuse-replay.ts'
import { findByCode, type GrantRow, startGrant } from './store.ts'
import { tellOfGrant } from './tell-of-grant.ts'
import type { TokenRequest } from './token-request.ts'

/** The first tokens of a grant, for the code that its client was given, and the verifier that only it has. */
export async function redeemCode(auth: AgentService, request: TokenRequest) {
  const { client, form } = request
  const offer = form.code === undefined ? null : await findByCode(auth.db, hashToken(form.code))
  if (offer?.clientId !== client.clientId) throw invalidGrant()
  if (offer.state !== 'offered') {
    await endIfReplayed(auth, request, {
      grant: offer,
      usedAt: offer.startedAt,
      reason: 'code_replayed',
    })
    throw invalidGrant()
  }
  checkForm(auth, { offer, request })
  const answer = await auth.db.transaction((tx) => start(tx, auth, { offer, request }))
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
  // Stolen with its verifier, the code is still of no use to another key (RFC 9449, section 10).
  if (offer.keyThumbprint !== null) checkKey(request, offer)
  checkResource(auth, request, offer)
}

const verifierForm = /^[\w.~-]{43,128}$/

function isVerifierOf(verifier: string | undefined, challenge: string) {
  if (verifier === undefined || !verifierForm.test(verifier)) return false
  return equal(createHash('sha256').update(verifier).digest('base64url'), challenge)
}

async function start(tx: Tx, auth: AgentService, { offer, request }: Redemption) {
  const account = await lockAccount(tx, offer.userId)
  // Between the consent and now, somebody has signed out everywhere, or the account was suspended.
  if (account?.generation !== offer.generation || account.status !== 'active') return null
  const { key } = request
  const now = auth.clock.now()
  const device = key && (await findOwnKey(tx, { ...key, userId: offer.userId, now }))
  // Signed out since the consent: tokens that were bound to it would have no device to die with.
  if (device && !device.isLive) return null
  const grant = await startGrant(tx, {
    grantId: offer.grantId,
    keyThumbprint: key?.thumbprint ?? null,
    keyId: device?.keyId ?? null,
    expiresAt: new Date(now.getTime() + refreshMillis),
    now,
  })
  if (!grant) return null
  await tellOfGrant(tx, auth, { grant, client: request.client, now })
  return issueTokens(tx, { grant, scopes: grant.scopes, now })
}
