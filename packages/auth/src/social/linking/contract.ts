import {
  ForbiddenError,
  NotFoundError,
  type OutputOf,
  route,
  t,
  UnauthorizedError,
} from '@svc/core/contract'
import { allow } from '../../capability/contract.ts'
import { currentPassword, ownerRefusals } from '../../fresh-proof/contract.ts'
import { limitRefusals } from '../../limits/contract.ts'
import { LastRecoveryCredentialError } from '../../passkeys/errors.ts'
import { AuthorizationUrl, returnUrl } from '../browser/contract.ts'
import {
  SocialAccountAlreadyLinkedError,
  SocialAccountNotLinkedError,
  WebSignInUnsupportedError,
} from '../errors.ts'

/** An account elsewhere, as its user here sees it in a list. */
export const SocialAccountItem = t.Object({
  provider: t.String(),
  linkedAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
})
export type SocialAccountItem = OutputOf<typeof SocialAccountItem>

const provider = t.String({ maxLength: 32 })

export const linkOperations = {
  listSocialAccounts: allow.bearer('owner only')(
    route
      .post('/_auth/social/list')
      .input({ body: t.Object({}) })
      .answer(t.Object({ accounts: t.Array(SocialAccountItem) }))
      .describe({ summary: 'The accounts elsewhere that sign in to the caller’s.' }),
  ),
  linkSocialAccount: allow.fresh(
    route
      .post('/_auth/social/link')
      .input({
        body: t.Object({
          provider,
          returnUrl,
          nonce: t.Optional(t.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
          currentPassword,
        }),
      })
      .answer(AuthorizationUrl)
      .errors(
        NotFoundError,
        ForbiddenError,
        WebSignInUnsupportedError,
        SocialAccountAlreadyLinkedError,
        ...ownerRefusals,
      )
      .describe({ summary: 'Where to send the browser, to add an account elsewhere as a way in.' }),
  ),
  unlinkSocialAccount: allow.fresh(
    route
      .post('/_auth/social/unlink')
      .input({ body: t.Object({ provider, currentPassword }) })
      .answer(t.Object({ provider: t.String() }))
      .errors(SocialAccountNotLinkedError, LastRecoveryCredentialError, ...ownerRefusals)
      .describe({ summary: 'Takes an account elsewhere away: it signs in no more.' }),
  ),
}

const params = t.Object({
  provider: t.String({ description: 'The id of a provider, such as `google`.' }),
})
/** A `Response` without a body, with the status that the provider requires. */
const empty = t.Unsafe<unknown>({ type: 'undefined' })
const itsOwn =
  'Which fields a notice has, how it is signed, and which 2xx answers it, is for the provider to say.'
const refusals = [NotFoundError, UnauthorizedError, ...limitRefusals] as const

/**
 * A provider calls it when a user withdraws their consent there. It authenticates by its own
 * signature.
 */
export const unlinkOperations = {
  unlinkNotifyByQuery: allow.public('unlink by address')(
    route
      .get('/_auth/oauth/:provider/unlink-notify')
      .input({ params })
      .answer(empty)
      .errors(...refusals)
      .describe({
        summary: 'A provider tells that an account of its own is not to sign in any more.',
        description: itsOwn,
      }),
  ),
  unlinkNotify: allow.public('unlink by address')(
    route
      .post('/_auth/oauth/:provider/unlink-notify')
      .input({ params })
      .answer(empty)
      .errors(...refusals)
      .describe({ summary: 'The same, with its fields in a form.', description: itsOwn }),
  ),
}
