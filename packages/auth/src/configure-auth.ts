import type { Tx } from '@svc/core'
import type { Purpose } from './codes/purpose.ts'

/** What a registration is about to do. */
export interface RegistrationContext {
  channel: 'code' | 'link' | 'invitation' | 'oauth' | 'native'
  provider?: string
  email?: string
  emailVerified?: boolean
  phone?: string
  metadata?: Record<string, unknown>
}

/** A message that is about to be sent, to an address or number that a stranger may have named. */
export interface SendContext {
  channel: 'mail' | 'sms'
  /** The address or number, in the form that is stored. */
  target: string
  purpose: Purpose | 'signup_link' | 'password_reset_link'
  /** Where the request comes from. */
  address: string | null
  userAgent: string | null
  /** Whether the account of the target has signed in in this browser before. */
  isKnown: boolean
  /** What the client has sent as `proof`, such as the answer of a captcha. */
  proof?: string
}

export interface AuthConfiguration {
  /** Runs in the transaction of every new account; a `RegistrationRejectedError` refuses it. */
  beforeRegister?: (context: RegistrationContext, tx: Tx) => Promise<void> | void
  /**
   * Runs before each code or link that anyone can ask for. Throw a `SendRejectedError` to refuse it. The server has not
   * looked up the account at this point, so your refusal can't reveal one.
   */
  beforeSend?: (context: SendContext) => Promise<void> | void
  /** Until its password is changed, an account may do little else. */
  enforcePasswordChange?: boolean
  /**
   * With `letter`, a fresh proof is required only where the specification requires it. Then one stolen device is enough
   * to let another one in, and a superadmin's stolen device to make another superadmin.
   */
  freshProof?: 'required' | 'letter'
}

let configuration: AuthConfiguration = {}

/** Sets what the service does throughout this process. What is not named stays as it was. */
export function configureAuth(changes: AuthConfiguration): void {
  configuration = { ...configuration, ...changes }
}

/** @internal */
export function configured(): AuthConfiguration {
  return configuration
}
