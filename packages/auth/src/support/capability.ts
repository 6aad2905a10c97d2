import { authOf } from '../auth.ts'
import { defineCapability } from '../capability/capability.ts'
import { forgetOperator } from '../keys/keys.ts'
import { supportActs } from './acts.ts'
import { supportContract } from './contract.ts'
import { endAll, endExpired, endSupportSession } from './end-session.ts'
import { endWithOperators } from './end-with-operators.ts'
import { consentOf, type SupportOptions, type SupportOwn } from './held.ts'
import { openSupportSession } from './open-session.ts'
import { supportCodes } from './schema.ts'
import { createSupportCode, forgetCodeOf, forgetCodes } from './support-code.ts'

export { consentOf, type SupportOptions } from './held.ts'

/** Lets operators act as the owner of an account for a while. Without options, every operation of it answers 404. */
export const supportCapability = (options?: SupportOptions) =>
  defineCapability(supportContract, {
    audit: supportActs,
    tables: { supportCodes },
    open: ({ server }): SupportOwn => ({
      consent: consentOf(options),
      callers: (keyId) => authOf(server).callers(keyId),
      stops: [],
    }),
    // Where it was on before, an operator must not go on for the rest of their hour.
    start: async (auth) =>
      auth.consent === undefined ? endAll(auth) : void auth.stops.push(...endWithOperators(auth)),
    close: ({ stops }) => {
      for (const stop of stops) stop()
    },
    isThere: ({ consent }, operation) =>
      operation === 'createSupportCode' ? consent === 'code' : consent !== undefined,
    handlers: {
      openSupportSession: ({ auth, caller, body, origin }) =>
        openSupportSession(auth, { caller, body, origin }),
      endSupportSession: async ({ auth, caller, body, origin, c }) => {
        await endSupportSession(auth, { caller, ...body, origin })
        return c.noContent()
      },
      createSupportCode: ({ auth, caller, origin }) => createSupportCode(auth, { caller, origin }),
    },
    account: {
      async sweep(db, now, auth) {
        await forgetCodes(db, now)
        await endExpired(auth, now)
      },
      async forget(tx, { userId }) {
        await forgetCodeOf(tx, userId)
        await forgetOperator(tx, userId)
      },
    },
  })
