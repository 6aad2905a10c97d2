import { defineCapability, type Opening } from '../capability/capability.ts'
import { readRedirectUris } from '../openid/redirect-uris.ts'
import { createBuiltinProviders } from '../providers/built-in.ts'
import { checkTokenEncryption } from '../providers/check-token-encryption.ts'
import { readEndpoints } from '../providers/endpoints.ts'
import { reportHalfSet } from '../providers/report-half-set.ts'
import { countLinked } from './accounts/count-linked.ts'
import { exportSocialAccounts } from './accounts/export-social-accounts.ts'
import { deleteLinksOf } from './accounts/forget-links.ts'
import { socialAccounts } from './accounts/schema.ts'
import { forgetEveryPending, forgetPending, forgetPendingOf } from './browser/forget-pending.ts'
import { browserHandlers } from './browser/handlers.ts'
import { listProviders } from './browser/list-providers.ts'
import { oauthPending } from './browser/schema.ts'
import { stateKey } from './browser/state.ts'
import { socialContract } from './contract.ts'
import type { Opened } from './held.ts'
import { linkHandlers } from './linking/handlers.ts'
import { nativeHandlers } from './native/handlers.ts'
import { readResultPages } from './result-pages.ts'
import { unlinkHandlers } from './unlink/handlers.ts'

function openSocial({ service, source }: Opening<object>): Opened {
  reportHalfSet(source, service)
  return {
    providers: createBuiltinProviders(source, service),
    redirectUris: readRedirectUris(source),
    stateKey: stateKey(service.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET),
    resultPages: readResultPages(source),
  }
}

export const socialCapability = defineCapability(socialContract, {
  tables: { oauthPending, socialAccounts },
  check: [checkTokenEncryption, readResultPages, readEndpoints],
  open: openSocial,
  handlers: { ...browserHandlers, ...nativeHandlers, ...unlinkHandlers, ...linkHandlers },
  account: {
    export: { socialAccounts: (db, { userId }) => exportSocialAccounts(db, userId) },
    sweep: forgetPending,
    async forget(tx, { userId }) {
      await forgetPendingOf(tx, userId)
      await deleteLinksOf(tx, userId)
    },
    endUnderWay: async (db) => ({ signIns: await forgetEveryPending(db) }),
    waysIn(tx, { userId }, auth) {
      const signingIn = listProviders(auth).providers.map(({ id }) => id)
      return countLinked(tx, userId, signingIn)
    },
  },
})
