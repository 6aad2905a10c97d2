import type { ErrorClass } from '@svc/core/contract'
import * as accounts from './accounts/errors.ts'
import * as oauth2 from './authorization-server/errors.ts'
import * as authenticate from './caller/errors.ts'
import * as codes from './codes/errors.ts'
import * as contact from './contact/errors.ts'
import * as keys from './crypto/errors.ts'
import * as device from './device/errors.ts'
import * as invitations from './invitations/errors.ts'
import * as mfa from './mfa/errors.ts'
import * as passkeys from './passkeys/errors.ts'
import * as passwordReset from './password-reset/errors.ts'
import * as passwords from './passwords/errors.ts'
import * as profile from './profile/errors.ts'
import * as register from './register/errors.ts'
import * as revokeAll from './revoke-all/errors.ts'
import * as roles from './roles/errors.ts'
import * as sends from './sends/errors.ts'
import * as session from './session/errors.ts'
import * as signup from './signup/errors.ts'
import * as social from './social/accounts/errors.ts'
import * as oauth from './social/browser/errors.ts'
import * as native from './social/native/errors.ts'

/** Every refusal of the service, so that a client gets them as the classes they are. */
export const authErrors: readonly ErrorClass[] = Object.values({
  ...accounts,
  ...authenticate,
  ...codes,
  ...contact,
  ...device,
  ...invitations,
  ...keys,
  ...mfa,
  ...native,
  ...oauth,
  ...oauth2,
  ...passkeys,
  ...passwordReset,
  ...passwords,
  ...profile,
  ...roles,
  ...register,
  ...revokeAll,
  ...sends,
  ...session,
  ...signup,
  ...social,
})
