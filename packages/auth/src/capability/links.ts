import type { HandlerContext, Tx } from '@svc/core'
import type { AnyMail } from '@svc/notification'
import type { RequestOrigin } from '../caller/caller.ts'
import type { Service } from './provided.ts'

/** The values that the mail of a link gets. The mail's schema takes both. */
export interface LinkFacts {
  /** The page with the token in its query. */
  readonly url: string
  readonly expiresInMinutes: number
}

/** A link that is mailed, and works once. */
export interface LinkPlan<Env = Service['env']> {
  /** How long the link is valid. */
  readonly minutes: number | ((env: Env) => number)
  /** The page of the web app that it opens. */
  readonly page: `/${string}` | ((env: Env) => string)
  /**
   * The recipient. For an account, this is only its proven address. Without a recipient nothing is
   * mailed, and neither the response nor its time reveals that.
   */
  readonly to: 'account at address' | 'any address'
  /**
   * A mail that takes `LinkFacts`. It is sent at once and never stored, because the token is in it.
   */
  readonly mail: AnyMail
}

interface Order {
  readonly origin: RequestOrigin
  /** The request, for its language. */
  readonly c: Pick<HandlerContext, 'raw'>
  /** A path inside the app, for the page that uses the link. */
  readonly returnPath?: string | undefined
  /** What the client has sent against abuse: the response to a captcha, or work. */
  readonly proofs?: { readonly proof?: string | undefined; readonly work?: string | undefined }
}

/** A link that is being used. */
export interface SpentLink {
  readonly address: string
  /** The account and its generation when the link was mailed; null for a link to any address. */
  readonly account: { readonly userId: string; readonly generation: number } | null
  readonly returnPath: string | null
}

/** The mailed links of a capability, by the purposes that it declares in `links`. */
export interface Links<Purpose extends string = string> {
  /** Records that a link is wanted. The work and the response are the same for every address. */
  order(
    purpose: Purpose,
    address: string,
    order: Order,
  ): Promise<{ success: true; expiresAt: string }>
  /**
   * Spends a link in a transaction with what it is for: of any number at once, one gets it, and where `use` throws it is
   * good as before. Null for a link that is unknown, used, replaced, expired or ended by a sign-out of all devices.
   */
  spend<Result>(
    purpose: Purpose,
    token: string,
    use: (tx: Tx, link: SpentLink) => Promise<Result>,
  ): Promise<Result | null>
}
