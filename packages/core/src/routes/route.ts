import { requireBytes } from '../bodies/contract.ts'
import type { UnprocessableEntityError } from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'
import { type WithIdempotencyKey, withIdempotencyKey } from '../idempotency/contract.ts'
import type { RequestInProgressError } from '../idempotency/errors.ts'
import type { CountedBy, RateLimit } from '../limits/contract.ts'
import type { Answer, BodyOf } from '../request/client.ts'
import type { AnySchema, InputSchemas, OutputOf } from '../schema/schema.ts'
import type { HandlerContext } from './context.ts'
import type { ErrorClass } from './error-class.ts'
import type { Middleware } from './middleware.ts'
import type { MiddlewareDocuments } from './middleware-documents.ts'
import type { Method, Operation } from './operation.ts'
import type { Plain, Sendable } from './sendable.ts'

/** What a handler may return for an operation: its body, or an answer that carries it. */
export type Returnable<Body> = unknown extends Body ? unknown : Body | Answer<Body>

export type Handler<Input extends InputSchemas, Returned> = (
  c: HandlerContext<Input>,
) => Returned | Promise<Returned>

/**
 * Refuses a handler whose answer JSON cannot carry, at the member that it is about. Where an answer is declared, its
 * schema says what it may hold.
 */
type AnswersJson<Input extends InputSchemas, Body, Returned> = unknown extends Body
  ? [Returned] extends [Plain]
    ? unknown
    : [Returned] extends [Sendable<Returned>]
      ? unknown
      : Handler<Input, Sendable<Returned>>
  : unknown

/** Who may call a route, as its middleware holds it: what `svc routes` prints. */
interface BoundAccess {
  readonly who: string
  /** The limit of several operations that each call counts against. */
  readonly counted?: string
}

type RepeatedErrors = RequestInProgressError | UnprocessableEntityError

interface Binding {
  readonly middlewares: readonly Middleware[]
  readonly skipped: readonly string[]
  readonly access?: BoundAccess
  readonly isStale?: boolean
  /** Whether the caller may, where that depends on the input: it runs before an answer that was kept is given again. */
  readonly check?: (c: HandlerContext<never>) => Promise<unknown>
  // The handler's input is what the route's schemas let through, which only the route itself knows.
  readonly handler?: (c: HandlerContext<never>) => unknown
}

interface Description {
  summary?: string
  description?: string
  tags?: readonly string[]
  /** Who may call, where the handler looks at that by itself. */
  asks?: MiddlewareDocuments
}

/**
 * An operation and, on the server, what it does. Without a handler it is a contract that a browser may import.
 * Every step returns a new route; nothing is changed in place.
 */
export class Route<
  Input extends InputSchemas = InputSchemas,
  Body = unknown,
  Errors extends HttpError = HttpError,
> {
  // Never set: they carry the types from the contract to the client.
  declare readonly '~input': Input
  declare readonly '~body': Body
  declare readonly '~errors': Errors
  readonly operation: Operation
  readonly binding: Binding

  constructor(operation: Operation, binding: Binding) {
    this.operation = operation
    this.binding = binding
  }

  /** Declares what the operation takes. What does not match is refused before the handler runs. */
  input<Schemas extends InputSchemas>(input: Schemas): Route<Schemas, Body, Errors> {
    return new Route({ ...this.operation, input }, this.binding)
  }

  /** Bounds the body of this operation, in place of the server's `limits({ bodyBytes })`: a larger one is a 413. */
  body({ maxBytes }: { maxBytes: number }): Route<Input, Body, Errors> {
    requireBytes(maxBytes, 0)
    return new Route({ ...this.operation, maxBodyBytes: maxBytes }, this.binding)
  }

  /**
   * Declares what the operation answers; without it, the type is the handler's own. Other statuses are for documents:
   * a handler answers with one by `c.json(body, status)`.
   */
  answer<Schema extends AnySchema>(
    schema: Schema,
    status = 200,
    ...otherStatuses: readonly number[]
  ): Route<Input, OutputOf<Schema>, Errors> {
    return new Route({ ...this.operation, answer: { schema, status, otherStatuses } }, this.binding)
  }

  /** Declares refusals of its own, so that callers get them typed. */
  errors<Classes extends readonly ErrorClass[]>(
    ...errors: Classes
  ): Route<Input, Body, InstanceType<Classes[number]>> {
    return new Route({ ...this.operation, errors }, this.binding)
  }

  /** Words for the OpenAPI document. */
  describe(description: Description): Route<Input, Body, Errors> {
    return new Route({ ...this.operation, ...description }, this.binding)
  }

  /** Puts the operation into the contract of clients on devices, which `svc contract` prints. */
  inContract(name: string, { proof }: { proof: boolean }): Route<Input, Body, Errors> {
    return new Route({ ...this.operation, contract: { name, proof } }, this.binding)
  }

  /**
   * Takes the header `Idempotency-Key`: a request that repeats one gets the same answer, and changes nothing more. The
   * handler runs in one transaction, which is its `c.db`, and the answer is kept in it for a day.
   */
  idempotent(): Route<WithIdempotencyKey<Input>, Body, Errors | RepeatedErrors> {
    const input = withIdempotencyKey(this.operation.input)
    return new Route({ ...this.operation, input, isIdempotent: true }, this.binding)
  }

  /**
   * Limits how often it is called: `.limit(perMinute(10), 'by caller')`, or 'by address'. All instances count together.
   * One call too many is a `TooManyRequestsError`, before the body is read.
   */
  limit(limit: RateLimit, by: CountedBy): Route<Input, Body, Errors> {
    const { limits = [] } = this.operation
    return new Route({ ...this.operation, limits: [...limits, { ...limit, by }] }, this.binding)
  }

  /** Adds middleware that runs after the router's, in this order. */
  use(middlewares: readonly Middleware[]): Route<Input, Body, Errors> {
    const all = [...this.binding.middlewares, ...middlewares]
    return new Route(this.operation, { ...this.binding, middlewares: all })
  }

  /** Leaves out the router's middleware of these names. */
  skip(names: readonly string[]): Route<Input, Body, Errors> {
    const skipped = [...this.binding.skipped, ...names]
    return new Route(this.operation, { ...this.binding, skipped })
  }

  /**
   * Says that the answer may be some seconds old: `c.db` reads from the replica that `DATABASE_URL_REPLICA` names, and
   * refuses to write. Without a replica, or while it is down or too far behind, it reads from the primary.
   */
  stale(): Route<Input, Body, Errors> {
    return new Route(this.operation, { ...this.binding, isStale: true })
  }

  /** Binds what the operation does. */
  handler<Returned extends Returnable<Body>>(
    // To infer from what refuses, too, would cost a seventh of all types of a thousand routes.
    handler: Handler<Input, Returned> & NoInfer<AnswersJson<Input, Body, Returned>>,
  ): Route<Input, unknown extends Body ? BodyOf<Returned> : Body, Errors> {
    return new Route(this.operation, { ...this.binding, handler })
  }
}

// Nothing is declared yet, so nothing may be sent.
type NoInput = {}

const start = (method: Method) => (path: string) =>
  new Route<NoInput, unknown, never>(
    { method, path, input: {}, errors: [] },
    { middlewares: [], skipped: [] },
  )

/** Starts a route: `route.get('/orders/:orderId').input({ … }).handler(async (c) => …)`. */
export const route = {
  get: start('GET'),
  post: start('POST'),
  put: start('PUT'),
  patch: start('PATCH'),
  delete: start('DELETE'),
}
