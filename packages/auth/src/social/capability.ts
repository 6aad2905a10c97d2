import { defineCapability, type Opening } from '../capability/capability.ts'
import {
  checkTokenEncryption,
  configuredTokenCipher,
  createProviders,
  type OAuthProvider,
  type OAuthTokenCipher,
  readEndpoints,
  readRedirectUris,
  reportHalfSet,
} from '../providers/providers.ts'
import {
  countLinked,
  deleteLinksOf,
  exportSocialAccounts,
  findLinked,
  socialAccounts,
} from './accounts/accounts.ts'
import { socialActs } from './acts.ts'
import {
  browserHandlers,
  forgetEveryPending,
  forgetPending,
  forgetPendingOf,
  listProviders,
  oauthPending,
  stateKey,
} from './browser/browser.ts'
import { socialContract } from './contract.ts'
import { type Opened, readResultPages } from './held.ts'
import { dropLinksSince, linkHandlers, unlinkHandlers } from './linking/linking.ts'
import { nativeHandlers } from './native/native.ts'

/** How an application configures signing in with an account elsewhere. */
export interface SocialOptions {
  /** Further providers, or replacements for built-in ones with the same id. */
  providers?: readonly OAuthProvider[]
  /**
   * Encrypts the tokens of providers by other means than `SVC_AUTH_TOKEN_ENCRYPTION_KEYS`, such as
   * a key service.
   */
  tokenCipher?: OAuthTokenCipher
}

const openWith =
  ({ providers, tokenCipher }: SocialOptions) =>
  ({ service, source }: Opening<object>): Opened => {
    reportHalfSet(source, service)
    return {
      providers: createProviders(source, service, providers),
      tokenCipher: () => tokenCipher ?? configuredTokenCipher(),
      redirectUris: readRedirectUris(source),
      stateKey: stateKey(service.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET),
      resultPages: readResultPages(source),
    }
  }

export const socialCapability = (options: SocialOptions = {}) =>
  defineCapability(socialContract, {
    audit: socialActs,
    tables: { oauthPending, socialAccounts },
    check: [checkTokenEncryption(options.tokenCipher), readResultPages, readEndpoints],
    open: openWith(options),
    handlers: { ...browserHandlers, ...nativeHandlers, ...unlinkHandlers, ...linkHandlers },
    account: {
      export: { socialAccounts: (db, { userId }) => exportSocialAccounts(db, userId) },
      sweep: forgetPending,
      async forget(tx, { userId }) {
        await forgetPendingOf(tx, userId)
        await deleteLinksOf(tx, userId)
      },
      endUnderWay: async (db) => ({ signIns: await forgetEveryPending(db) }),
      linked: findLinked,
      issuerOf: (id, { providers }) => providers.find(id)?.issuer,
      dropDoubted: (tx, doubted) => dropLinksSince(tx, doubted),
      waysIn(tx, { userId }, auth) {
        const signingIn = listProviders(auth).providers.map(({ id }) => id)
        return countLinked(tx, userId, signingIn)
      },
    },
  })
