import type { Cache } from '../cache/cache.ts'
import type { Clock, ClockWatch } from '../clock/clock.ts'
import type { Database, StaleReads } from '../database/server.ts'
import type { DeclaredEnv, EnvironmentSource } from '../env/env.ts'
import { ServiceUnavailableError } from '../errors/contract.ts'
import type { LimitHits, RouteLimits } from '../limits/limits.ts'
import type { Log, Metrics, Observer } from '../observation/observation.ts'

export { isThenable } from './is-thenable.ts'

export interface MigrationCount {
  readonly applied: number
  readonly pending: number
}

/** An open stream, as operators of the application see it. */
export interface OpenStream {
  /** Its id, unique on all instances. */
  readonly id: string
  readonly kind: 'sse' | 'websocket'
  /** The subject of the stream; unset if streams are not authenticated. */
  readonly subject?: string
  /** The account behind the subject. */
  readonly owner?: string
  /** The credential that its token was made with, such as the id of a key. */
  readonly credential?: string
  readonly events: readonly string[]
  readonly openedAt: string
  /** The client's address. */
  readonly address?: string
  /** Bytes that wait in the process because the client does not read them. */
  readonly waitingBytes: number
  /** Distinguishes its process from the others. */
  readonly instance: string
}

/** Which open streams to list. */
export interface StreamQuery {
  /** Only the streams of this account. */
  readonly owner?: string | undefined
  readonly subject?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** How many are on a page: 20 unless set, 100 at most. */
  readonly limit?: number | undefined
}

/** A page of the open streams of all instances. */
export interface StreamList {
  /** The newest first. */
  readonly streams: readonly OpenStream[]
  /** How many there are, on all pages. */
  readonly total: number
  /** Where the next page begins; unset on the last one. */
  readonly next?: string
  /**
   * False if instances share no cache, or no events: then these are only the streams of this
   * process.
   */
  readonly isShared: boolean
  /**
   * How many instances have answered, including this one, and how many were asked, if the cache
   * knows that.
   */
  readonly instances: { readonly answered: number; readonly asked?: number }
}

/** The open streams of a server: code that takes rights away ends them here. */
export interface RunningStreams {
  /** How many were opened by a token, on this instance. */
  readonly size: number
  /** Ends the streams that these credentials opened; without a list, all of the account's. */
  end(owner: string, credentials?: readonly string[]): void
  /** Asks again which events the account's streams may get. */
  reauthorize(owner: string): void
  /** The accounts that have an open stream on this instance. */
  owners(): string[]
  /** Checks every credential now, after a change that may affect the rights of any user. */
  recheck(): void
  /**
   * The streams of all instances, which have a second to answer. If the cache can't be reached, it
   * rejects with a `ServiceUnavailableError`.
   */
  list(query?: StreamQuery): Promise<StreamList>
  /** One, of any instance; null if there is none with this id. Its account never changes. */
  find(id: string): Promise<OpenStream | null>
  /**
   * Ends one, on any instance, and returns it; null if there is none with this id. Its client may
   * reconnect: only its credential decides about that.
   */
  endOne(id: string): Promise<OpenStream | null>
}

/** What has become of a job: it waits for its first run or for another try, runs, or is over. */
export type JobState = 'waiting' | 'running' | 'failed' | 'done' | 'cancelled'

/** The jobs of one name. */
export interface JobQueueState {
  readonly job: string
  /** Waiting, and may run now. */
  readonly due: number
  /** Waiting for their time: jobs with `startAfter`, and those that are tried again. */
  readonly later: number
  readonly running: number
  readonly failed: number
  /** True if there may be more: at most 1,000 of a state are counted. */
  readonly hasMore: boolean
  /** Where it runs on time. */
  readonly cron?: {
    readonly expression: string
    readonly timezone: string
    readonly nextRunAt: string
  }
}

/** A job in the queue, without its input, which may be private. */
export interface QueuedJob {
  readonly id: string
  readonly job: string
  readonly state: JobState
  /** How often it was started, with the run that is under way. */
  readonly attempt: number
  /** How often it is tried again after the first run. */
  readonly retryLimit: number
  readonly createdAt: string
  /** It waits until then. */
  readonly startAfter: string
  /** Of the last run. */
  readonly startedAt?: string
  /** When it was done, cancelled, or failed for good. */
  readonly finishedAt?: string
  /** What its last run failed with, where it has failed or is tried again. */
  readonly error?: { readonly name: string; readonly message: string }
}

/** One of them, as its row has it: its input and the stack of its error may be private. */
export interface QueuedJobDetails extends QueuedJob {
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string }
  /** Not set if it has none, or one of more than 100,000 characters of JSON. */
  readonly input?: unknown
}

/** Which jobs in the queue to list. */
export interface QueuedJobQuery {
  /** Those of this name. */
  readonly job?: string | undefined
  readonly state?: JobState | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** How many are on a page: 20 unless set, 100 at most. */
  readonly limit?: number | undefined
}

/** A page of the jobs in the queue. */
export interface QueuedJobList {
  /** The newest first. */
  readonly jobs: readonly QueuedJob[]
  /** Where the next page begins; unset on the last. */
  readonly next?: string
}

/** Whether a job was moved, and the state it is in. */
export interface JobMove {
  readonly isMoved: boolean
  readonly state: JobState
}

/** The jobs that a server runs, on all instances. */
export interface RunningJobs {
  queues(): Promise<JobQueueState[]>
  list(query?: QueuedJobQuery): Promise<QueuedJobList>
  /** One job with its input. Null if no job of this server has this id. */
  find(id: string): Promise<QueuedJobDetails | null>
  /**
   * Has a failed job run once more, with what it was given. In an open transaction, it moves when that commits. Null
   * where no job has this id and name.
   */
  retry(id: string, job: string): Promise<JobMove | null>
  /** Ends a job that waits. One that runs goes on. */
  cancel(id: string, job: string): Promise<JobMove | null>
}

/** The parts of a running server. A part that is not configured is absent. */
export interface Infrastructure {
  readonly database?: Database
  /** @internal The database for routes that are declared `.stale()`. */
  readonly staleReads?: StaleReads
  /** The state of the migrations when the server started. */
  readonly migrations?: MigrationCount
  readonly cache: Cache
  /** @internal Counts the calls of routes that have a limit. */
  readonly limits: RouteLimits
  /** @internal How often a limit of this process has refused. */
  readonly limitHits: LimitHits
  readonly clock: Clock
  /** @internal Set if the clock is not a test's and there is a database to compare it with. */
  readonly clockWatch?: ClockWatch
  readonly log: Log
  /** The variables that the server was started with, for a package whose routes depend on its own. */
  readonly source: EnvironmentSource
  /** The application's variables, by the reader that was given to `.env(reader)`. */
  readonly env: DeclaredEnv
  readonly streams: RunningStreams
  /** Set once the jobs run, if the server has jobs. It is not set yet when packages start. */
  readonly jobs?: RunningJobs
  /** Set if metrics are on: metrics that are declared here are shown with the server's own. */
  readonly metrics?: Metrics
  /** @internal Set if traces or metrics are on. */
  readonly observer?: Observer
  /**
   * The origins under which clients reach this server: a signed request may name them as its
   * audience.
   */
  readonly ownOrigins: ReadonlySet<string>
  /** The other origins that the application has listed: their pages may call this server. */
  readonly listedOrigins: readonly string[]
  readonly trustedProxyHops: number
  readonly bodyLimitBytes: number
  /** @internal The bytes of bodies that this process holds. */
  readonly bodies: BodiesUnderWay
  /** @internal The bytes of bodies that lie in temporary files. */
  readonly spooled: BodiesUnderWay
  readonly handlerLimitMillis: number
  /** Aborted when the server stops. A handler that waits for others has to respond then. */
  readonly stopping: AbortSignal
}

/** A body that is arriving. */
export interface ArrivingBody {
  /** How many bytes of the shared limit it uses. */
  heldBytes: number
  /** Refuses its request and releases what has arrived. The first refusal counts. */
  refuse(error: Error): void
}

// The memory of a buffer of one byte: a body that arrives byte by byte takes hundreds of times its
// size.
const leastBytesOfChunk = 256

/**
 * The bytes of bodies that this process holds, from their arrival until their requests are over. When there is no room
 * left, the largest body that is still arriving is refused, so that many slow senders can't keep a small body out.
 */
export class BodiesUnderWay {
  readonly #limitBytes: number
  readonly #arriving = new Set<ArrivingBody>()
  #heldBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get heldBytes() {
    return this.#heldBytes
  }

  /** A chunk of it has arrived. */
  add(body: ArrivingBody, chunk: { readonly length: number }) {
    const takes = Math.max(chunk.length, leastBytesOfChunk)
    body.heldBytes += takes
    this.#heldBytes += takes
    this.#arriving.add(body)
    while (this.#heldBytes > this.#limitBytes && this.#arriving.size > 0) this.#refuseLargest()
  }

  /** The whole body has arrived. It is held until it is dropped. */
  finish(body: ArrivingBody) {
    this.#arriving.delete(body)
  }

  /** Releases it. Further calls do nothing. */
  drop(body: ArrivingBody) {
    this.#arriving.delete(body)
    this.#heldBytes -= body.heldBytes
    body.heldBytes = 0
  }

  #refuseLargest() {
    const largest = [...this.#arriving].reduce((one, other) =>
      other.heldBytes > one.heldBytes ? other : one,
    )
    this.drop(largest)
    largest.refuse(
      new ServiceUnavailableError({ message: 'Too many bodies are arriving. Try again.' }),
    )
  }
}
