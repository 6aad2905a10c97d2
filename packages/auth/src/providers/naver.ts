import { verifyIdToken } from '../openid/id-token.ts'
import {
  type NativeSignIn,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
} from '../openid/provider.ts'
import { askAsUser, ownIdentity } from './ask-as-user.ts'
import { askTokens } from './ask-tokens.ts'
import { codePage, redemptionOf } from './code-flow.ts'
import { verifyNaverUnlink } from './naver-unlink.ts'
import { isNaverUserId } from './naver-user-id.ts'
import { fieldsOf, textOf } from './provider-fields.ts'
import type { ProviderNeeds } from './provider-needs.ts'
import { webClient } from './web-client.ts'

/** https://developers.naver.com/docs/login/devguide/devguide.md */
export function createNaverProvider(needs: ProviderNeeds): OAuthProvider {
  const { settings, endpoints } = needs
  return {
    id: 'naver',
    web: settings.web !== null,

    // Without PKCE: Naver takes it where an id token is asked for, and nowhere else (3.4.2, 3.5.4).
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

/** The id token says who, and nothing more: the address takes the look-up. */
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
  // Ids are not shared between applications, so that a token for another one is somebody else's here (3.3.2).
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
    // Naver gives no address that it has not seen to be theirs.
    isEmailVerified: email !== undefined,
    ...(name !== undefined && { name }),
  }
}
