import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { ProviderIdentity } from '../../../providers/providers.ts'
import { done } from '../../../test-answers.ts'
import type { TestAuth, TestKey, TestUser } from '../../../testing.ts'
import { proxyCookie, type TestBrowser, testBrowser } from '../../browser/testing/test-browser.ts'
import { somebody, type TestProvider } from '../../browser/testing/test-provider.ts'
import { socialAccounts } from '../schema.ts'

/** What tests do with accounts at providers that are linked to ours. */
export function linksOf(auth: TestAuth) {
  const { db } = auth.auth

  /** Signs in with a provider, on a new device. */
  async function enter(provider: TestProvider, identity: ProviderIdentity) {
    const browser = testBrowser(auth, provider)
    const { userId } = await done(browser.signIn(identity))
    return { userId: String(userId), key: browser.key }
  }

  const ask = (provider: Pick<TestProvider, 'id'>, key: TestKey, more: object = {}) =>
    auth.call('linkSocialAccount', { provider: provider.id, returnUrl: '/account', ...more }, key)

  /** A browser that a signed-in user was sent to a provider with. */
  async function sentToLink(provider: TestProvider, key: TestKey): Promise<TestBrowser> {
    const nonce = randomBytes(32).toString('base64url')
    const { authUrl } = await done(ask(provider, key, { nonce }))
    const browser = testBrowser(auth, provider)
    browser.authUrl = authUrl
    browser.cookies.set(proxyCookie, nonce)
    return browser
  }

  /** Adds an account at a provider to that of a user. */
  async function add(provider: TestProvider, { key }: Pick<TestUser, 'key'>, who = somebody()) {
    const browser = await sentToLink(provider, key)
    const arrived = await browser.arrive(who)
    if (arrived.failure !== null) throw new Error(arrived.failure)
    return { who, arrived }
  }

  /** A link as a sign-in with that provider leaves it, without one. */
  async function put(userId: string, { id: provider }: Pick<TestProvider, 'id'>, who: string) {
    const linkedAt = auth.clock.now()
    await db.insert(socialAccounts).values({ provider, providerUserId: who, userId, linkedAt })
  }

  async function linkOf(userId: string, { id }: Pick<TestProvider, 'id'>) {
    const own = and(eq(socialAccounts.userId, userId), eq(socialAccounts.provider, id))
    const [link] = await db.select().from(socialAccounts).where(own)
    return link ?? null
  }

  async function secretsOf(userId: string) {
    const own = eq(socialAccounts.userId, userId)
    const links = await db.select().from(socialAccounts).where(own)
    return links.flatMap(({ accessToken, refreshToken }) =>
      [accessToken ?? [], refreshToken ?? []].flat(),
    )
  }

  return {
    enter,
    ask,
    sentToLink,
    add,
    put,
    linkOf,
    secretsOf,
    remove: ({ key }: Pick<TestUser, 'key'>, { id }: Pick<TestProvider, 'id'>, more: object = {}) =>
      auth.call('unlinkSocialAccount', { provider: id, ...more }, key),
    list: async ({ key }: Pick<TestUser, 'key'>) =>
      (await auth.call('listSocialAccounts', {}, key)).body.accounts,
  }
}
