import { defineRouter, NotFoundError, route, t } from '@svc/core'
import { authOf } from '../auth.ts'

const hourSeconds = 3600

/**
 * The other origins at which the relying party's passkeys may be used: a browser reads them from
 * the relying party's domain (WebAuthn Level 3, section 5.11). It is not an operation, and has no
 * caller.
 */
export const relatedOriginsRouter = defineRouter({
  relatedOrigins: route
    .get('/.well-known/webauthn')
    .skip(['auth'])
    .answer(t.Object({ origins: t.Array(t.String()) }))
    .errors(NotFoundError)
    .describe({ summary: 'Lists the origins that may use the passkeys of this domain.' })
    .handler((c) => {
      const { origins, relatedOrigins } = authOf(c.raw.server).relyingParty
      if (relatedOrigins.length === 0) throw new NotFoundError({ resource: 'document' })
      const ofWeb = origins.filter((origin) => origin.startsWith('https:'))
      return c.json({ origins: ofWeb }, 200, { 'cache-control': `public, max-age=${hourSeconds}` })
    }),
})
