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
import type { Method, Operation, ToolWords } from './operation.ts'
import type { Plain, Sendable } from './sendable.ts'

/** What a handler may return for an operation: its body, or an answer with it. */
export type Returnable<Body> = unknown extends Body ? unknown : Body | Answer<Body>

export type Handler<Input extends InputSchemas, Returned> = (
  c: HandlerContext<Input>,
) => Returned | Promise<Returned>

/**
 * Refuses a handler whose answer can't be JSON, at the member that is the reason. If an answer is
 * declared, its schema says what it may contain.
 */
type AnswersJson<Input extends InputSchemas, Body, Returned> = unknown extends Body
  ? [Returned] extends [Plain]
    ? unknown
    : [Returned] extends [Sendable<Returned>]
      ? unknown
      : Handler<Input, Sendable<Returned>>
  : unknown

/** Who may call a route, according to its middleware: for `svc routes`. */
interface BoundAccess {
  readonly who: string
  /** The limit that each call counts against, if several operations share one. */
  readonly counted?: string
}

type RepeatedErrors = RequestInProgressError | UnprocessableEntityError

interface Binding {
  readonly middlewares: readonly Middleware[]
  readonly skipped: readonly string[]
  readonly access?: BoundAccess
  readonly isStale?: boolean
  /**
   * Whether the caller may, if that depends on the input. It runs before a stored answer is
   * repeated.
   */
  readonly check?: (c: HandlerContext<never>) => Promise<unknown>
  // The handler's input is the result of the route's schemas, which only the route itself knows.
  readonly handler?: (c: HandlerContext<never>) => unknown
}

interface Description {
  summary?: string
  description?: string
  tags?: readonly string[]
  /** Who may call, if the handler checks that itself. */
  asks?: MiddlewareDocuments
}

/**
 * An operation and, on the server, its handler. Without a handler it is a contract that a browser
 * can import. Every step returns a new route.
 */
export class Route<
  Input extends InputSchemas = InputSchemas,
  Body = unknown,
  Errors extends HttpError = HttpError,
  Path extends string = string,
> {
  // Never set: they carry the types from the contract to the client.
  declare readonly '~input': Input
  declare readonly '~body': Body
  declare readonly '~errors': Errors
  declare readonly '~path': Path
  readonly operation: Operation
  readonly binding: Binding

  constructor(operation: Operation, binding: Binding) {
    this.operation = operation
    this.binding = binding
  }

  /** Declares the input of the operation. Other input is refused before the handler runs. */
  input<Schemas extends InputSchemas>(input: Schemas): Route<Schemas, Body, Errors, Path> {
    return new Route({ ...this.operation, input }, this.binding)
  }

  /**
   * Limits the body of this operation, instead of the server's `limits({ bodyBytes })`: a larger
   * one is a 413.
   */
  body({ maxBytes }: { maxBytes: number }): Route<Input, Body, Errors, Path> {
    requireBytes(maxBytes, 0)
    return new Route({ ...this.operation, maxBodyBytes: maxBytes }, this.binding)
  }

  /**
   * Declares the answer of the operation. Without it, the handler decides the type. Other statuses
   * are for documents: a handler uses one by `c.json(body, status)`.
   */
  answer<Schema extends AnySchema>(
    schema: Schema,
    status = 200,
    ...otherStatuses: readonly number[]
  ): Route<Input, OutputOf<Schema>, Errors, Path> {
    return new Route({ ...this.operation, answer: { schema, status, otherStatuses } }, this.binding)
  }

  /** Declares its own refusals, so that callers get them typed. */
  errors<Classes extends readonly ErrorClass[]>(
    ...errors: Classes
  ): Route<Input, Body, InstanceType<Classes[number]>, Path> {
    return new Route({ ...this.operation, errors }, this.binding)
  }

  /** Words for the OpenAPI document. */
  describe(description: Description): Route<Input, Body, Errors, Path> {
    return new Route({ ...this.operation, ...description }, this.binding)
  }

  /**
   * Says what a program that chooses among tools reads of the operation, so that an endpoint can offer it as one. A
   * call of the tool is a call of the route: with its input, its access, its limits and its refusals.
   */
  tool(tool: ToolWords): Route<Input, Body, Errors, Path> {
    return new Route({ ...this.operation, tool }, this.binding)
  }

  /** Adds the operation to the contract of device clients, which `svc contract` prints. */
  inContract(name: string, { proof }: { proof: boolean }): Route<Input, Body, Errors, Path> {
    return new Route({ ...this.operation, contract: { name, proof } }, this.binding)
  }

  /**
   * Accepts the header `Idempotency-Key`: a repeated request gets the same answer, and has no
   * further effect. The handler runs in one transaction, which is its `c.db`, and its answer is
   * stored in it for a day.
   */
  idempotent(): Route<WithIdempotencyKey<Input>, Body, Errors | RepeatedErrors, Path> {
    const input = withIdempotencyKey(this.operation.input)
    return new Route({ ...this.operation, input, isIdempotent: true }, this.binding)
  }

  /**
   * Limits how often it is called: `.limit(perMinute(10), 'by caller')`, 'by address' or 'by tenant'. All instances count together.
   * One call too many is a `TooManyRequestsError`, before the body is read.
   */
  limit(limit: RateLimit, by: CountedBy): Route<Input, Body, Errors, Path> {
    const { limits = [] } = this.operation
    return new Route({ ...this.operation, limits: [...limits, { ...limit, by }] }, this.binding)
  }

  /** Adds middleware that runs after the router's, in this order. */
  use(middlewares: readonly Middleware[]): Route<Input, Body, Errors, Path> {
    const all = [...this.binding.middlewares, ...middlewares]
    return new Route(this.operation, { ...this.binding, middlewares: all })
  }

  /** Leaves out the router's middleware of these names. */
  skip(names: readonly string[]): Route<Input, Body, Errors, Path> {
    const skipped = [...this.binding.skipped, ...names]
    return new Route(this.operation, { ...this.binding, skipped })
  }

  /**
   * Allows answers that are some seconds old: `c.db` reads from the replica of
   * `DATABASE_URL_REPLICA`, and refuses to write. Without a replica, or while it is down or too far
   * behind, it reads from the primary.
   */
  stale(): Route<Input, Body, Errors, Path> {
    return new Route(this.operation, { ...this.binding, isStale: true })
  }

  /** Sets the function of the operation. */
  handler<Returned extends Returnable<Body>>(
    // Inferring from the check, too, would cost a seventh of all types of a thousand routes.
    handler: Handler<Input, Returned> & NoInfer<AnswersJson<Input, Body, Returned>>,
  ): Route<Input, unknown extends Body ? BodyOf<Returned> : Body, Errors, Path> {
    return new Route(this.operation, { ...this.binding, handler })
  }
}

// Nothing is declared yet, so no input is allowed.
type NoInput = {}

const start =
  (method: Method) =>
  <Path extends string>(path: Path) =>
    new Route<NoInput, unknown, never, Path>(
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
