import type { AnyRoute, ErrorClass, HttpError } from '@svc/core/contract'
import type { Caller, FreshCaller, ProvableCaller, Standing } from '../caller/caller.ts'

/**
 * Who may call an operation. There is no default: an operation that does not say it does not compile.
 * `may order:read` asks for that permission. `in organization, may order:read` asks for it in the tenant that the path
 * names.
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
  | `in ${string}`
  | `fresh, in ${string}`

/**
 * A part of the application with members of its own, such as an organization. The path of a request names it, and the
 * standing of the caller in it is read with the caller's key.
 */
export interface Tenant {
  /** As access names it: `in organization, may invoice:read`. */
  readonly name: string
  /** The parameter of a path that names one: `org` in `/orgs/:org/invoices`. */
  readonly param: string
  /** Refuses a caller who is no member. It takes no arguments: it is the same where no such tenant exists. */
  readonly NotFoundError: ErrorClass & (new () => HttpError)
  /** What a standing can have as `refused`: every route in the tenant documents them. */
  readonly refusals?: readonly ErrorClass[]
  /**
   * The parameters of a path that name a part of it, such as `team` in `/orgs/:org/teams/:team`. A route that has one
   * must ask for that part with `allow.inPart`.
   */
  readonly parts?: readonly string[]
}

/**
 * Whether a support session may call an operation, in the owner's name. `owner only` is for everything that touches
 * credentials, factors, devices, deletion, export, consent or another support session, and for what asks for a fresh
 * proof. Each operation that a key can sign says it: without it, it does not compile.
 */
export type ForSupport = 'owner only' | 'support too'

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
  readonly support: ForSupport
  readonly counted?: Limit
}

/** Operations by their names. */
export type Operations = Readonly<Record<string, Declared>>

/** What a handler knows of its caller: nothing if the operation is open to all. */
export type CallerOf<Who extends Access> = Who extends 'public' | 'setup'
  ? undefined
  : Who extends 'optional'
    ? Caller | undefined
    : Who extends `fresh for some${string}`
      ? ProvableCaller
      : Who extends `fresh${string}`
        ? FreshCaller
        : Caller

/** What a handler knows of the tenant: nothing if the operation does not ask for a member of one. */
export type StandingOf<Who extends Access> = Who extends `in ${string}` | `fresh, in ${string}`
  ? { standing: Standing }
  : unknown

const declare =
  <const Who extends Access>(access: Who, support: ForSupport = 'owner only') =>
  <Operation extends AnyRoute>(operation: Operation): Declared<Who, Operation, 'uncounted'> =>
    Object.assign(operation, { access, support })

/**
 * Any key of the account can sign. The operation says whether that includes the key of a support
 * session.
 */
const declareSigned =
  <const Who extends Access>(access: Who) =>
  (support: ForSupport) =>
    declare(access, support)

/** Without a signing key, only the address can be limited: an operation that names no limit does not compile. */
const declareOpen =
  <const Who extends Access>(access: Who) =>
  <const Limit extends Counted>(counted: Limit) =>
  <Operation extends AnyRoute>(operation: Operation): Declared<Who, Operation, Limit> =>
    Object.assign(operation, { access, counted, support: 'owner only' as const })

/** Declares who may call an operation: `allow.bearer('owner only')(route.post('/_auth/logout'))`. */
export const allow = {
  /** Everyone, without a credential. */
  public: declareOpen('public'),
  /**
   * A user who has opened a mailed link. The body has the secret of the setup session that the link
   * opened.
   */
  setup: declareOpen('setup'),
  /** Everyone. A caller who signs the request gets more. No support session. */
  optional: declareOpen('optional'),
  /** A caller who signs the request with a live key, which may be a machine's. */
  anyKey: declareSigned('any-key'),
  /** A caller who signs the request with the live key of a device. */
  bearer: declareSigned('bearer'),
  /** The same. A user with a second factor has also proved it on this device a moment ago. */
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
  /** A signed-in user with the permission, and a machine that was given it. */
  may: <const Permission extends string>(permission: Permission, support: ForSupport) =>
    declare(`may ${permission}`, support),
  /** The same, and the operation asks for a fresh proof if it gives power. A machine has none, so it gives no power. */
  freshForSomeMay: <const Permission extends string>(permission: Permission) =>
    declare(`fresh for some, may ${permission}`),
  /** The same, and has given a proof that is fresh enough for an operator's work. A machine has none. */
  freshMay: <const Permission extends string>(permission: Permission) =>
    declare(`fresh, may ${permission}`),
  /** A member of the tenant that the path names: `allow.in('organization', 'support too')`. No program of theirs. */
  in: <const Name extends string>(tenant: Name, support: ForSupport) =>
    declare(`in ${tenant}`, support),
  /**
   * The same, also while the standing is `refused`. For what a refused member needs: to read what is asked of them, and
   * to leave.
   */
  inEvenIfRefused: <const Name extends string>(tenant: Name, support: ForSupport) =>
    declare(`in ${tenant}, even if refused`, support),
  /** A member who has the permission in that tenant. */
  inMay: <const Name extends string, const Permission extends string>(
    tenant: Name,
    permission: Permission,
    support: ForSupport,
  ) => declare(`in ${tenant}, may ${permission}`, support),
  /** The same with a fresh proof: for what gives power in the tenant. */
  freshInMay: <const Name extends string, const Permission extends string>(
    tenant: Name,
    permission: Permission,
  ) => declare(`fresh, in ${tenant}, may ${permission}`),
}
