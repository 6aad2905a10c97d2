import type { Clock } from '../clock/clock.ts'
import type { Db } from '../database/database.ts'
import type { DeclaredEnv } from '../env/env.ts'
import type { AnyEvent, EventDefinition } from '../events/contract.ts'
import { currentServer, type Emitter, type EventJob, isOneApplication } from '../events/events.ts'
import type { Log } from '../observation/observation.ts'
import type { AnySchema, InputOf, OutputOf } from '../schema/schema.ts'

export interface JobContext {
  readonly db: Db
  /** Names the job and its id in every line. */
  readonly log: Log
  readonly clock: Clock
  /** The application's variables, by the reader that the server's `.env()` was given. */
  readonly env: DeclaredEnv
  /** Aborts when the job has taken too long, or the server can wait for it no longer. */
  readonly signal: AbortSignal
  /** 1 for the first, which may have failed half-way before this one: a job can run more than once. */
  readonly attempt: number
}

type JobHandler<Input> = (input: Input, context: JobContext) => unknown

export interface RetryOptions {
  /** How often it is tried again. 10 unless set. */
  limit?: number
  /** Before the first retry; each later one waits twice as long, up to 15 minutes. 2 unless set. */
  delaySeconds?: number
}

interface EnqueueOptions {
  /** Does not run before this moment. */
  startAfter?: Date
}

/** What `enqueue` takes: a job without input needs none. */
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

/** Where a running server puts a job's rows. */
export interface JobQueue {
  add(job: AnyJob, input: unknown, options: EnqueueOptions): Promise<void>
}

// A job of any input: what its handler takes is contravariant.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyJob = Job<any, any>

/** Work that outlives the request that asked for it, by name: its queue in the database is called the same. */
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

  /** @internal A job is a value of the application's, so a server tells it on start where its rows go. */
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

/** A job without its handler. Every step answers a new one. `Tick` is what a scheduled run has for an input. */
class JobBuilder<Input, Given, Tick extends undefined = never> {
  readonly #declaration: JobDeclaration

  constructor(declaration: JobDeclaration) {
    this.#declaration = declaration
  }

  /** Declares what the job is given. */
  input<Schema extends AnySchema>(
    schema: Schema,
  ): JobBuilder<OutputOf<Schema>, InputOf<Schema>, Tick> {
    return new JobBuilder({ ...this.#declaration, schema })
  }

  /** Runs on every emission of the event: its payload is the input, and what the job's own schema has to take. */
  on<Payload, Emitted extends Given | NoneYet<Given>>(
    event: EventDefinition<Payload, Emitted>,
  ): undefined extends Given ? JobBuilder<Payload, Emitted, Tick> : JobBuilder<Input, Given, Tick> {
    const { schema = event.schema, events, ...rest } = this.#declaration
    const declaration = { ...rest, ...(schema && { schema }), events: [...events, event] }
    // Which of the two it is, the condition above has decided.
    return new JobBuilder(declaration) as never
  }

  /** Runs on time, once however many instances there are, and then without an input. UTC unless a zone is named. */
  cron(
    expression: string,
    { timezone = 'UTC' }: { timezone?: string } = {},
  ): JobBuilder<Input, Given, undefined> {
    return new JobBuilder({ ...this.#declaration, cron: { expression, timezone } })
  }

  /** How a failing job is tried again. */
  retry(retry: RetryOptions): JobBuilder<Input, Given, Tick> {
    const { retry: initial } = this.#declaration
    return new JobBuilder({ ...this.#declaration, retry: { ...initial, ...retry } })
  }

  /** Binds what the job does. */
  handler(handler: JobHandler<Input | Tick>): Job<Input | Tick, Given> {
    return new Job(this.#declaration, handler)
  }
}

/** While no input is declared, an event of any payload will do. */
type NoneYet<Given> = undefined extends Given ? unknown : never

// With every wait doubled, about half an hour: longer than a deploy or a restart of what it needs.
const initialRetry = { limit: 10, delaySeconds: 2 }

/** Starts a job: `defineJob('ship-mail').on(orderShipped).handler(async ({ orderId }) => …)`. */
export function defineJob(name: string): JobBuilder<undefined, undefined> {
  return new JobBuilder({ name, events: [], retry: initialRetry })
}

export type JobRouter = Readonly<Record<string, AnyJob>>

/** The jobs that a server runs. */
export function defineJobRouter<Jobs extends JobRouter>(jobs: Jobs): Jobs {
  return jobs
}
