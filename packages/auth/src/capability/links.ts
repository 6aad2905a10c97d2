import type { HandlerContext, Tx } from '@svc/core'
import type { AnyMail } from '@svc/notification'
import type { RequestOrigin } from '../caller/caller.ts'
import type { Service } from './provided.ts'

/** What the mail of a link is given. The mail's schema takes both. */
export interface LinkFacts {
  /** The page with the token in its query. */
  readonly url: string
  readonly expiresInMinutes: number
}

/** A link that is mailed, and does one thing once. */
export interface LinkPlan<Env = Service['env']> {
  /** How long it can be used. */
  readonly minutes: number | ((env: Env) => number)
  /** The page of the web app that it opens. */
  readonly page: `/${string}` | ((env: Env) => string)
  /**
   * The recipient. Of an account, only its proven address. Without one, nothing is mailed, and
   * neither the answer nor its time tells.
   */
  readonly to: 'account at address' | 'any address'
  /** A mail that takes `LinkFacts`. It is sent at once and kept nowhere, because the token is in it. */
  readonly mail: AnyMail
}

interface Order {
  readonly origin: RequestOrigin
  /** Of the request, for its language. */
  readonly c: Pick<HandlerContext, 'raw'>
  /** A path inside the app, for the page that spends the link. */
  readonly returnPath?: string | undefined
  /** What the client has sent against abuse: the answer of a captcha, or work. */
  readonly proofs?: { readonly proof?: string | undefined; readonly work?: string | undefined }
}

/** A link that is being spent. */
export interface SpentLink {
  readonly address: string
  /** The account and its generation when the link was mailed; null for a link to any address. */
  readonly account: { readonly userId: string; readonly generation: number } | null
  readonly returnPath: string | null
}

export interface Links<Purpose extends string = string> {
  /** Writes down that a link is wanted. The work and the answer are the same for every address. */
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
