import { randomUUID } from 'node:crypto'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { testBrowser } from '../../social/browser/testing/test-browser.ts'
import { somebody, testProvider } from '../../social/browser/testing/test-provider.ts'
import { showingTo } from '../../social/native/testing/test-native.ts'
import { getProviderAccessToken } from '../../social/social.ts'
import { done } from '../../test-answers.ts'
import { createTestKey } from '../../testing.ts'
import type { Application } from './application.ts'

const unlinkSecret = `unlink-${randomUUID()}`

/** Its tokens run out at once, so that they are renewed too. */
export function hunted() {
  const given = testProvider('hunted', {
    refreshTokens: async () => {
      const accessToken = `renewed-${randomUUID()}`
      given.secrets.push(accessToken)
      return { accessToken, expiresInSeconds: 3600 }
    },
    verifyUnlinkNotification: ({ headers, fields }) =>
      headers.get('authorization') === `Bearer ${unlinkSecret}`
        ? { providerUserId: fields.get('sub') ?? '', reason: 'unlinked' }
        : null,
  })
  given.secrets.push(unlinkSecret)
  return given
}

type Provider = ReturnType<typeof hunted>

const known = () => somebody({ email: `${randomUUID()}@example.com` })

async function inBrowser(app: Application, provider: Provider) {
  await done(app.call('providers'))
  const withKey = testBrowser(app, provider)
  const { userId } = await done(withKey.signIn(known()))
  app.clock.advance('3600s')
  await getProviderAccessToken(provider.id, String(userId))

  const starting = testBrowser(app, provider)
  await done(starting.start())
  await starting.arrive(known())
  await done(starting.finalize())

  const following = testBrowser(app, provider)
  await following.follow()
  const consent = following.consent(known())
  await following.comeBack({ ...consent })
  await done(following.finalize())
  await following.finalize()
  await following.comeBack({ ...consent })

  const { registration } = await createTestKey()
  await done(app.call('getGoogleOAuthUrl', { returnUrl: '/', nonce: nonce(), ...registration }))
  const params = { provider: provider.id }
  await app.call('getProviderOAuthUrl', { returnUrl: '//evil.example' }, undefined, { params })
}

const nonce = () => randomUUID().replaceAll('-', '').padEnd(43, '0')

async function inApp(app: Application) {
  const key = await createTestKey()
  app.openid.setUser({
    sub: randomUUID(),
    email: `${randomUUID()}@example.com`,
    email_verified: true,
  })
  const idToken = await app.openid.issueIdToken({ nonce: key.registration.fingerprint })
  const show = showingTo(app)
  await done(show('google', key, { idToken }))
  await show('google', await createTestKey(), { idToken })
}

async function beside(app: Application, provider: Provider) {
  const links = linksOf(app)
  const user = await app.signedInUser()
  const { who } = await links.add(provider, user)
  await links.list(user)
  const path = `/_auth/oauth/${provider.id}/unlink-notify?sub=${who.providerUserId}`
  for (const secret of [unlinkSecret, `${unlinkSecret}x`]) {
    for (const method of ['GET', 'POST']) {
      await app.fetch(path, { method, headers: { authorization: `Bearer ${secret}` } })
    }
  }
}

export async function comeFromProviders(app: Application, provider: Provider) {
  await inBrowser(app, provider)
  await inApp(app)
  await beside(app, provider)
}
