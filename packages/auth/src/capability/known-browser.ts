import { t } from '@svc/core/contract'
import { knownBrowserHeader } from '../caller/contract.ts'

/** A member of every operation at which attempts by strangers are counted for an account. */
export const knownBrowserInput = t.Object({
  [knownBrowserHeader]: t.Optional(
    t.String({
      description: 'The `knownBrowser` values of earlier sign-ins, separated by commas. Optional.',
    }),
  ),
})

/**
 * In the response to a sign-in: a token that later shows that this account has signed in here. It
 * is not a credential.
 */
export const knownBrowser = t.Optional(t.String())
