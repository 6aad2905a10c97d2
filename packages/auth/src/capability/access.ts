import type { AnyRoute } from '@svc/core/contract'
import type { Caller, FreshCaller, ProvableCaller } from '../caller/caller.ts'

/**
 * Who may call an operation. There is no default: an operation that does not say it does not compile.
 * `may order:read` asks for that permission.
 */
export type Access =
  | 'public'
  | 'setup'
  | 'optional'
  | 'any-key'
  | 'bearer'
  | 'step-up'
  | 'fresh'
  | 'fresh for passkeys'
  | 'fresh superadmin'
  | 'fresh for some'
  | 'superadmin'
  | `may ${string}`
  | `fresh for some, may ${string}`
  | `fresh, may ${string}`

/**
 * The limit of an address at an operation, which is counted before the body is read. An operation without a body that
 * costs the server little may be `uncounted`.
 */
export type Counted = `${string} by address` | 'uncounted'

/** An operation with those who may call it. */
export type Declared<
  Who extends Access = Access,
  Operation extends AnyRoute = AnyRoute,
  Limit extends Counted = Counted,
> = Operation & {
  readonly access: Who
  readonly counted?: Limit
}

/** Operations by their names. */
export type Operations = Readonly<Record<string, Declared>>

/** What a handler knows of its caller: nobody is known where everybody may call. */
export type CallerOf<Who extends Access> = Who extends 'public' | 'setup'
  ? undefined
  : Who extends 'optional'
    ? Caller | undefined
    : Who extends `fresh for some${string}`
      ? ProvableCaller
      : Who extends `fresh${string}`
        ? FreshCaller
        : Caller

const declare =
  <const Who extends Access>(access: Who) =>
  <Operation extends AnyRoute>(operation: Operation): Declared<Who, Operation, 'uncounted'> =>
    Object.assign(operation, { access })

/** Without a signing key, only the address can be limited: an operation that names no limit does not compile. */
const declareOpen =
  <const Who extends Access>(access: Who) =>
  <const Limit extends Counted>(counted: Limit) =>
  <Operation extends AnyRoute>(operation: Operation): Declared<Who, Operation, Limit> =>
    Object.assign(operation, { access, counted })

/** Declares who may call an operation: `allow.bearer(route.post('/_auth/logout'))`. */
export const allow = {
  /** Anybody, without a credential. */
  public: declareOpen('public'),
  /** Whoever has opened a mailed link, and has the secret of the setup session that it became: it is in the body. */
  setup: declareOpen('setup'),
  /** Anybody; who signs the request gets more. */
  optional: declareOpen('optional'),
  /** Whoever signs the request with a live key, be it a machine's. */
  anyKey: declare('any-key'),
  /** Whoever signs the request with the live key of a device. */
  bearer: declare('bearer'),
  /** The same, and whoever has a second factor has proved it on this device a moment ago. */
  stepUp: declare('step-up'),
  /**
   * The same, and has given a fresh proof: the second factor if there is one, else a sign-in, a password, a passkey or
   * a code. An operation that creates a credential or gives power does not compile with less.
   */
  fresh: declare('fresh'),
  /** The same, within the window that passkeys have of their own. */
  freshForPasskeys: declare('fresh for passkeys'),
  /** A superadmin whose proof is fresh enough for an operator's work. */
  freshSuperadmin: declare('fresh superadmin'),
  /** A caller who signs with a live device key. The operation asks for a fresh proof if the request needs one. */
  freshForSome: declare('fresh for some'),
  /** A signed-in superadmin, for operations that change nothing. */
  superadmin: declare('superadmin'),
  /** Whoever is signed in and holds the permission, and a machine that was given it. */
  may: <const Permission extends string>(permission: Permission) => declare(`may ${permission}`),
  /** The same, and the operation asks for a fresh proof if it gives power. A machine has none, so it gives no power. */
  freshForSomeMay: <const Permission extends string>(permission: Permission) =>
    declare(`fresh for some, may ${permission}`),
  /** The same, and has given a proof that is fresh enough for an operator's work. A machine has none. */
  freshMay: <const Permission extends string>(permission: Permission) =>
    declare(`fresh, may ${permission}`),
}
