import type { HttpError } from '../errors/errors.ts'
import type { Page, Success } from '../request/client.ts'
import type { Router, Routes } from '../routes/contract.ts'
import type { InputOf, InputSchemas } from '../schema/schema.ts'
import type { FrameworkError } from './errors.ts'
import type { Wait } from './kept-place.ts'

/**
 * Types that arrive as they were answered. Comparing with this costs the compiler less than a type
 * for each member.
 */
type AsItIs =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AsItIs[]
  | { readonly [key: string]: AsItIs }

/** What JSON makes of a value: a date arrives as text, and a function not at all. */
export type Received<Value> = [Value] extends [AsItIs | Page<AsItIs> | Success<AsItIs>]
  ? Value
  : Mapped<Value>

type Mapped<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends { toJSON(): infer Json }
    ? Received<Json>
    : Value extends (...args: never[]) => unknown
      ? never
      : Value extends object
        ? { [Key in keyof Value]: Received<Value[Key]> }
        : Value

type Sent<Input extends InputSchemas> = { [Part in keyof Input]: InputOf<Input[Part]> }

/**
 * The parts with optional members only, so that the whole part may be left out. A part of any type
 * has no members.
 */
type Omittable<All> = {
  [Part in keyof All]: unknown extends All[Part] ? never : object extends All[Part] ? Part : never
}[keyof All]

type WithOptionalParts<All> = [Omittable<All>] extends [never]
  ? All
  : Omit<All, Omittable<All>> & Partial<Pick<All, Omittable<All>>>

/** What one call may be given beside its input. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal
  /** The server is overloaded and keeps a place in line: the call is sent again by itself. */
  onWait?: (wait: Wait) => void
}

/** If nothing is declared, there is no argument. Otherwise exactly what is declared. */
type Arguments<Input extends InputSchemas> = keyof Input extends never
  ? [input?: Record<string, never>, options?: CallOptions]
  : ArgumentsOf<Sent<Input>>

/** Usually no part may be left out, so this is asked once for all of them. */
type ArgumentsOf<All> = object extends All[keyof All]
  ? keyof All extends Omittable<All>
    ? [input?: Partial<All>, options?: CallOptions]
    : [input: WithOptionalParts<All>, options?: CallOptions]
  : [input: All, options?: CallOptions]

/** What `try` returns: the answer’s body, or the error that the call was refused with. */
export type Outcome<Body, Errors> =
  | { readonly ok: true; readonly data: Body }
  | { readonly ok: false; readonly error: Errors }

/** One operation as a caller sees it. */
export interface Call<Input extends InputSchemas, Body, Errors extends HttpError> {
  /** The answer's body. A refusal is thrown as the error class it was thrown as on the server. */
  readonly call: (...args: Arguments<Input>) => Promise<Received<Body>>
  /** The same, but it returns refusals: `error.name` tells the declared ones apart. */
  readonly try: (
    ...args: Arguments<Input>
  ) => Promise<Outcome<Received<Body>, Errors | FrameworkError>>
}

/**
 * The value that has a route's three types. They are looked up: inferring them would compare each
 * twice.
 */
interface Typed {
  readonly '~input': InputSchemas
  readonly '~body': unknown
  readonly '~errors': HttpError
}

type CallOf<Route> = Route extends Typed
  ? Call<Route['~input'], Route['~body'], Route['~errors']>
  : never

/** The body that a call resolves to: `AnswerOf<typeof api.getOrder>`. */
export type AnswerOf<AnyCall extends { call: (...args: never[]) => unknown }> = Awaited<
  ReturnType<AnyCall['call']>
>

/** A router as a caller sees it: every operation by its name. */
export type Api<AnyRouter> =
  AnyRouter extends Router<infer OwnRoutes>
    ? { readonly [Name in keyof OwnRoutes]: CallOf<OwnRoutes[Name]> }
    : AnyRouter extends Routes
      ? { readonly [Name in keyof AnyRouter]: CallOf<AnyRouter[Name]> }
      : never
