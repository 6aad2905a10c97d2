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

/** What is about to be sent, to an address or number that anybody may have named. */
export interface SendContext {
  channel: 'mail' | 'sms'
  /** The address or number, in the form that is stored. */
  target: string
  purpose: Purpose | 'signup_link' | 'password_reset_link'
  /** Where the request comes from. */
  address: string | null
  userAgent: string | null
  /** The account of the target has signed in there before. */
  isKnown: boolean
  /** What the client has sent as `proof`, such as the answer of a captcha. */
  proof?: string
}

export interface AuthConfiguration {
  /** Runs in the transaction of every new account; a `RegistrationRejectedError` refuses it. */
  beforeRegister?: (context: RegistrationContext, tx: Tx) => Promise<void> | void
  /**
   * Runs before a code or a link is sent that anybody may ask for; a `SendRejectedError` refuses it. Whether the target
   * has an account is not known by then, so that no refusal tells.
   */
  beforeSend?: (context: SendContext) => Promise<void> | void
  /** Until its password is changed, an account may do little else. */
  enforcePasswordChange?: boolean
  /**
   * `letter` asks for no fresh proof where the documents ask for none: then one stolen device is enough to let another one
   * in, and a superadmin's to make another superadmin.
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
