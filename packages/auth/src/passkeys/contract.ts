import { ConflictError, ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract, LoginResult } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '../webauthn/fields.ts'
import * as errors from './errors.ts'
import {
  LastRecoveryCredentialError,
  PasskeyAlreadyRegisteredError,
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from './errors.ts'

/** A passkey as its owner sees it in a list. */
export const PasskeyItem = t.Object({
  passkeyId: t.String(),
  label: t.Optional(t.String()),
  deviceType: t.Union([t.Literal('singleDevice'), t.Literal('multiDevice')]),
  backedUp: t.Boolean(),
  transports: t.Array(t.String()),
  secondFactor: t.Boolean(),
  createdAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
})
export type PasskeyItem = OutputOf<typeof PasskeyItem>

export const longestLabel = 64
const label = t.String({ maxLength: longestLabel })
/** Any text. One that is not an id is no user's passkey. */
const passkeyId = t.String({ maxLength: 64 })

export const passkeyContract = defineContract('passkeys', {
  operations: {
    passkeyRegisterOptions: allow.freshForPasskeys(
      route
        .post('/_auth/passkeys/register/options')
        .input({ body: t.Object({ currentPassword }) })
        .answer(CreationOptions)
        .errors(ConflictError, ForbiddenError, ...ownerRefusals)
        .describe({
          summary: 'Returns the options to create a passkey for the account.',
        }),
    ),
    passkeyRegisterVerify: allow.freshForPasskeys(
      route
        .post('/_auth/passkeys/register/verify')
        .input({ body: t.Object({ response: RegistrationResponse, label: t.Optional(label) }) })
        .answer(PasskeyItem)
        .errors(
          PasskeyChallengeError,
          PasskeyVerificationError,
          PasskeyAlreadyRegisteredError,
          ConflictError,
          ForbiddenError,
          ...proofRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Adds the passkey that the authenticator created.' }),
    ),
    passkeyLoginOptions: allow.public('passkey login by address')(
      route
        .post('/_auth/passkeys/login/options')
        // A caller who sends an address gets a refusal: this operation takes none.
        .input({ body: t.Object({}, { additionalProperties: false }) })
        .answer(RequestOptions)
        .errors(...limitRefusals)
        .describe({ summary: 'Returns the options to sign in with a passkey.' }),
    ),
    passkeyLoginVerify: allow.public('passkey login by address')(
      route
        .post('/_auth/passkeys/login/verify')
        .input({ body: t.Object({ response: AuthenticationResponse, ...keyFields }) })
        .answer(LoginResult, 200, 202)
        .errors(
          PasskeyChallengeError,
          PasskeyVerificationError,
          AccountDisabledError,
          AccountPendingDeletionError,
          InvalidCredentialsError,
          ...keyRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Signs in with a passkey, and registers the device’s key.' }),
    ),
    listPasskeys: allow.bearer('owner only')(
      route
        .post('/_auth/passkeys/list')
        .input({ body: t.Object({}) })
        .answer(t.Object({ passkeys: t.Array(PasskeyItem) }))
        .describe({ summary: 'Lists the passkeys of the caller.' }),
    ),
    renamePasskey: allow.bearer('owner only')(
      route
        .post('/_auth/passkeys/rename')
        .input({ body: t.Object({ passkeyId, label }) })
        .answer(PasskeyItem)
        .errors(PasskeyNotFoundError)
        .describe({ summary: 'Renames a passkey.' }),
    ),
    revokePasskey: allow.freshForPasskeys(
      route
        .post('/_auth/passkeys/revoke')
        .input({ body: t.Object({ passkeyId, currentPassword }) })
        .answer(t.Object({ passkeyId: t.String() }))
        .errors(PasskeyNotFoundError, LastRecoveryCredentialError, ...ownerRefusals)
        .describe({ summary: 'Removes a passkey. It can no longer sign in.' }),
    ),
  },
  types: { AuthenticationResponse },
  errors: Object.values(errors),
  limits: {
    'passkey login by address': perMinute(20),
    'passkey change by account': perMinute(10),
  },
  browser: {
    passkeyLoginVerify: 'signs in',
  },
})
