import type { AuthApi, AuthSession } from '@svc/auth'
import { ApiUnreachableError, type HttpError } from '@svc/core/client'

type Consent = Awaited<ReturnType<AuthApi['getOAuth2Authorize']['call']>>

/** Which client asks for what. Every consent page has to show it. */
export interface ConsentFacts {
  /** What the client calls itself. It may be any text. */
  readonly clientName: string
  /** The host of the client's document, if its id is an address. */
  readonly clientHost?: string
  /**
   * Where the answer goes: a host, or the scheme of an app with its colon. The page must show it.
   */
  readonly redirectHost: string
  /** What the client may do, in words. */
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
  /** What the access is for: a path of this application, or an address elsewhere. */
  readonly resource: string
  /** Whose account it is. */
  readonly account: string
  /** For whom the user may allow it instead of themselves, such as an organization of theirs. */
  readonly owners: readonly { readonly id: string; readonly name: string }[]
  /** For whom the user has chosen to allow it. Without it, for themselves. */
  readonly owner?: ConsentFacts['owners'][number]
  /** Another application asks who the user is. If that is allowed, the page goes on without asking. */
  readonly signIn?: { readonly isAllowed: boolean }
}

/** `owner` is the id of the owner that the user has chosen. */
export function consentFacts(consent: Consent, session: AuthSession, owner?: string): ConsentFacts {
  const { clientId, clientName, redirectHost, scopes, resource, owners, signIn } = consent
  const clientHost = URL.parse(clientId)?.host
  const { email, phone, username, publicId } = session
  const account = email ?? phone ?? username ?? publicId
  const chosen = owners.find(({ id }) => id === owner)
  return {
    clientName,
    redirectHost,
    scopes,
    resource,
    account,
    owners,
    ...(clientHost && { clientHost }),
    ...(signIn && { signIn }),
    ...(chosen && { owner: chosen }),
  }
}

/** The API's reason to refuse the request, or null if it is another error. */
export function refusalOf(error: HttpError) {
  const isAway = error instanceof ApiUnreachableError || error.status === 429 || error.status >= 500
  if (isAway) return null
  // The protocol’s own member, in place of the envelope (RFC 6749, section 5.2).
  const { error_description: described } = error as { error_description?: unknown }
  return typeof described === 'string' ? described : error.message
}
