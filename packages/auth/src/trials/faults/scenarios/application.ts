import { randomBytes } from 'node:crypto'
import { defineRouter, defineServer, route } from '@svc/core'
import { allow } from '../../../application/application.ts'
import { authenticate } from '../../../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../../../lifecycle.ts'
import { openidEnv, openidOptions } from '../../../oauth2/testing/test-openid.ts'
import { type OAuthProvider, registerOAuthProvider } from '../../../providers/providers.ts'
import { authRouter } from '../../../router.ts'
import { addressProvider } from '../../test-provider.ts'

/** The provider of the scenarios, which also tells who took a consent back. */
export const provider: OAuthProvider = {
  ...addressProvider,
  verifyUnlinkNotification: ({ fields }) => ({
    providerUserId: fields.get('who') ?? '',
    reason: 'left',
  }),
}

/** What a program may do once its owner has approved it. */
export const wipePath = '/wipe'
const wipe = allow.approved(allow.anyKey)(route.post(wipePath).handler(() => ({})))

/** The application of the scenarios, in this process or in one of its own. */
export function stageDefinition() {
  registerOAuthProvider(provider)
  const scopes = { board: 'Read the board' }
  const registration = 'open' as const
  const { openid } = openidOptions.options.authorizationServer
  const authorizationServer = {
    scopes,
    resources: ['/mcp'],
    registration,
    deviceGrant: true,
    openid,
  }
  const templates = { 'new-device': null }
  return defineServer()
    .routes(defineRouter({ wipe }).packages([authRouter]).use([authenticate]))
    .lifecycle(
      createAuthLifecycle({
        authorizationServer,
        templates,
        deletion: { graceDays: 3 },
        support: { consent: 'code' },
      }),
    )
}

export const stageVariables = (): Record<string, string> => ({
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  ...openidEnv,
  SVC_AUTH_LINK_MAIL_DELIVERY: 'inline',
  SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the scenarios, long enough for any check',
  SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
  SVC_RATE_LIMIT: 'off',
})
