import type { Db } from '@svc/core'
import { type AnyColumn, and, eq, like, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { refuseInactiveAccount } from '../../accounts/accounts.ts'
import {
  decrypt,
  decryptLegacy,
  encrypt,
  type Keyring,
  UnreadableSecretError,
} from '../../crypto/crypto.ts'
import { isUuid } from '../../pg-schema.ts'
import type { ProviderTokens, TokenContext } from '../../providers/providers.ts'
import { SocialAccountNotLinkedError } from '../errors.ts'
import type { SocialNeeds } from '../held.ts'
import { socialAccounts } from './schema.ts'
import { type Elsewhere, findOfProvider, type KeptTokens, type SocialAccountRow } from './store.ts'

/** The account and the provider for which a token is wanted. */
export interface Wanted {
  readonly userId: string
  readonly provider: string
}

/**
 * The linked account of a user who may sign in. The application can't go on acting for an account
 * that was suspended or is to be deleted.
 */
export async function requireLink({ db }: SocialNeeds<'db'>, { userId, provider }: Wanted) {
  const link = isUuid(userId) ? await findOfProvider(db, userId, provider) : null
  if (!link) throw new SocialAccountNotLinkedError()
  await refuseInactiveAccount(db, userId)
  return link
}

type TokenNeeds = SocialNeeds<'db' | 'keyring' | 'tokenCipher' | 'clock'>

/** The access token of a link. Null if there is none, or if it must be renewed. */
export async function findFreshToken(auth: TokenNeeds, wanted: Wanted) {
  return readFreshToken(auth, await requireLink(auth, wanted))
}

// The application needs time to use the token that it gets.
const leastMillis = 60_000

/** The same, for a link that was read already. */
export async function readFreshToken(auth: TokenNeeds, link: SocialAccountRow) {
  return isFresh(link, auth.clock.now()) ? readAccessToken(auth, link) : null
}

/** If the provider names no expiry, a token is used as long as there is no way to get another. */
function isFresh({ accessTokenExpiresAt: endsAt, refreshToken }: SocialAccountRow, now: Date) {
  if (endsAt === null) return refreshToken === null
  return endsAt.getTime() - now.getTime() >= leastMillis
}

const contextOf = (
  { provider, providerUserId }: Elsewhere,
  tokenType: TokenContext['tokenType'],
): TokenContext => ({ provider, providerUserId, tokenType })

/** A provider's tokens in the form that may be stored. Null if no encryption is configured. */
export async function keepTokens(
  auth: SocialNeeds<'keyring' | 'tokenCipher' | 'clock'>,
  elsewhere: Elsewhere,
  { accessToken, refreshToken, expiresInSeconds }: ProviderTokens,
): Promise<KeptTokens | null> {
  const sealed = await sealToken(auth, accessToken, contextOf(elsewhere, 'access'))
  if (sealed === null) return null
  return {
    accessToken: sealed,
    refreshToken:
      refreshToken === undefined
        ? null
        : await sealToken(auth, refreshToken, contextOf(elsewhere, 'refresh')),
    accessTokenExpiresAt:
      expiresInSeconds === undefined
        ? null
        : new Date(auth.clock.now().getTime() + expiresInSeconds * 1000),
  }
}

/**
 * A stored token of a link: its text, and whether it must be encrypted again. Null if there is
 * none.
 */
export async function openKept(
  auth: SocialNeeds<'keyring' | 'tokenCipher'>,
  link: SocialAccountRow,
  tokenType: TokenContext['tokenType'],
) {
  const stored = tokenType === 'access' ? link.accessToken : link.refreshToken
  return stored === null ? null : openToken(auth, stored, contextOf(link, tokenType))
}

/**
 * The stored access token, or null. It is encrypted again if it has an older key, or is not
 * encrypted yet.
 */
export async function readAccessToken(
  auth: SocialNeeds<'db' | 'keyring' | 'tokenCipher'>,
  link: SocialAccountRow,
) {
  const opened = await openKept(auth, link, 'access')
  if (!opened) return null
  const { plaintext, isStale } = opened
  const sealed = isStale ? await sealToken(auth, plaintext, contextOf(link, 'access')) : null
  if (sealed !== null) await resealAccessToken(auth.db, link, sealed)
  return plaintext
}

const noKeys: Keyring = { activeKeyId: '', keys: new Map() }

// Marks what an application has encrypted, to distinguish it from a token that is not encrypted.
const byApplication = 'enc:app:'

const boundTo = ({ provider, providerUserId, tokenType }: TokenContext) => [
  provider,
  providerUserId,
  tokenType,
]

/** A token in the form that may be stored. Null if no encryption is configured. */
async function sealToken(
  { keyring, tokenCipher }: SocialNeeds<'keyring' | 'tokenCipher'>,
  token: string,
  context: TokenContext,
) {
  const cipher = tokenCipher()
  if (cipher) return `${byApplication}${await cipher.encrypt(token, context)}`
  return keyring && encrypt(keyring, token, boundTo(context))
}

/**
 * `isStale` if it must be encrypted again: it has an older key or form, or is not encrypted yet
 * (A-314).
 */
async function openToken(
  { keyring, tokenCipher }: SocialNeeds<'keyring' | 'tokenCipher'>,
  stored: string,
  context: TokenContext,
) {
  const cipher = tokenCipher()
  if (!stored.startsWith(byApplication)) {
    const { plaintext, isStale } = openOwn(keyring ?? noKeys, stored, context)
    return { plaintext, isStale: isStale || cipher !== null }
  }
  if (cipher) {
    const encrypted = stored.slice(byApplication.length)
    return { plaintext: await cipher.decrypt(encrypted, context), isStale: false }
  }
  throw new UnreadableSecretError(
    'The stored token was encrypted with configureOAuthTokenCipher, which is not set now: set it again.',
  )
}

function openOwn(keyring: Keyring, stored: string, context: TokenContext) {
  if (!stored.startsWith('enc:')) return { plaintext: stored, isStale: true }
  if (!stored.startsWith('enc:v1:')) return decrypt(keyring, stored, boundTo(context))
  return { plaintext: decryptLegacy(keyring, stored), isStale: true }
}

// Each writes only over the very text that was read: tokens from a sign-in meanwhile stay (R33).

const of = ({ provider, providerUserId }: Elsewhere) =>
  and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerUserId, providerUserId))

/** Replaces a token's encryption by a new one of the same token. */
async function resealAccessToken(db: Db, link: SocialAccountRow, accessToken: string) {
  const same = eq(socialAccounts.accessToken, link.accessToken ?? '')
  await db
    .update(socialAccounts)
    .set({ accessToken })
    .where(and(of(link), same))
}

/**
 * Stores the result of a refresh token. False if another has arrived meanwhile, or the tokens were
 * deleted.
 */
export async function putRenewed(db: Db, link: SocialAccountRow, kept: KeptTokens) {
  const put = await db
    .update(socialAccounts)
    .set(kept)
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? '')))
    .returning({ userId: socialAccounts.userId })
  return put.length === 1
}

/**
 * Deletes tokens that the provider no longer accepts. False if another of the two has arrived
 * meanwhile.
 */
export async function clearDeadTokens(db: Db, link: SocialAccountRow) {
  const sameAccess = sql`${socialAccounts.accessToken} is not distinct from ${link.accessToken}`
  const cleared = await db
    .update(socialAccounts)
    .set({ accessToken: null, refreshToken: null, accessTokenExpiresAt: null })
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? ''), sameAccess))
    .returning({ userId: socialAccounts.userId })
  return cleared.length === 1
}

/**
 * The key of the keyring that each token needs: `enc:v1` for one in the previous form, which any of
 * the keys may decrypt.
 */
export function ringKeysOfTokens(db: Db) {
  return unionAll(
    ringKeysOf(db, socialAccounts.accessToken),
    ringKeysOf(db, socialAccounts.refreshToken),
  )
}

function ringKeysOf(db: Db, column: AnyColumn) {
  const keyId = sql<string>`case when ${column} like 'enc:v1:%' then 'enc:v1'
    else split_part(${column}, ':', 3) end`
  return db
    .select({
      keyId: keyId.as('key_id'),
      userId: socialAccounts.userId,
      kind: sql<string>`'providerTokens'`.as('kind'),
    })
    .from(socialAccounts)
    .where(like(column, 'enc:v_:%'))
}
