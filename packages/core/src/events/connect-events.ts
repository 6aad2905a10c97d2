import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../cache/cache.ts'
import {
  afterCommit,
  currentTransaction,
  type Db,
  homeOf,
  outsideTransaction,
} from '../database/database.ts'
import type { Database } from '../database/server.ts'
import type { Log, Observer } from '../observation/observation.ts'
import {
  currentServer,
  deliver,
  type EmitOptions,
  type EmittedEvent,
  type Emitter,
  type EventJob,
  type EventRecorder,
  hand,
  installEmitter,
} from './emitter.ts'
import { readEventEnv } from './env.ts'
import { EventPayloadError } from './errors.ts'
import { EventBroadcaster } from './event-broadcaster.ts'
import { type Check, payloadCheck } from './payload-check.ts'

interface Needs {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly database?: Pick<Database, 'db' | 'url'>
  readonly cache?: Cache
  /** Whether events reach every instance, if the cache is shared. They do unless this is false. */
  readonly multiInstance?: boolean
  readonly channelPrefix?: string
  readonly observer?: Observer
  /** Stores the events of routers with a history. */
  readonly recorder?: EventRecorder | undefined
  /** Knows the followers of channels. */
  readonly presence?: Pick<Emitter, 'present'> | undefined
}

/** The server that the running code belongs to. */
const contexts = new AsyncLocalStorage<Emitter>()

/** The database of each server. */
const databases = new WeakMap<Emitter, Db>()

/**
 * The database of the server that this request, job or start belongs to, or that of the open
 * transaction. Undefined elsewhere: then the caller must know which server is meant.
 */
export function currentDb(): Db | undefined {
  const server = currentServer()
  return server && databases.get(server)
}

/**
 * Connects the events that this server's code emits with this server: the payload is checked, jobs
 * are written with the open transaction, handlers wait for its commit, and other instances get the
 * event.
 */
export function connectEvents(needs: Needs) {
  const { log, observer, database, recorder } = needs
  const within = <Result>(run: () => Result): Result =>
    contexts.getStore() === server ? run() : contexts.run(server, run)
  let broadcasting: EventBroadcaster | undefined
  const wireOf = (event: EmittedEvent) => recorder?.wireOf(event) ?? broadcasting?.wireOf(event)
  const emit = observedEmit(needs, {
    hand: (event, payload) => hand(server, event, payload),
    unwired: (event) => (event['~wire'] || wireOf(event) ? undefined : broadcasting),
    record: (event, payload) =>
      recorder?.keeps(event) ? recorder.record(event, payload) : undefined,
    jobsOf: (event) => [...event['~jobs']].filter((job) => job['~isOf'](server)),
  })
  const server: Emitter = {
    emit: (...given) => within(() => emit(...given)),
    log,
    observer,
    databaseUrl: database?.url,
    keeps: (event) => recorder?.keeps(event) ?? false,
    wireOf,
    present: needs.presence?.present,
    context: () => contexts.getStore(),
    hasTransaction: () => {
      const tx = database && currentTransaction()
      return tx ? homeOf(tx) === database.db : false
    },
    within,
  }
  if (database) databases.set(server, database.db)
  const uninstall = installEmitter(server)
  broadcasting = broadcastingFor(server, needs)
  recorder?.handBackTo((...given) => void deliver(server, ...given))
  return {
    /** Runs a function as a part of this server. */
    within,
    /** Tells when events of other instances may be missing; undefined if there are none. */
    gaps: broadcasting?.gaps,
    /** The prefix of the channels on which they come. */
    channelPrefix: broadcasting?.channelPrefix,
    /**
     * Resolves when this server gets every event that has a subscriber by now from other instances.
     */
    wired: async () => {
      await broadcasting?.wired()
    },
    close: async () => {
      await broadcasting?.close()
      uninstall()
    },
  }
}

function broadcastingFor(
  server: Emitter,
  { cache, multiInstance = true, channelPrefix, recorder }: Needs,
) {
  if (!cache?.shared || !multiInstance) return undefined
  const { SVC_SSE_CHANNEL_PREFIX } = readEventEnv()
  return new EventBroadcaster({
    server,
    cache,
    channelPrefix: channelPrefix ?? SVC_SSE_CHANNEL_PREFIX,
    isCarried: (event) => recorder?.wireOf(event) !== undefined,
  })
}

/** What this server does with an emission. */
interface Ways {
  hand(event: EmittedEvent, payload: unknown): Promise<void> | undefined
  /**
   * The broadcaster that must carry the event from now on; undefined if one does already, or if
   * none must.
   */
  unwired(event: EmittedEvent): EventBroadcaster | undefined
  jobsOf(event: EmittedEvent): readonly EventJob[]
  /** The payload may be a promise. Undefined for an event that is not stored. */
  record(event: EmittedEvent, payload: unknown): Promise<void> | undefined
}

function observedEmit({ database, observer }: Needs, ways: Ways) {
  const emit = emitWith(ways, { database, observer })
  if (!observer) return emit
  return (event: EmittedEvent, given: unknown, options: EmitOptions) =>
    observer.around({ kind: 'emit', name: event.name }, () => emit(event, given, options))
}

function emitWith(
  ways: Ways,
  { database, observer }: { database: Needs['database']; observer: Needs['observer'] },
) {
  const checkOf = rememberedChecks()
  // What is opened for an event lives longer than the request that emits it first.
  const apart = AsyncLocalStorage.snapshot()

  function carry(event: EmittedEvent, payload: unknown) {
    const wires = ways.unwired(event)
    if (wires) apart(() => wires.wire(event))
    return ways.hand(event, payload)
  }

  async function emitAtOnce(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    const checked = payload instanceof Promise ? await payload : payload
    const jobs = event['~jobs'].size > 0 ? ways.jobsOf(event) : []
    const recording = ways.record(event, checked)
    if (recording) await recording
    if (jobs.length > 0) await enqueueApart(jobs, given, database)
    const waiting = carry(event, checked)
    if (waiting) await waiting
  }

  async function emitAfterCommit(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    // Registered before the first await: the transaction may end while this emission is running.
    const carryOn = async () => carry(event, await payload)
    const recording = ways.record(event, payload)
    await afterCommit(observer ? observer.bind(carryOn) : carryOn)
    await payload
    await recording
    await enqueueAll(ways.jobsOf(event), given)
  }

  return async (event: EmittedEvent, given: unknown, { now = false }: EmitOptions) => {
    if (!currentTransaction()) return emitAtOnce(event, given)
    return now ? outsideTransaction(() => emitAtOnce(event, given)) : emitAfterCommit(event, given)
  }
}

/**
 * Jobs get the emitted payload, not the result of its schema: the payload is checked again when it
 * is read.
 */
async function enqueueAll(jobs: readonly EventJob[], given: unknown) {
  for (const job of jobs) await job['~enqueue'](given)
}

/** Several jobs are written in a transaction of their own, so that all are written or none. */
function enqueueApart(jobs: readonly EventJob[], given: unknown, database: Needs['database']) {
  const enqueue = () => enqueueAll(jobs, given)
  return jobs.length === 1 || !database
    ? enqueue()
    : database.db.transaction(enqueue, { retry: true })
}

function rememberedChecks() {
  const checks = new WeakMap<EmittedEvent, Check>()
  return (event: EmittedEvent) => {
    const { schema, name } = event
    if (!schema) return undefined
    const known = checks.get(event)
    if (known) return known
    const check = payloadCheck(schema, 'payload', (fields) => new EventPayloadError(name, fields))
    checks.set(event, check)
    return check
  }
}
