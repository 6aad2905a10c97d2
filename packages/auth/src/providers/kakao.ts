import { equal } from '../crypto/crypto.ts'
import {
  askAsUser,
  askTokens,
  codePage,
  fieldsOf,
  numberOf,
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
import { webClient } from './provider-settings.ts'

interface KakaoNeeds extends ProviderNeeds {
  readonly adminKey?: string | undefined
}

/** https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
export function createKakaoProvider(needs: KakaoNeeds): OAuthProvider {
  const { settings, endpoints, adminKey } = needs
  return {
    id: 'kakao',
    issuer: needs.endpoints.issuers.kakao,
    web: settings.web !== null,

    async getAuthUrl(request) {
      const client = webClient(settings)
      const { authorizationEndpoint } = await endpoints.kakao()
      const url = codePage(authorizationEndpoint, client, request)
      // Kakao separates them by commas.
      url.searchParams.set('scope', client.scopes.join(','))
      url.searchParams.set('code_challenge', request.codeChallenge)
      url.searchParams.set('code_challenge_method', 'S256')
      return url.href
    },

    async exchangeCode(exchange) {
      const redemption = redemptionOf(webClient(settings), exchange)
      const { tokenEndpoint } = await endpoints.kakao()
      const form = { ...redemption, code_verifier: exchange.codeVerifier }
      return askTokens(tokenEndpoint, { form })
    },

    async getIdentity({ accessToken }) {
      const { userinfoEndpoint } = await endpoints.kakao()
      return readIdentity(userinfoEndpoint, accessToken)
    },

    ...(settings.nativeAudiences.length > 0 && {
      verifyNativeIdToken: (idToken: string, given: NativeSignIn) =>
        readNativeIdentity(needs, idToken, given),
    }),

    verifyUnlinkNotification: (request) => verifyKakaoUnlink(request, adminKey),
  }
}

/**
 * The id token has an address, but doesn't say whether it is verified: only the look-up does
 * (A-298, A-301).
 */
async function readNativeIdentity(
  needs: KakaoNeeds,
  idToken: string,
  { nonce, accessToken }: NativeSignIn,
): Promise<ProviderIdentity> {
  const { issuer, jwksUri, userinfoEndpoint } = await needs.endpoints.kakao()
  const audiences = needs.settings.nativeAudiences
  const expected = { issuers: [issuer], audiences, nonce, jwksUri }
  const { sub, nickname } = await verifyIdToken(needs, idToken, expected)
  const name = textOf(nickname)
  const alone = { providerUserId: sub, isEmailVerified: false, ...(name !== undefined && { name }) }
  if (accessToken === undefined) return alone
  // A user has another number in every application, so a token for another application gives
  // another user here.
  return (await ownIdentity(sub, () => readIdentity(userinfoEndpoint, accessToken))) ?? alone
}

async function readIdentity(address: string, accessToken: string): Promise<ProviderIdentity> {
  const { status, json } = await askAsUser(address, accessToken)
  if (status !== 200) throw new ProviderRefusalError(`Kakao tells no user: ${status}`)
  const { id, kakao_account: given } = fieldsOf(json)
  const providerUserId = numberOf(id)
  if (providerUserId === undefined) throw new ProviderRefusalError('Kakao tells no id')
  const account = fieldsOf(given)
  const email = textOf(account['email'])
  const name = textOf(fieldsOf(account['profile'])['nickname'])
  // Not valid: another account at Kakao has the address now. Not verified: the user has not proved
  // that it is theirs.
  const isTheirs = account['is_email_valid'] === true && account['is_email_verified'] === true
  return {
    providerUserId,
    ...(email !== undefined && { email }),
    isEmailVerified: email !== undefined && isTheirs,
    ...(name !== undefined && { name }),
  }
}

// A user's number in an application of Kakao's is a Long.
const userIdPattern = /^[1-9]\d{0,18}$/
const reasonPattern = /^[A-Z_]{1,64}$/

/**
 * Kakao signs nothing: a request with the admin key is trusted.
 * https://developers.kakao.com/docs/latest/en/kakaologin/callback#unlink
 */
export function verifyKakaoUnlink(
  { headers, fields }: UnlinkRequest,
  adminKey: string | undefined,
): UnlinkNotification | null {
  if (!adminKey) return null
  if (!equal(headers.get('authorization') ?? '', `KakaoAK ${adminKey}`)) return null
  const providerUserId = onlyField(fields, 'user_id')
  if (!userIdPattern.test(providerUserId)) return null
  const reason = onlyField(fields, 'referrer_type')
  return { providerUserId, reason: reasonPattern.test(reason) ? reason : 'unlinked' }
}
