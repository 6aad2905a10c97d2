import type { Tx } from '@svc/core'

/** What a registration is about to do. */
export interface RegistrationContext {
  channel: 'code' | 'link' | 'invitation' | 'oauth' | 'native'
  provider?: string
  email?: string
  emailVerified?: boolean
  phone?: string
  metadata?: Record<string, unknown>
}

export interface AuthConfiguration {
  /** Runs in the transaction of every new account; a `RegistrationRejectedError` refuses it. */
  beforeRegister?: (context: RegistrationContext, tx: Tx) => Promise<void> | void
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
