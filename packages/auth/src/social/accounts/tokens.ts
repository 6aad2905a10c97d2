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

/** Whose account, and where else it is wanted. */
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

/** The same, where the link was read. */
export async function readFreshToken(auth: TokenNeeds, link: SocialAccountRow) {
  return isFresh(link, auth.clock.now()) ? readAccessToken(auth, link) : null
}

/** One whose end the provider does not tell is good for as long as there is no way to get another. */
function isFresh({ accessTokenExpiresAt: endsAt, refreshToken }: SocialAccountRow, now: Date) {
  if (endsAt === null) return refreshToken === null
  return endsAt.getTime() - now.getTime() >= leastMillis
}

const contextOf = (
  { provider, providerUserId }: Elsewhere,
  tokenType: TokenContext['tokenType'],
): TokenContext => ({ provider, providerUserId, tokenType })

/** What a provider has given, as it may be stored. Null where there is nothing that it could be kept with. */
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
 * A token of a link as it is stored: its text, and whether it must be encrypted again. Null for
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
 * The access token that is stored, or null. It is encrypted again if it was with an older key, or
 * not at all.
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

// Without it, what an application has encrypted could not be told from a token that is stored as it is.
const byApplication = 'enc:app:'

const boundTo = ({ provider, providerUserId, tokenType }: TokenContext) => [
  provider,
  providerUserId,
  tokenType,
]

/** A token as it may be stored. Null where there is nothing to encrypt it with. */
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
  throw new UnreadableSecretError('configureOAuthTokenCipher has encrypted it, and is not set now.')
}

function openOwn(keyring: Keyring, stored: string, context: TokenContext) {
  if (!stored.startsWith('enc:')) return { plaintext: stored, isStale: true }
  if (!stored.startsWith('enc:v1:')) return decrypt(keyring, stored, boundTo(context))
  return { plaintext: decryptLegacy(keyring, stored), isStale: true }
}

// Each writes only in the place of the very text that was read: what a sign-in has brought meanwhile stays (R33).

const of = ({ provider, providerUserId }: Elsewhere) =>
  and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerUserId, providerUserId))

/** Puts another encryption of the same token in its place. */
async function resealAccessToken(db: Db, link: SocialAccountRow, accessToken: string) {
  const same = eq(socialAccounts.accessToken, link.accessToken ?? '')
  await db
    .update(socialAccounts)
    .set({ accessToken })
    .where(and(of(link), same))
}

/** What a refresh token was good for. False when another has come meanwhile, or the tokens have gone. */
export async function putRenewed(db: Db, link: SocialAccountRow, kept: KeptTokens) {
  const put = await db
    .update(socialAccounts)
    .set(kept)
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? '')))
    .returning({ userId: socialAccounts.userId })
  return put.length === 1
}

/** Forgets tokens that the provider takes no more. False when another of the two has come meanwhile. */
export async function clearDeadTokens(db: Db, link: SocialAccountRow) {
  const sameAccess = sql`${socialAccounts.accessToken} is not distinct from ${link.accessToken}`
  const cleared = await db
    .update(socialAccounts)
    .set({ accessToken: null, refreshToken: null, accessTokenExpiresAt: null })
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? ''), sameAccess))
    .returning({ userId: socialAccounts.userId })
  return cleared.length === 1
}

/** The key of the keyring that each token needs: `enc:v1` for one in the form before this, which any of them may open. */
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
