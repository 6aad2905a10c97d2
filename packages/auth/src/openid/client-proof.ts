import type { ProviderMetadata } from './discovery.ts'

interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** How the server proves to a token endpoint who it is (RFC 6749, 2.3.1). */
export function clientProof(metadata: ProviderMetadata, { clientId, clientSecret }: Client) {
  if (clientSecret === undefined) return { form: { client_id: clientId }, headers: {} }
  const methods = metadata.tokenEndpointAuthMethods
  // What is not published means `client_secret_basic` (OpenID Connect Discovery 1.0, 3).
  if (methods.length > 0 && !methods.includes('client_secret_basic')) {
    return { form: { client_id: clientId, client_secret: clientSecret }, headers: {} }
  }
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  return { form: {}, headers: { authorization } }
}

function formEncoded(value: string) {
  return new URLSearchParams({ '': value }).toString().slice(1)
}
