import type { Tx } from '@svc/core'
import type { Purpose } from './purpose.ts'

/** What a registration is about to do. */
export interface RegistrationContext {
  /** `operator` is `createUser`, also if an application's own code calls it. */
  channel: 'code' | 'link' | 'invitation' | 'oauth' | 'native' | 'operator'
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
  /**
   * What it is for. A link of a further capability has the capability's name before it:
   * `magic-link/sign_in`.
   */
  purpose: Purpose | 'signup_link' | 'password_reset_link' | `${string}/${string}`
  /** Where the request comes from. */
  address: string | null
  userAgent: string | null
  /** Whether the account of the target has signed in in this browser before. */
  isKnown: boolean
  /** What the client has sent as `proof`, such as the answer of a captcha. */
  proof?: string
}

/**
 * How your code configures sign-in. The API and the web app have a process each, and each reads
 * only its own.
 */
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
  /** How calls that another site may have caused are told apart. Wins over `SVC_AUTH_CSRF`. The web app reads it. */
  csrf?: {
    mode?: 'off' | 'warn' | 'enforce'
    /** Paths of the API, as they are called, of operations that check who is calling by themselves. */
    exemptPaths?: readonly string[]
  }
  /**
   * How long an unused session lives, such as `7d`. Wins over `SVC_AUTH_SESSION_TTL`. The web app
   * reads it.
   */
  sessionTtl?: string
}

/** What the API reads of it. */
export type ApiConfiguration = Pick<
  AuthConfiguration,
  'beforeRegister' | 'beforeSend' | 'enforcePasswordChange' | 'freshProof'
>

type Member = keyof AuthConfiguration
type Checks = { [Name in Member]?: (value: NonNullable<AuthConfiguration[Name]>) => void }

const readBy: Record<Member, 'API' | 'web app'> = {
  beforeRegister: 'API',
  beforeSend: 'API',
  enforcePasswordChange: 'API',
  freshProof: 'API',
  csrf: 'web app',
  sessionTtl: 'web app',
}

/** The options that are read in this process, and how each is checked. */
const read = new Map<string, (value: never) => void>()
let configuration: AuthConfiguration = {}

/**
 * Sets what sign-in does throughout this process. Options that you leave out stay as they were. An
 * option that nothing in this process reads is refused, because it would have no effect. An option
 * of the same name that you give to `createAuthLifecycle` wins on that server, so several
 * applications in one process can differ.
 */
export function configureAuth(changes: AuthConfiguration): void {
  for (const [name, value] of Object.entries(changes)) {
    const check = read.get(name)
    if (!check) throw new TypeError(problemOf(name))
    if (value !== undefined) check(value as never)
  }
  configuration = { ...configuration, ...changes }
}

function problemOf(name: string) {
  const reader = Object.hasOwn(readBy, name) ? readBy[name as Member] : null
  if (!reader) return `configureAuth knows no ${name}: it takes ${Object.keys(readBy).join(', ')}.`
  return `The ${reader} reads ${name}, and it does not run in this process: call configureAuth where the ${reader} starts.`
}

/**
 * For the packages of Svc: says which options of `configureAuth` are read in this process. A check
 * throws for a value that the types have let through.
 *
 * @internal
 */
export function readsConfiguration(checks: Checks): void {
  for (const [name, check] of Object.entries(checks)) read.set(name, check)
}

/**
 * For the packages of Svc: what `configureAuth` has set in this process.
 *
 * @internal
 */
export function configured(): AuthConfiguration {
  return configuration
}
