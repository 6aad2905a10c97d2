import { defineContract } from '../capability/contract.ts'
import { perMinute } from '../limits/contract.ts'
import { browserOperations } from './browser/contract.ts'
import * as errors from './errors.ts'
import { linkOperations, unlinkOperations } from './linking/contract.ts'
import { NativeLoginResult, nativeOperations } from './native/contract.ts'

export { SocialAccountItem } from './linking/contract.ts'

/** Signing in with an account elsewhere, in a browser or an app, and the linked accounts. */
export const socialContract = defineContract('social', {
  at: '/_auth',
  operations: { ...browserOperations, ...nativeOperations, ...unlinkOperations, ...linkOperations },
  types: { NativeLoginResult },
  errors: Object.values(errors),
  limits: {
    // Leaving for a provider, coming back and finishing.
    'oauth by address': perMinute(30),
    'native by address': perMinute(20),
    'native by target': perMinute(5),
    'unlink by address': perMinute(300),
    'social change by account': perMinute(10),
  },
  browser: {
    start: 'leaves for a provider',
    getGoogleOAuthUrl: 'leaves for a provider',
    getProviderOAuthUrl: 'leaves for a provider',
    linkSocialAccount: 'leaves to link',
    finalize: 'comes back from a provider',
    oauthNative: 'signs in',
  },
  // Kakao accepts no response after 3 s: the rest is for the network.
  answersWithin: { unlinkNotify: 2000, unlinkNotifyByQuery: 2000 },
})
