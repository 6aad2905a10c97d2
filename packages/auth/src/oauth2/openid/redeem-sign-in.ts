import type { Tx } from '@svc/core'
import { lockAccount, readProfile } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import { mustChangePassword } from '../../authenticate/authenticate.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { findOwnKey, stillSigns } from '../../keys/keys.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService, OAuth2Client } from '../clients/clients.ts'
import type { TokenAnswer } from '../contract.ts'
import { OAuth2Error } from '../errors.ts'
import { checkKey, invalidGrant, isVerifierOf, type TokenRequest } from '../grants/grants.ts'
import { keyFor, leftHalfOf, signIdToken } from '../id-tokens/id-tokens.ts'
import { keepSession } from './sessions.ts'
import { endSignIn, findByCode, findByToken, type SignInRow, startSignIn } from './store.ts'

const tokenMillis = 3_600_000

/**
 * An id token for the code of a sign-in, and an access token for the userinfo endpoint. There is no refresh token: the
 * application redirects the user here again.
 */
export async function redeemSignIn(
  auth: AgentService,
  request: TokenRequest,
): Promise<TokenAnswer> {
  const { client, form } = request
  const offer = form.code === undefined ? null : await findByCode(auth.db, hashToken(form.code))
  if (offer?.clientId !== client.clientId) throw invalidGrant()
  if (offer.state !== 'offered') {
    await endIfReplayed(auth, request, offer)
    throw invalidGrant()
  }
  checkForm(offer, request)
  const token = newToken()
  const started = await inTransaction(auth.db, (tx) => start(tx, auth, { offer, request, token }))
  if (!started) throw invalidGrant()
  const { row } = started
  return {
    access_token: token,
    token_type: row.keyThumbprint === null ? 'Bearer' : 'DPoP',
    expires_in: tokenMillis / 1000,
    scope: row.scopes.join(' '),
    id_token: await idTokenOf(auth, { ...started, token }),
  }
}

/** As with a code of a grant: a second use after the first was answered is that of a copy (RFC 9700, section 4.5). */
async function endIfReplayed(auth: AgentService, { arrivedAt }: TokenRequest, row: SignInRow) {
  if (row.startedAt && arrivedAt > row.startedAt) await endSignIn(auth.db, row)
}

function checkForm(offer: SignInRow, request: TokenRequest) {
  const { form } = request
  const { code_verifier: verifier } = form
  const isRight =
    offer.codeChallenge === null
      ? verifier === undefined
      : isVerifierOf(verifier, offer.codeChallenge)
  if (!isRight || form.redirect_uri !== offer.redirectUri) throw invalidGrant()
  // An attacker with the code still needs the key (RFC 9449, section 10).
  if (offer.keyThumbprint !== null) checkKey(request, offer)
  if (form.resource !== undefined) throw new OAuth2Error({ error: 'invalid_target' })
}

interface Redemption {
  readonly offer: SignInRow
  readonly request: TokenRequest
  readonly token: string
}

async function start(tx: Tx, auth: AgentService, { offer, request, token }: Redemption) {
  const { signInId, userId, keyId, generation, clientId, scopes } = offer
  const account = await lockAccount(tx, userId)
  // Since then, the user has signed out everywhere, or the account was suspended.
  if (account?.generation !== generation || account.status !== 'active') return null
  if (mustChangePassword(auth, account)) return null
  if (!(await stillSigns(tx, account, offer))) return null
  const { key, origin } = request
  const now = auth.clock.now()
  // A device of the account is no key of an application.
  if (key && (await findOwnKey(tx, { ...key, userId, now }))) return null
  const row = await startSignIn(tx, {
    signInId,
    tokenHash: hashToken(token),
    keyThumbprint: key?.thumbprint ?? null,
    now,
    expiresAt: new Date(now.getTime() + tokenMillis),
  })
  if (!row) return null
  await recordAudit(tx, {
    act: 'openid.signed_in',
    actor: userId,
    target: clientId,
    details: { scopes, keyId },
    origin,
    at: now,
  })
  const isTold = auth.openid?.clients.get(clientId)?.logoutUri != null
  const session = { userId, keyId, clientId, signedInAt: now }
  return { row, sid: isTold ? await keepSession(tx, session) : null }
}

interface Issued {
  readonly row: SignInRow
  /** Of the session, for an application that is told of its end. */
  readonly sid: string | null
  readonly token: string
}

const inSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)

/** What the application has to know to sign the user in, and nothing else of them (OpenID Connect Core, section 2). */
async function idTokenOf(auth: AgentService, { row, sid, token }: Issued) {
  const { openid } = auth
  const { clientId, userId, nonce, authenticatedAt, startedAt, expiresAt } = row
  const key = openid && keyFor(openid.keys, openid.clients.get(clientId)?.idTokenAlgorithm)
  const found = await readProfile(auth.db, userId)
  if (!key || !found) throw invalidGrant()
  return signIdToken(key, {
    iss: authorizationServerOf(auth).issuer,
    sub: found.account.publicId,
    aud: clientId,
    iat: inSeconds(startedAt ?? auth.clock.now()),
    exp: inSeconds(expiresAt),
    auth_time: inSeconds(authenticatedAt),
    ...(nonce !== null && { nonce }),
    ...(sid !== null && { sid }),
    at_hash: leftHalfOf(token),
  })
}

/** The application no longer needs its token (RFC 7009). One of another application is treated as unknown. */
export async function revokeSignIn(
  { db, clock }: AgentService,
  client: OAuth2Client,
  token: string,
) {
  const found = await findByToken(db, hashToken(token), clock.now())
  if (found?.clientId === client.clientId) await endSignIn(db, found)
  return {}
}
