import { ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { StepUpRequiredError } from '../caller/errors.ts'
import { allow, defineContract, knownBrowserInput } from '../capability/contract.ts'
import { InvalidVerificationCodeError } from '../codes/errors.ts'
import { passwordLimits } from '../fresh-proof/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import {
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from '../passkeys/errors.ts'
import { AuthenticationResponse, RequestOptions } from '../webauthn/fields.ts'

const RecentProof = t.Object({
  password: t.Optional(t.String({ maxLength: 1024 })),
  passkey: t.Optional(AuthenticationResponse),
  code: t.Optional(t.String({ maxLength: 32 })),
})
/** Exactly one of them must be given. */
export type RecentProof = OutputOf<typeof RecentProof>

/** Proving the user again on this device, without another device or key. */
export const recentProofContract = defineContract('recent-proof', {
  at: '/_auth/recent',
  operations: {
    proveRecentOptions: allow.bearer('owner only')(
      route
        .post('/_auth/recent/options')
        .input({ body: t.Object({}) })
        .answer(RequestOptions)
        .errors(PasskeyNotFoundError, ForbiddenError, ...limitRefusals)
        .describe({ summary: 'Returns the options for a recent proof with a passkey.' }),
    ),
    proveRecent: allow.stepUp(
      route
        .post('/_auth/recent')
        .input({ headers: knownBrowserInput, body: RecentProof })
        .answer(t.Undefined(), 204)
        .errors(
          InvalidCredentialsError,
          InvalidVerificationCodeError,
          PasskeyChallengeError,
          PasskeyVerificationError,
          StepUpRequiredError,
          ForbiddenError,
          ...limitRefusals,
        )
        .describe({
          summary: 'Proves on this device who the caller is, with password, passkey or code.',
        }),
    ),
  },
  limits: {
    'recent proof by address': perMinute(50),
    'recent proof by account': perMinute(10),
    'recent proof options by account': perMinute(30),
    ...passwordLimits,
  },
})
