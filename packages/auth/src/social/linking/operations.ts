import { ForbiddenError, NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { allow } from '../../capability/access.ts'
import { currentPassword, ownerRefusals } from '../../fresh-proof/owner-proof.ts'
import { LastRecoveryCredentialError } from '../../passkeys/errors.ts'
import { SocialAccountAlreadyLinkedError, SocialAccountNotLinkedError } from '../accounts/errors.ts'
import { WebSignInUnsupportedError } from '../browser/errors.ts'
import { AuthorizationUrl, returnUrl } from '../browser/operations.ts'

/** An account elsewhere, as the owner of ours sees it in a list. */
export const SocialAccountItem = t.Object({
  provider: t.String(),
  linkedAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
})
export type SocialAccountItem = OutputOf<typeof SocialAccountItem>

const provider = t.String({ maxLength: 32 })

export const linkOperations = {
  listSocialAccounts: allow.bearer(
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
