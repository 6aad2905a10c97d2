import {
  askAsUser,
  askTokens,
  codePage,
  fieldsOf,
  numberOf,
  type ProviderNeeds,
  redemptionOf,
  textOf,
} from './code-flow.ts'
import { type OAuthProvider, type ProviderIdentity, ProviderRefusalError } from './provider.ts'
import { webClient } from './provider-settings.ts'

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export function createGithubProvider({
  settings,
  endpoints,
}: Pick<ProviderNeeds, 'settings' | 'endpoints'>): OAuthProvider {
  return {
    id: 'github',
    web: settings.web !== null,

    getAuthUrl(request) {
      const client = webClient(settings)
      const url = codePage(endpoints.github().authorizationEndpoint, client, request)
      url.searchParams.set('scope', client.scopes.join(' '))
      url.searchParams.set('code_challenge', request.codeChallenge)
      url.searchParams.set('code_challenge_method', 'S256')
      return url.href
    },

    exchangeCode(exchange) {
      const redemption = redemptionOf(webClient(settings), exchange)
      const { tokenEndpoint } = endpoints.github()
      const form = { ...redemption, code_verifier: exchange.codeVerifier }
      return askTokens(tokenEndpoint, { form })
    },

    getIdentity({ accessToken }) {
      return readIdentity(endpoints.github().apiUrl.replace(/\/$/, ''), accessToken)
    },
  }
}

async function readIdentity(apiUrl: string, accessToken: string): Promise<ProviderIdentity> {
  const [user, emails] = await Promise.all([
    askAsUser(`${apiUrl}/user`, accessToken),
    // A page has 100 at most, and that is more than users have.
    askAsUser(`${apiUrl}/user/emails?per_page=100`, accessToken),
  ])
  if (user.status !== 200) throw new ProviderRefusalError(`GitHub tells no user: ${user.status}`)
  const { id, name, email } = fieldsOf(user.json)
  const providerUserId = numberOf(id)
  if (providerUserId === undefined) throw new ProviderRefusalError('GitHub tells no id')
  const shown = textOf(name)
  return {
    providerUserId,
    ...readEmail(emails, textOf(email)),
    ...(shown !== undefined && { name: shown }),
  }
}

/**
 * The primary one of the list. Without the scope for the list, the one that the profile shows,
 * which GitHub hasn't verified.
 */
function readEmail({ status, json }: { status: number; json: unknown }, shown?: string) {
  if (status === 403 || status === 404) return emailOf(shown, false)
  if (status !== 200 || !Array.isArray(json)) {
    throw new ProviderRefusalError(`GitHub tells no addresses: ${status}`)
  }
  const primary = json.map(fieldsOf).find((each) => each['primary'] === true)
  return emailOf(textOf(primary?.['email']), primary?.['verified'] === true)
}

// No mail arrives there.
const noReply = '@users.noreply.github.com'

function emailOf(email: string | undefined, isVerified: boolean) {
  const isThere = email !== undefined && !email.toLowerCase().endsWith(noReply)
  return isThere ? { email, isEmailVerified: isVerified } : { isEmailVerified: false }
}
