import { defineContract } from '../capability/contract.ts'
import { perMinute } from '../limits/limit.ts'
import * as accountErrors from './accounts/errors.ts'
import * as browserErrors from './browser/errors.ts'
import { browserOperations } from './browser/operations.ts'
import { linkOperations } from './linking/operations.ts'
import * as nativeErrors from './native/errors.ts'
import { NativeLoginResult, nativeOperations } from './native/operations.ts'
import { unlinkOperations } from './unlink/operations.ts'

/** Signing in with an account elsewhere: in a browser, in an app, and what is kept of it. */
export const socialContract = defineContract('social', {
  at: '/_auth',
  operations: { ...browserOperations, ...nativeOperations, ...unlinkOperations, ...linkOperations },
  types: { NativeLoginResult },
  errors: Object.values({ ...browserErrors, ...nativeErrors, ...accountErrors }),
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
  // Kakao takes no answer after 3 s: the rest is for the way.
  answersWithin: { unlinkNotify: 2000, unlinkNotifyByQuery: 2000 },
})
