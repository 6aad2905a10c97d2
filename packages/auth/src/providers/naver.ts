import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { equal } from '../crypto/crypto.ts'
import {
  askAsUser,
  askTokens,
  codePage,
  fieldsOf,
  onlyField,
  ownIdentity,
  type ProviderNeeds,
  redemptionOf,
  textOf,
} from './code-flow.ts'
import { verifyIdToken } from './openid/openid.ts'
import {
  type NativeSignIn,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  type UnlinkNotification,
  type UnlinkRequest,
} from './provider.ts'
import { type WebClient, webClient } from './provider-settings.ts'

/** https://developers.naver.com/docs/login/devguide/devguide.md */
export function createNaverProvider(needs: ProviderNeeds): OAuthProvider {
  const { settings, endpoints } = needs
  return {
    id: 'naver',
    issuer: needs.endpoints.issuers.naver,
    web: settings.web !== null,

    // Without PKCE: Naver supports it only with an id token (3.4.2, 3.5.4).
    async getAuthUrl(request) {
      const client = webClient(settings)
      const { authorizationEndpoint } = await endpoints.naver()
      return codePage(authorizationEndpoint, client, request).href
    },

    async exchangeCode(exchange) {
      const redemption = redemptionOf(webClient(settings), exchange)
      const { tokenEndpoint } = await endpoints.naver()
      return askTokens(tokenEndpoint, { form: { ...redemption, state: exchange.state } })
    },

    async getIdentity({ accessToken }) {
      const { userinfoEndpoint } = await endpoints.naver()
      return readIdentity(userinfoEndpoint, accessToken)
    },

    ...(settings.nativeAudiences.length > 0 && {
      verifyNativeIdToken: (idToken: string, given: NativeSignIn) =>
        readNativeIdentity(needs, idToken, given),
    }),

    verifyUnlinkNotification: (request) => verifyNaverUnlink(request, settings.web),
    unlinkNotifyAckStatus: 204,
  }
}

/**
 * The id token identifies the user, and nothing more: the address needs the look-up.
 */
async function readNativeIdentity(
  needs: ProviderNeeds,
  idToken: string,
  { nonce, accessToken }: NativeSignIn,
): Promise<ProviderIdentity> {
  const { issuer, jwksUri, userinfoEndpoint } = await needs.endpoints.naver()
  const audiences = needs.settings.nativeAudiences
  const expected = { issuers: [issuer], audiences, nonce, jwksUri }
  const { sub } = await verifyIdToken(needs, idToken, expected)
  const alone = { providerUserId: sub, isEmailVerified: false }
  if (accessToken === undefined) return alone
  // Ids are not shared between applications, so a token for another application gives another user
  // here (3.3.2).
  return (await ownIdentity(sub, () => readIdentity(userinfoEndpoint, accessToken))) ?? alone
}

async function readIdentity(address: string, accessToken: string): Promise<ProviderIdentity> {
  const { status, json } = await askAsUser(address, accessToken)
  const { resultcode, response } = fieldsOf(json)
  if (status !== 200 || resultcode !== '00') {
    throw new ProviderRefusalError(`Naver tells no user: ${status}`)
  }
  const user = fieldsOf(response)
  const { id } = user
  if (!isNaverUserId(id)) throw new ProviderRefusalError('Naver tells a user without an id')
  const email = textOf(user['email'])
  const name = textOf(user['name']) ?? textOf(user['nickname'])
  return {
    providerUserId: id,
    ...(email !== undefined && { email }),
    // Naver returns only addresses that it has verified.
    isEmailVerified: email !== undefined,
    ...(name !== undefined && { name }),
  }
}

// 64 characters of base64, or digits in an application from before May 2021; url-safe letters do no
// harm.
const pattern = /^[A-Za-z0-9+/=_-]{1,64}$/
const placeholders = new Set(['null', 'undefined', 'NaN'])

/**
 * A user's id in one application at Naver. No other user has it, and the user has another one in
 * every other application.
 */
function isNaverUserId(id: unknown): id is string {
  return typeof id === 'string' && pattern.test(id) && !placeholders.has(id)
}

const blockBytes = 16
// After an old notice, the user may have consented again.
const freshMillis = 10 * 60 * 1000

/**
 * Naver defines what is signed, how it is encrypted, and the one key for both: sections 4.4.1 to
 * 4.4.3 of https://developers.naver.com/docs/login/devguide/devguide.md
 */
export function verifyNaverUnlink(
  { fields, now }: UnlinkRequest,
  client: WebClient | null,
): UnlinkNotification | null {
  if (!client?.clientSecret) return null
  const clientId = onlyField(fields, 'clientId')
  const encryptUniqueId = onlyField(fields, 'encryptUniqueId')
  const timestamp = onlyField(fields, 'timestamp')
  const key = createHash('md5').update(client.clientSecret).digest()
  const signature = createHmac('sha256', key)
    .update(`clientId=${clientId}&encryptUniqueId=${encryptUniqueId}&timestamp=${timestamp}`)
    .digest('base64url')
  // Before anything is decrypted: a caller who can't sign must not learn whether a padding was
  // right.
  if (!equal(onlyField(fields, 'signature'), signature)) return null
  if (clientId !== client.clientId) return null
  const at = readTime(timestamp)
  if (!at || Math.abs(now.getTime() - at.getTime()) > freshMillis) return null
  const providerUserId = decrypt(encryptUniqueId, key)
  return isNaverUserId(providerUserId) ? { providerUserId, reason: 'unlinked', at } : null
}

/** Seconds since 1970. */
function readTime(timestamp: string) {
  return /^\d{1,12}$/.test(timestamp) ? new Date(Number(timestamp) * 1000) : null
}

/** The initialisation vector precedes the encrypted bytes, in base64url. */
function decrypt(encrypted: string, key: Buffer) {
  const bytes = Buffer.from(encrypted, 'base64url')
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, bytes.subarray(0, blockBytes))
    return decipher.update(bytes.subarray(blockBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
