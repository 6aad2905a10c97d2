import {
  Events,
  type MutableRedirectUri,
  type MutableResponse,
  type OAuth2Service,
  type TokenRequestIncomingMessage,
} from 'oauth2-mock-server'

interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

/** Makes the token endpoint as strict as those of providers; what PKCE says, it checks by itself. */
export function strictTokenEndpoint(service: OAuth2Service, client: Client) {
  const redirectUris = new Map<string, string>()
  const refreshTokens = new Set<unknown>()

  service.on(Events.BeforeAuthorizeRedirect, ({ url }: MutableRedirectUri) => {
    const code = url.searchParams.get('code')
    if (code !== null) redirectUris.set(code, `${url.origin}${url.pathname}`)
  })

  service.on(
    Events.BeforeResponse,
    (response: MutableResponse, request: TokenRequestIncomingMessage) => {
      const form: Record<string, unknown> = { ...request.body }
      const error = problemWith(form, request.headers.authorization)
      if (error) Object.assign(response, { statusCode: 400, body: { error } })
      else if (response.body) refreshTokens.add(response.body['refresh_token'])
    },
  )

  function problemWith(form: Record<string, unknown>, authorization: string | undefined) {
    if (!isClient(form, authorization, client)) return 'invalid_client'
    if (form['grant_type'] === 'refresh_token') {
      return refreshTokens.has(form['refresh_token']) ? null : 'invalid_grant'
    }
    const code = String(form['code'])
    const isRedeemable =
      typeof form['code_verifier'] === 'string' && redirectUris.get(code) === form['redirect_uri']
    // A code can be used once, with any outcome.
    redirectUris.delete(code)
    return isRedeemable ? null : 'invalid_grant'
  }
}

function isClient(
  form: Record<string, unknown>,
  authorization: string | undefined,
  { clientId, clientSecret }: Client,
) {
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  if (authorization !== undefined) return authorization === basic
  return form['client_id'] === clientId && form['client_secret'] === clientSecret
}
