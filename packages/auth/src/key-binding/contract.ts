import { ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import { allow, defineContract, KeyedLoginResult } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import {
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from '../passkeys/errors.ts'
import { AuthenticationResponse, RequestOptions } from '../webauthn/fields.ts'
import { SessionRenewalRefusedError } from './errors.ts'

const SessionRole = t.Object({
  name: t.String(),
  displayName: t.String(),
  priority: t.Integer(),
})

const AuthSession = t.Object({
  userId: t.String(),
  publicId: t.String(),
  email: t.Optional(t.String()),
  emailVerified: t.Boolean(),
  phone: t.Optional(t.String()),
  phoneVerified: t.Boolean(),
  username: t.Optional(t.String()),
  locale: t.String(),
  status: t.String(),
  hasPassword: t.Boolean(),
  passwordChangeRequired: t.Boolean(),
  role: SessionRole,
  roles: t.Array(SessionRole, { description: 'All active roles, the highest priority first.' }),
  permissions: t.Array(t.String()),
  keyId: t.String(),
  keyExpiresAtMillis: t.Optional(t.Integer()),
  actor: t.Optional(
    t.String({ description: 'In a support session, the user id of the operator.' }),
  ),
  supportConsent: t.Optional(
    t.Union([t.Literal('none'), t.Literal('code')], {
      description: 'Where support sessions are on: what an operator needs of the owner.',
    }),
  ),
})
/** The signed-in user, and what they may do: the response of `getAuthSession`. */
export type AuthSession = OutputOf<typeof AuthSession>

const SessionBinding = t.Object({
  mode: t.Union([t.Literal('passkey'), t.Literal('none')]),
  keyExpiresAtMillis: t.Optional(t.Integer()),
})
/** Whether a session needs a passkey to continue, and when it expires. */
export type SessionBinding = OutputOf<typeof SessionBinding>

const expiredKeyId = t.String({ maxLength: 64 })

export const sessionContract = defineContract('session', {
  operations: {
    getAuthSession: allow.anyKey('support too')(
      route
        .get('/_auth/session')
        .answer(AuthSession)
        .describe({ summary: 'Returns the signed-in user, and what they may do.' }),
    ),
    getSessionBinding: allow.bearer('owner only')(
      route.get('/_auth/session/binding').answer(SessionBinding).describe({
        summary: 'Says whether this session needs a passkey to continue, and when it expires.',
      }),
    ),
    setSessionBinding: allow.freshForSome(
      route
        .post('/_auth/session/binding')
        .input({
          body: t.Object({
            mode: SessionBinding.properties.mode,
            response: t.Optional(AuthenticationResponse),
            currentPassword,
          }),
        })
        .answer(SessionBinding)
        .errors(
          PasskeyNotFoundError,
          PasskeyChallengeError,
          PasskeyVerificationError,
          ForbiddenError,
          ...ownerRefusals,
        )
        .describe({
          summary: 'Binds this session to the passkeys of the caller, or ends the binding.',
        }),
    ),
    sessionBindingDisableOptions: allow.bearer('owner only')(
      route
        .post('/_auth/session/binding/disable/options')
        .input({ body: t.Object({}) })
        .answer(RequestOptions)
        .errors(PasskeyNotFoundError, ForbiddenError, ...limitRefusals)
        .describe({ summary: 'Returns the passkey options to end a binding.' }),
    ),
    sessionRenewOptions: allow.public('session renewal by address')(
      route
        .post('/_auth/session/renew/options')
        .input({ body: t.Object({ expiredKeyId }) })
        .answer(RequestOptions)
        .errors(SessionRenewalRefusedError, ...limitRefusals)
        .describe({ summary: 'Returns the passkey options to renew a bound session.' }),
    ),
    sessionRenewVerify: allow.public('session renewal by address')(
      route
        .post('/_auth/session/renew/verify')
        .input({ body: t.Object({ expiredKeyId, response: AuthenticationResponse, ...keyFields }) })
        .answer(KeyedLoginResult, 200, 202)
        .errors(
          SessionRenewalRefusedError,
          AccountDisabledError,
          AccountPendingDeletionError,
          ...keyRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Replaces an expired key of a bound session with a new one.' }),
    ),
  },
  errors: [SessionRenewalRefusedError],
  limits: {
    'session binding by account': perMinute(10),
    'session renewal by address': perMinute(10),
  },
  browser: {
    setSessionBinding: 'binds the session',
    sessionRenewOptions: 'asks to renew the session',
    sessionRenewVerify: 'renews the session',
  },
})
