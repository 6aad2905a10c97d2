import type { AnyRoute } from '@svc/core/contract'
import type { Caller } from './authenticate/caller.ts'

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
  | 'superadmin'
  | `may ${string}`

/** An operation with those who may call it. */
export type Declared<
  Who extends Access = Access,
  Operation extends AnyRoute = AnyRoute,
> = Operation & {
  readonly access: Who
}

/** The operations of a folder, or of the whole service. */
export type Contract = Readonly<Record<string, Declared>>

/** What a handler knows of its caller: nobody is known where everybody may call. */
export type CallerOf<Who extends Access> = Who extends 'public' | 'setup'
  ? undefined
  : Who extends 'optional'
    ? Caller | undefined
    : Caller

const declare =
  <const Who extends Access>(access: Who) =>
  <Operation extends AnyRoute>(operation: Operation): Declared<Who, Operation> =>
    Object.assign(operation, { access })

/** Declares who may call an operation: `allow.bearer(route.post('/_auth/logout'))`. */
export const allow = {
  /** Anybody, without a credential. */
  public: declare('public'),
  /** Whoever has opened a mailed link, and has the secret of the setup session that it became: it is in the body. */
  setup: declare('setup'),
  /** Anybody; who signs the request gets more. */
  optional: declare('optional'),
  /** Whoever signs the request with a live key, be it a machine's. */
  anyKey: declare('any-key'),
  /** Whoever signs the request with the live key of a device. */
  bearer: declare('bearer'),
  /** The same, and whoever has a second factor has proved it on this device a moment ago. */
  stepUp: declare('step-up'),
  /** A signed-in superadmin. */
  superadmin: declare('superadmin'),
  /** Whoever is signed in and holds the permission, and a machine that was given it. */
  may: <const Permission extends string>(permission: Permission) => declare(`may ${permission}`),
}
