import { EnvironmentError, type EnvironmentSource } from '@svc/core'
import { readKeyring } from '../crypto/keyring.ts'
import { readProviderSettings } from '../openid/provider-settings.ts'
import { configuredTokenCipher } from './configure-oauth-token-cipher.ts'

/** What a provider gives the server after a sign-in on the web is stored encrypted, so there must be a way to. */
export function checkTokenEncryption(source: EnvironmentSource) {
  const onTheWeb = Object.entries(readProviderSettings(source)).filter(([, { web }]) => web)
  if (onTheWeb.length === 0 || readKeyring(source) || configuredTokenCipher()) return
  const providers = onTheWeb.map(([provider]) => provider).join(', ')
  throw new EnvironmentError([
    `SVC_AUTH_TOKEN_ENCRYPTION_KEYS is required for sign-in on the web with ${providers}`,
  ])
}
