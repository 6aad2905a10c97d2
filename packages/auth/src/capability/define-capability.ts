import type {
  Db,
  Environment,
  EnvironmentSource,
  HandlerContext,
  Infrastructure,
  InputData,
  JobRouter,
  Lifecycle,
  MigrationSource,
  Variable,
} from '@svc/core'
import type { InputSchemas, Returnable, Route } from '@svc/core/contract'
import type { AnyMail } from '@svc/notification'
import type { AuditEntry, RequestOrigin, StandingReader } from '../caller/caller.ts'
import type { LimitName, Limits } from '../limits/contract.ts'
import type { Access, CallerOf, Declared, StandingOf } from './access.ts'
import type { AccountParts } from './account-parts.ts'
import type { AnyContract, CapabilityContract } from './define-contract.ts'
import type { CapabilityImporter } from './import.ts'
import type { LinkPlan, Links } from './links.ts'
import type { Service } from './provided.ts'
import type { Ways } from './ways.ts'

/**
 * A permission that your code asks for. Administrators see its display name when they give it to a
 * role.
 */
export interface PermissionDeclaration {
  name: string
  displayName: string
  category: string
}

type Variables = Record<string, Variable<unknown>>

/**
 * What a capability holds while a server runs: what all capabilities share, its own limits and
 * acts, and what `open` returned.
 */
export type Held<
  Names extends LimitName = LimitName,
  Env = object,
  Own = object,
  Acts extends string = string,
  Purposes extends string = string,
> = Omit<Service, 'env' | 'limits'> & {
  /** The variables of sign-in, and those that the capability declares. */
  readonly env: Service['env'] & Env
  readonly limits: Limits<Names>
  readonly ways: Ways
  readonly links: Links<Purposes>
  /** Writes an entry of the audit trail, in the transaction of the act itself. */
  readonly audit: (db: Db, act: Acts, entry: Omit<AuditEntry, 'act'>) => Promise<void>
} & Own

/** The limits that a contract declares. */
type LimitsOf<Contract> =
  Contract extends CapabilityContract<string, infer _, infer Names> ? Names : never

interface Shape {
  env?: object
  own?: object
  acts?: string
  links?: string
}

/** What the functions of a capability's folder take: `HeldBy<typeof myContract, { own: Mine }>`. */
export type HeldBy<Contract extends AnyContract, Is extends Shape = object> = Held<
  LimitsOf<Contract>,
  Is extends { env: infer Env } ? Env : object,
  Is extends { own: infer Own extends object } ? Own : object,
  Is extends { acts: infer Acts extends string } ? Acts : never,
  Is extends { links: infer Purposes extends string } ? Purposes : never
>

/** One request at an operation. */
type RequestOf<Operation> =
  Operation extends Declared<infer Who, Route<infer Input, infer _>> ? RequestTo<Who, Input> : never

type RequestTo<Who extends Access, Input extends InputSchemas> = {
  caller: CallerOf<Who>
  /** Where the request came from, to store with what it does. */
  origin: RequestOrigin
  c: HandlerContext<Input>
} & InputData<Input> &
  StandingOf<Who>

type AnswerOf<Operation> =
  Operation extends Declared<Access, Route<infer _, infer Body>>
    ? Returnable<Body> | Promise<Returnable<Body>>
    : never

// The conditional types are inside the function: around it, the type that `open` returns would not
// be inferred.
/** What each operation does. */
export type Handlers<All, AllHeld> = {
  readonly [Name in keyof All]: (
    given: { auth: AllHeld } & RequestOf<All[Name]>,
  ) => AnswerOf<All[Name]>
}

/** What a capability can open as the server starts. */
export interface Opening<Env> {
  readonly service: Service
  readonly env: Service['env'] & Env
  readonly server: Infrastructure
  readonly source: EnvironmentSource
}

type Check = (source: EnvironmentSource) => unknown

/**
 * What `defineCapability` takes besides the contract: the handlers, and all that the capability
 * adds to a server.
 */
export interface CapabilityParts<
  Contract extends AnyContract,
  Vars extends Variables,
  Own extends object,
  Acts extends string,
  Purposes extends string,
> {
  /** Tables, from which `svc generate` writes the migrations. */
  readonly tables?: Readonly<Record<string, unknown>>
  /**
   * The folder of the migrations. Applied migrations are stored under the contract's name, unless
   * you give another.
   */
  readonly migrations?: URL | Omit<MigrationSource, 'tables'>
  /** Variables of its own. */
  readonly env?: Vars
  /** Links that are mailed, by purpose. */
  readonly links?: Readonly<Record<Purposes, LinkPlan<Service['env'] & Environment<Vars>>>>
  /** Its other mails: values of `defineMail`. */
  readonly mails?: readonly AnyMail[]
  /**
   * For its own rows that want a link mailed: mints the link of a row and mails it, by the kind of
   * the order. Throws if the mail is not accepted, and is then retried.
   */
  readonly linkMails?: Readonly<
    Record<
      string,
      (
        held: Held<LimitsOf<Contract>, Environment<Vars>, Own, Acts, Purposes>,
        id: string,
      ) => Promise<void>
    >
  >
  /**
   * Checks variables and options before anything connects. Throws an `EnvironmentError` to refuse
   * to start.
   */
  readonly check?: Check | readonly Check[]
  readonly permissions?: readonly PermissionDeclaration[]
  /** The acts that it writes into the audit trail. */
  readonly audit?: readonly Acts[]
  readonly jobs?: JobRouter
  /**
   * What it imports from another system, by name: `svc organizations import` runs `organizations`. No server runs by
   * then, so it gets nothing that `open` returns.
   */
  readonly imports?: Readonly<Record<string, CapabilityImporter>>
  /** What it holds while a server runs: the members that its `auth` has beside the common ones. */
  readonly open?: (opening: Opening<Environment<Vars>>) => Own
  /** Paths that pages of other origins may call, without credentials. */
  readonly crossOrigin?: Lifecycle['crossOrigin']
  /** Runs when all capabilities are open, before the first request. */
  readonly start?: (
    held: Held<LimitsOf<Contract>, Environment<Vars>, Own, Acts, Purposes>,
  ) => Promise<void>
  /** Ends waits when a shutdown begins. */
  readonly stopWaiting?: (opened: Own) => void
  /** Closes what `open` opened, once no request is left. */
  readonly close?: (opened: Own) => Promise<void> | void
  /** False if it is turned off: then its operations answer 404, before any other check. */
  readonly isThere?: (
    held: Held<LimitsOf<Contract>, Environment<Vars>, Own, Acts, Purposes>,
    operation: keyof Contract['operations'],
  ) => boolean
  /**
   * Operations that sign in without the mail about a new device: either they tell the owner in
   * their own words, or the device is not new.
   */
  readonly tells?: { readonly [Name in keyof Contract['operations']]?: true }
  /** How it reads the standing of a caller in its tenant. Only one capability of a server may have tenants. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what it stores is its own affair
  readonly standing?: StandingReader<any>
  /** The permissions that roles in its tenant can have. */
  readonly tenantPermissions?: readonly string[]
  /** Converts a refusal, at the operations for which the contract says `rewords`. */
  readonly reword?: (error: unknown) => unknown
  /** What each operation does. */
  readonly handlers: Handlers<
    Contract['operations'],
    Held<LimitsOf<Contract>, Environment<Vars>, Own, Acts, Purposes>
  >
  /** What it stores for an account, and what happens to it. */
  readonly account?: AccountParts<Held<LimitsOf<Contract>, Environment<Vars>, Own, Acts, Purposes>>
}

/** A contract with its implementation: one value, which a server runs. */
export interface Capability<Contract extends AnyContract = AnyContract> {
  readonly contract: Contract
  // oxlint-disable-next-line typescript/no-explicit-any -- only the one that runs capabilities looks inside
  readonly parts: CapabilityParts<Contract, any, any, any, any>
}

/**
 * A capability: sign-in consists of them, and you can add your own. Give `open` before `handlers`,
 * which find in `auth` what it returns.
 */
export function defineCapability<
  Contract extends AnyContract,
  Vars extends Variables = Record<never, Variable<unknown>>,
  Own extends object = object,
  const Acts extends string = never,
  Purposes extends string = never,
>(
  contract: Contract,
  parts: CapabilityParts<Contract, Vars, Own, Acts, Purposes>,
): Capability<Contract> {
  return { contract, parts }
}
