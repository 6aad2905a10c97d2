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
      .describe({ summary: 'Lists the linked accounts of the caller.' }),
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
      .describe({
        summary: 'Returns the address to send the browser to, to link an account of a provider.',
      }),
  ),
  unlinkSocialAccount: allow.fresh(
    route
      .post('/_auth/social/unlink')
      .input({ body: t.Object({ provider, currentPassword }) })
      .answer(t.Object({ provider: t.String() }))
      .errors(SocialAccountNotLinkedError, LastRecoveryCredentialError, ...ownerRefusals)
      .describe({ summary: 'Unlinks an account of a provider. It can no longer sign in.' }),
  ),
}

const params = t.Object({
  provider: t.String({ description: 'The id of a provider, such as `google`.' }),
})
/** A `Response` without a body, with the status that the provider requires. */
const empty = t.Unsafe<unknown>({ type: 'undefined' })
const itsOwn = 'The provider defines its fields, its signature and the status.'
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
        summary: 'Takes the notice of a provider that one of its accounts must no longer sign in.',
        description: itsOwn,
      }),
  ),
  unlinkNotify: allow.public('unlink by address')(
    route
      .post('/_auth/oauth/:provider/unlink-notify')
      .input({ params })
      .answer(empty)
      .errors(...refusals)
      .describe({ summary: 'Does the same, with the fields in a form.', description: itsOwn }),
  ),
}
