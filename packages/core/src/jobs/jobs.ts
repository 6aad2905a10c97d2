import type { Clock } from '../clock/clock.ts'
import type { Db } from '../database/database.ts'
import type { DeclaredEnv } from '../env/env.ts'
import type { AnyEvent, EventDefinition } from '../events/contract.ts'
import { currentServer, type Emitter, type EventJob, isOneApplication } from '../events/events.ts'
import type { Log } from '../observation/observation.ts'
import type { AnySchema, InputOf, OutputOf } from '../schema/schema.ts'

/** What a job's handler gets besides the input. */
export interface JobContext {
  /** It has the settings of the request or job that enqueued this one. */
  readonly db: Db
  /** Names the job and its id in every line. */
  readonly log: Log
  readonly clock: Clock
  /** The application's variables, by the reader that the server's `.env()` was given. */
  readonly env: DeclaredEnv
  /** Aborts when the job has taken too long, or when the server can't wait for it any longer. */
  readonly signal: AbortSignal
  /**
   * 1 for the first attempt. An earlier one may have failed half-way: a job can run more than once.
   */
  readonly attempt: number
}

type JobHandler<Input> = (input: Input, context: JobContext) => unknown

export interface RetryOptions {
  /** How often it is retried. 10 unless set. */
  limit?: number
  /** Before the first retry; each later one waits twice as long, up to 15 minutes. 2 unless set. */
  delaySeconds?: number
}

interface EnqueueOptions {
  /** The job does not run before this moment. */
  startAfter?: Date
}

/** The arguments of `enqueue`: a job without input needs none. */
type EnqueueArguments<Given> = undefined extends Given
  ? [input?: Given, options?: EnqueueOptions]
  : [input: Given, options?: EnqueueOptions]

interface Cron {
  readonly expression: string
  readonly timezone: string
}

interface JobDeclaration {
  readonly name: string
  readonly schema?: AnySchema
  readonly events: readonly AnyEvent[]
  readonly cron?: Cron
  readonly retry: Required<RetryOptions>
}

/** The queue of a running server for a job's rows. */
export interface JobQueue {
  add(job: AnyJob, input: unknown, options: EnqueueOptions): Promise<void>
}

// A job of any input: a handler's parameter is contravariant.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyJob = Job<any, any>

/**
 * Work that outlives the request that asked for it. Its name is also that of its queue in the
 * database.
 */
export class Job<Input = unknown, Given = Input> implements EventJob {
  readonly declaration: JobDeclaration
  /** @internal */
  readonly '~handler': JobHandler<Input>
  readonly #queues: { readonly server: Emitter | undefined; readonly queue: JobQueue }[] = []

  constructor(declaration: JobDeclaration, handler: JobHandler<Input>) {
    this.declaration = declaration
    this['~handler'] = handler
  }

  get name() {
    return this.declaration.name
  }

  /** Writes the job's row, in the open transaction if there is one: a rollback drops it, a commit keeps it. */
  async enqueue(...[input, options]: EnqueueArguments<Given>): Promise<void> {
    await this.#queue().add(this, input, options ?? {})
  }

  /** @internal */
  '~enqueue'(input: unknown) {
    return this.#queue().add(this, input, {})
  }

  /**
   * @internal A job is a value of the application, so a server tells it on start where its rows go.
   */
  '~bind'(queue: JobQueue) {
    const bound = { server: currentServer(), queue }
    this.#queues.push(bound)
    for (const event of this.declaration.events) event['~jobs'].add(this)
    return () => {
      this.#queues.splice(this.#queues.indexOf(bound), 1)
      if (this.#queues.length > 0) return
      for (const event of this.declaration.events) event['~jobs'].delete(this)
    }
  }

  /** @internal Whether this server runs it. */
  '~isOf'(server: Emitter) {
    return this.#queuesOf(server).length > 0
  }

  #queue() {
    const queues = this.#queuesOf(currentServer())
    if (!isOneApplication(queues.map(({ server }) => server))) {
      throw new Error(
        `${queues.length} servers of this process have the job ${this.name}. Enqueue it in a request, a job or a transaction of the one that is to run it, or in its within().`,
      )
    }
    const last = queues.at(-1)
    if (last) return last.queue
    throw new Error(
      `No running server has the job ${this.name}: pass it to defineJobRouter, and that to the server's .jobs().`,
    )
  }

  #queuesOf(asked: Emitter | undefined) {
    return this.#queues.filter(({ server }) => !asked || !server || server === asked)
  }
}

/**
 * A job without its handler. Every step returns a new one. `Tick` is the input of a scheduled run.
 */
class JobBuilder<Input, Given, Tick extends undefined = never> {
  readonly #declaration: JobDeclaration

  constructor(declaration: JobDeclaration) {
    this.#declaration = declaration
  }

  /** Declares the input of the job. */
  input<Schema extends AnySchema>(
    schema: Schema,
  ): JobBuilder<OutputOf<Schema>, InputOf<Schema>, Tick> {
    return new JobBuilder({ ...this.#declaration, schema })
  }

  /**
   * Runs on every emission of the event. The payload is the input, so the job's own schema must
   * accept it.
   */
  on<Payload, Emitted extends Given | NoneYet<Given>>(
    event: EventDefinition<Payload, Emitted>,
  ): undefined extends Given ? JobBuilder<Payload, Emitted, Tick> : JobBuilder<Input, Given, Tick> {
    const { schema = event.schema, events, ...rest } = this.#declaration
    const declaration = { ...rest, ...(schema && { schema }), events: [...events, event] }
    // The condition above has decided which of the two it is.
    return new JobBuilder(declaration) as never
  }

  /**
   * Runs on a schedule, once even with several instances, and then without an input. UTC unless you
   * name a time zone.
   */
  cron(
    expression: string,
    { timezone = 'UTC' }: { timezone?: string } = {},
  ): JobBuilder<Input, Given, undefined> {
    return new JobBuilder({ ...this.#declaration, cron: { expression, timezone } })
  }

  /** How a failing job is retried. */
  retry(retry: RetryOptions): JobBuilder<Input, Given, Tick> {
    const { retry: initial } = this.#declaration
    return new JobBuilder({ ...this.#declaration, retry: { ...initial, ...retry } })
  }

  /** Sets the function of the job. */
  handler(handler: JobHandler<Input | Tick>): Job<Input | Tick, Given> {
    return new Job(this.#declaration, handler)
  }
}

/** As long as no input is declared, an event with any payload is allowed. */
type NoneYet<Given> = undefined extends Given ? unknown : never

// Each wait is twice the one before, together about half an hour: longer than a deploy, or a
// restart of what the job needs.
const initialRetry = { limit: 10, delaySeconds: 2 }

/** Starts a job: `defineJob('ship-mail').on(orderShipped).handler(async ({ orderId }) => …)`. */
export function defineJob(name: string): JobBuilder<undefined, undefined> {
  return new JobBuilder({ name, events: [], retry: initialRetry })
}

/** The jobs of a server, for `defineJobRouter`. */
export type JobRouter = Readonly<Record<string, AnyJob>>

/** The jobs that a server runs. */
export function defineJobRouter<Jobs extends JobRouter>(jobs: Jobs): Jobs {
  return jobs
}
