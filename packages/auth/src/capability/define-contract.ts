import {
  type AnySchema,
  defineRouter,
  type ErrorClass,
  type EventDefinition,
  type RouteMap,
  routeMapOf,
} from '@svc/core/contract'
import type { Limit, LimitName, LimitTable } from '../limits/contract.ts'
import type { Counted, Operations, Tenant } from './access.ts'
import type { BrowserEffect, BrowserEffects, KeyRegistering } from './browser-effect.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- an event of any payload: what it is emitted with is contravariant
type AnyEvent = EventDefinition<any, any>

type ContractEvents = Readonly<Record<string, AnyEvent>>

/**
 * The half of a capability that browsers may import: its operations, and everything about them that
 * is known without a server.
 */
export interface CapabilityContract<
  Name extends string = string,
  All extends Operations = Operations,
  Limits extends LimitName = LimitName,
  Effects extends BrowserEffects = BrowserEffects,
  Events extends ContractEvents = ContractEvents,
> {
  readonly name: Name
  readonly operations: All
  /** The paths of the operations, for clients and the web proxy. */
  readonly routeMap: RouteMap
  readonly errors: readonly ErrorClass[]
  readonly limits: Readonly<Record<Limits, Limit>>
  readonly events: Events
  readonly types: Readonly<Record<string, AnySchema>>
  readonly browser: Effects
  readonly requires?: string
  readonly rewords: Readonly<Record<string, ErrorClass>>
  readonly answersWithin: Readonly<Record<string, number>>
  readonly forms: Readonly<Record<string, Exclude<Counted, 'uncounted'>>>
  readonly tenant?: Tenant
}

/** A contract of any capability, for code that takes several of them. */
// oxlint-disable-next-line typescript/no-explicit-any -- a contract of any operations, limits, effects and events
export type AnyContract = CapabilityContract<string, any, any, any, any>

// One entry for each operation, so that a single mapped type makes the whole: spreading thirty records takes seconds.
type Entry<Contract> = Contract extends { readonly operations: infer All }
  ? { [Name in keyof All]: { name: Name; operation: All[Name] } }[keyof All]
  : never

/** The operations of several contracts by their names. */
export type OperationsOf<Contract> = {
  readonly [Each in Entry<Contract> as Each['name'] & string]: Each['operation']
}

type EffectEntry<Contract> = Contract extends { readonly browser: infer Effects }
  ? { [Name in keyof Effects]: { name: Name; effect: Effects[Name] } }[keyof Effects]
  : never

/** What the web proxy does for the operations of several contracts, by their names. */
export type EffectsOf<Contract> = {
  readonly [Each in EffectEntry<Contract> as Each['name'] & string]: Each['effect']
}

/** The limits of addresses that the operations name. */
type CountedIn<All extends Operations> = {
  [Name in keyof All]: All[Name] extends { readonly counted?: infer Counting extends Counted }
    ? Exclude<Counting, 'uncounted'>
    : never
}[keyof All]

/** An inferred parameter accepts excess names, so this type refuses them. */
type OnlyOf<All extends Operations, Named> = {
  readonly [Name in Exclude<keyof Named, keyof All>]: never
}

// An operation that registers a key must say what the web proxy does.
type BrowserPart<All extends Operations, Effects> = [KeyRegistering<All>] extends [never]
  ? { readonly browser?: Effects & OnlyOf<All, Effects> }
  : {
      readonly browser: Effects &
        OnlyOf<All, Effects> & {
          readonly [Name in Exclude<KeyRegistering<All>, keyof Effects>]: BrowserEffect
        }
    }

type LimitPart<All extends Operations, Limits> = [CountedIn<All>] extends [never]
  ? { readonly limits?: Limits }
  : {
      readonly limits: Limits & { readonly [Name in Exclude<CountedIn<All>, keyof Limits>]: Limit }
    }

interface Given<All extends Operations, Events> {
  /** The path that all operations are under; `/_auth/` and the capability's name unless set. */
  readonly at?: `/${string}`
  /** The operations, each with its access. */
  readonly operations: All
  /** Refusals of its own, so that a client gets them as the classes they are. */
  readonly errors?: readonly ErrorClass[]
  /** The events it emits. `defineEventRouter(contract.events)` streams them. */
  readonly events?: Events
  /** The names of schemas in the contract of clients on devices. */
  readonly types?: Readonly<Record<string, AnySchema>>
  /** A sentence that says when the operations exist. The capability's `isThere` decides it. */
  readonly requires?: string
  /**
   * Operations whose refusals, except 401, 403 and 404, are converted to one class. The capability's
   * `reword` does it.
   */
  readonly rewords?: { readonly [Name in keyof All]?: ErrorClass }
  /** Operations that answer 503 after this many milliseconds. Their work goes on. */
  readonly answersWithin?: { readonly [Name in keyof All]?: number }
  /**
   * Operations at whose path a browser may send a form without a signature, each with the limit that counts its address.
   * The browser is redirected to the GET of the same path, with the form as the query, and nothing else happens.
   */
  readonly forms?: { readonly [Name in keyof All]?: Exclude<Counted, 'uncounted'> }
  /** The tenant whose members its operations ask for, with access such as `in organization`. */
  readonly tenant?: Tenant
}

/**
 * The contract of a capability. It holds without a server: who may call an operation, which limits
 * count it, how it refuses, and what the web proxy does for it.
 */
export function defineContract<
  const Name extends string,
  const All extends Operations,
  const Limits extends LimitTable = Readonly<Record<never, Limit>>,
  const Effects extends BrowserEffects = Readonly<Record<never, BrowserEffect>>,
  const Events extends ContractEvents = Readonly<Record<never, AnyEvent>>,
>(
  name: Name,
  given: Given<All, Events> & LimitPart<All, Limits> & BrowserPart<All, Effects>,
): CapabilityContract<Name, All, Extract<keyof Limits, LimitName>, Effects, Events> {
  const { at = `/_auth/${name}`, operations, requires, rewords = {}, tenant, ...rest } = given
  refuseForeignPaths(name, at, operations)
  return {
    errors: [],
    types: {},
    ...rest,
    answersWithin: (given.answersWithin ?? {}) as CapabilityContract['answersWithin'],
    forms: (given.forms ?? {}) as CapabilityContract['forms'],
    rewords,
    events: (given.events ?? {}) as Events,
    limits: (given.limits ?? {}) as CapabilityContract['limits'],
    browser: (given.browser ?? {}) as Effects,
    name,
    operations,
    routeMap: routeMapOf(defineRouter(operations)),
    ...(requires !== undefined && { requires }),
    ...(tenant && { tenant }),
  }
}

/** Two capabilities must not share a path. */
function refuseForeignPaths(name: string, at: string, operations: Operations) {
  for (const [each, { operation }] of Object.entries(operations)) {
    if (operation.path === at || operation.path.startsWith(`${at}/`)) continue
    throw new Error(
      `${each} of the capability ${name} is at ${operation.path}: give it a path below ${at}, or set \`at\`.`,
    )
  }
}
