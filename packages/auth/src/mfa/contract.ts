import { ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { StepUpRequiredError } from '../caller/errors.ts'
import { allow, defineContract, KeyedLoginResult } from '../capability/contract.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { AuthenticationResponse, RequestOptions } from '../webauthn/fields.ts'
import * as errors from './errors.ts'
import {
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaUnavailableError,
  MfaVerificationFailedError,
} from './errors.ts'

const FactorProof = t.Object({
  code: t.Optional(t.String({ maxLength: 16 })),
  recoveryCode: t.Optional(t.String({ maxLength: 32 })),
  response: t.Optional(AuthenticationResponse),
})
/** Exactly one of them must be given. */
export type FactorProof = OutputOf<typeof FactorProof>

/** Whether the user has a second factor, its methods, and how many recovery codes are left. */
export const MfaStatus = t.Object({
  enrolled: t.Boolean(),
  methods: t.Array(t.Union([t.Literal('totp'), t.Literal('passkey')])),
  recoveryCodesRemaining: t.Integer(),
})
export type MfaStatus = OutputOf<typeof MfaStatus>

const RecoveryCodes = t.Object({ recoveryCodes: t.Array(t.String()) })
const challenge = t.String({ maxLength: 128 })

/**
 * The second factor: an authenticator app, a passkey that is marked as one, and codes for users who
 * have lost both.
 */
export const mfaContract = defineContract('mfa', {
  operations: {
    mfaStatus: allow.bearer('owner only')(
      route
        .get('/_auth/mfa/status')
        .answer(MfaStatus)
        .describe({ summary: 'Says whether the caller has a second factor, and which.' }),
    ),
    mfaStatusOfDevice: allow.bearer('owner only')(
      route
        .post('/_auth/mfa/status')
        .input({ body: t.Object({}) })
        .answer(MfaStatus)
        .inContract('auth.mfa.status', { proof: true })
        .describe({ summary: 'Does the same for a device that signs a body.' }),
    ),
    mfaTotpEnroll: allow.fresh(
      route
        .post('/_auth/mfa/totp/enroll')
        .input({ body: t.Object({ currentPassword }) })
        .answer(t.Object({ secret: t.String(), otpauthUri: t.String() }))
        .errors(MfaAlreadyEnrolledError, MfaUnavailableError, ...ownerRefusals)
        .describe({
          summary: 'Returns a secret for an authenticator app. Its first code confirms it.',
        }),
    ),
    mfaTotpConfirm: allow.fresh(
      route
        .post('/_auth/mfa/totp/confirm')
        .input({ body: t.Object({ code: t.String({ maxLength: 16 }) }) })
        .answer(RecoveryCodes)
        .errors(
          MfaVerificationFailedError,
          MfaAlreadyEnrolledError,
          MfaNotEnrolledError,
          MfaUnavailableError,
          ...proofRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Makes the authenticator app the second factor.' }),
    ),
    mfaDisable: allow.stepUp(
      route
        .post('/_auth/mfa/disable')
        .answer(t.Undefined(), 204)
        .errors(StepUpRequiredError, ...limitRefusals)
        .describe({ summary: 'Removes every second factor of the caller.' }),
    ),
    mfaMarkPasskey: allow.fresh(
      route
        .post('/_auth/mfa/passkey/mark')
        .input({
          body: t.Object({
            passkeyId: t.String({ maxLength: 64 }),
            secondFactor: t.Boolean(),
            currentPassword,
          }),
        })
        .answer(MfaStatus)
        .errors(PasskeyNotFoundError, MfaUnavailableError, ...ownerRefusals)
        .describe({ summary: 'Makes a passkey a second factor, or stops using it as one.' }),
    ),
    mfaRegenerateRecoveryCodes: allow.stepUp(
      route
        .post('/_auth/mfa/recovery/regenerate')
        .input({ body: t.Object({}) })
        .answer(RecoveryCodes)
        .errors(MfaNotEnrolledError, MfaUnavailableError, StepUpRequiredError, ...limitRefusals)
        .describe({ summary: 'Creates ten recovery codes. The old ones stop working.' }),
    ),
    mfaStepUpOptions: allow.bearer('owner only')(
      route
        .post('/_auth/mfa/step-up/options')
        .input({ body: t.Object({}) })
        .answer(RequestOptions)
        .errors(MfaNotEnrolledError, ForbiddenError, ...limitRefusals)
        .describe({ summary: 'Returns the options to step up with a passkey.' }),
    ),
    mfaStepUp: allow.bearer('owner only')(
      route
        .post('/_auth/mfa/step-up')
        .input({ body: FactorProof })
        .answer(t.Undefined(), 204)
        .errors(
          MfaVerificationFailedError,
          MfaNotEnrolledError,
          MfaUnavailableError,
          ForbiddenError,
          ...limitRefusals,
        )
        .describe({ summary: 'Proves the second factor on this device again.' }),
    ),
    mfaVerifyOptions: allow.public('second factor options by address')(
      route
        .post('/_auth/mfa/verify/options')
        .input({ body: t.Object({ challenge }) })
        .answer(RequestOptions)
        .errors(MfaVerificationFailedError, MfaNotEnrolledError, ...limitRefusals)
        .describe({
          summary: 'Returns the options to finish a sign-in with a passkey.',
        }),
    ),
    mfaVerify: allow.public('second factor by address')(
      route
        .post('/_auth/mfa/verify')
        .input({ body: t.Object({ challenge, ...FactorProof.properties }) })
        .answer(KeyedLoginResult)
        .errors(
          MfaVerificationFailedError,
          AccountDisabledError,
          AccountPendingDeletionError,
          MfaUnavailableError,
          ...limitRefusals,
        )
        .inContract('auth.mfa.verify', { proof: false })
        .describe({ summary: 'Finishes a sign-in that answered 202, and activates its key.' }),
    ),
  },
  types: { KeyedLoginResult, MfaStatus },
  errors: Object.values(errors),
  limits: {
    'second factor by address': perMinute(50),
    // When one of these is used up, the others still work. A passkey has no count: its response can't be guessed.
    'second factor sign-in by account': perMinute(10),
    'second factor step-up by account': perMinute(10),
    'second factor recovery code by account': perMinute(10),
    // A page asks for options as it opens: that must not use up the tries of a right proof.
    'second factor options by address': perMinute(50),
    'second factor sign-in options by account': perMinute(30),
    'second factor step-up options by account': perMinute(30),
    'second factor change by account': perMinute(10),
  },
  browser: {
    mfaVerifyOptions: 'asks for the second factor',
    mfaVerify: 'proves the second factor',
  },
})
