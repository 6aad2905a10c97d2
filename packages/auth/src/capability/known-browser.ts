import { t } from '@svc/core/contract'
import { knownBrowserHeader } from '../caller/contract.ts'

/** Taken by every operation at which a stranger's tries are counted for an account. */
export const knownBrowserInput = t.Object({
  [knownBrowserHeader]: t.Optional(
    t.String({
      description: 'What `knownBrowser` of earlier sign-ins was, with commas between. Optional.',
    }),
  ),
})

/** In the answer to a sign-in: a token that shows later that this account has signed in here. It is no credential. */
export const knownBrowser = t.Optional(t.String())
