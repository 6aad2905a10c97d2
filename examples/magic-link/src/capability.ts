import { answerSignIn, defineCapability, normaliseEmail } from '@svc/auth/server'
import { magicLink } from './contract.ts'
import { magicLinkActs } from './held.ts'
import { signInMail } from './mail.ts'
import { signIns } from './schema.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { exportSignIns, forgetOldSignIns, forgetSignIns } from './store.ts'

export interface MagicLinkOptions {
  /** How long a link can be used. 15 minutes unless set. */
  minutes?: number
  /** The page of the web app that it opens. `/magic-link` unless set. */
  page?: `/${string}`
}

/** Signing in by a mailed link. */
export const magicLinkCapability = ({
  minutes = 15,
  page = '/magic-link',
}: MagicLinkOptions = {}) =>
  defineCapability(magicLink, {
    tables: { signIns },
    migrations: new URL('../migrations/', import.meta.url),
    audit: magicLinkActs,
    links: { sign_in: { minutes, page, to: 'account at address', mail: signInMail } },
    handlers: {
      async requestMagicLink({ auth, body: { email, returnPath, ...proofs }, origin, c }) {
        await auth.limits.take('magic link request by target', normaliseEmail(email))
        return auth.links.order('sign_in', email, { origin, c, returnPath, proofs })
      },
      async signInByMagicLink({ auth, body, origin, c }) {
        return answerSignIn(c, await signInByLink(auth, body, origin))
      },
    },
    account: {
      export: { magicLinkSignIns: exportSignIns },
      forget: forgetSignIns,
      sweep: forgetOldSignIns,
    },
  })
