import type { ErrorClass } from '@svc/core/contract'
import * as accounts from './accounts/errors.ts'
import * as authenticate from './authenticate/errors.ts'
import * as codes from './codes/errors.ts'
import * as keys from './keys/errors.ts'
import * as login from './login/errors.ts'
import * as passwords from './passwords/errors.ts'
import * as profile from './profile/errors.ts'
import * as register from './register/errors.ts'
import * as roles from './roles/errors.ts'

/** Every refusal of the service, so that a client gets them as the classes they are. */
export const authErrors: readonly ErrorClass[] = Object.values({
  ...accounts,
  ...authenticate,
  ...codes,
  ...keys,
  ...login,
  ...passwords,
  ...profile,
  ...roles,
  ...register,
})
