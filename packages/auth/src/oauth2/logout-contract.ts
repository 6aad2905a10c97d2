import { type OutputOf, route, t } from '@svc/core/contract'
import { OAuth2Error } from './errors.ts'

const LogoutFacts = t.Object({
  clientName: t.Optional(t.String()),
  /** The `publicId` of the user whom the application means. */
  sub: t.Optional(t.String()),
  /** Where the user goes then: an address that the client lists. */
  redirectTo: t.Optional(t.String()),
  redirectHost: t.Optional(t.String()),
})
/** Who asks to sign a user out, and where the user goes then. */
export type LogoutFacts = OutputOf<typeof LogoutFacts>

const request = t.String({
  maxLength: 16_384,
  description: 'What the redirect has put into the address of the page.',
})

/** What the page of a logout reads. It is no operation: the user may be signed out already. */
export const logoutContract = {
  describeOpenidLogout: route
    .get('/_auth/oauth2/logout/request')
    .input({ query: t.Object({ request }) })
    .errors(OAuth2Error)
    .describe({ summary: 'Says who asks to sign a user out, for the page that asks the user.' })
    .answer(LogoutFacts),
}
/** For `createServerApi`: what the page of a logout reads. */
export type LogoutContract = typeof logoutContract
