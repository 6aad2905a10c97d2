import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../cache/cache.ts'
import type { Database } from '../database/connect.ts'
import { afterCommit, currentTransaction, outsideTransaction } from '../database/transaction.ts'
import type { Log } from '../observation/logger.ts'
import type { Observer } from '../observation/observer.ts'
import { broadcaster } from './broadcasters.ts'
import { type EmitOptions, type EmittedEvent, hand, installEmitter } from './emitter.ts'
import { readEventEnv } from './env.ts'
import { EventPayloadError } from './errors.ts'
import { EventBroadcaster } from './event-broadcaster.ts'
import { type Check, payloadCheck } from './payload-check.ts'

interface Needs {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly database?: Pick<Database, 'db'>
  readonly cache?: Cache
  /** Whether events are for every instance, where the cache is shared; they are unless this is false. */
  readonly multiInstance?: boolean
  readonly channelPrefix?: string
  readonly observer?: Observer
}

/**
 * Makes every `emit` of this process the server's: the payload is checked, jobs are written with the open transaction,
 * handlers wait for its commit, and other instances hear of it.
 */
export function connectEvents(needs: Needs) {
  const { log, observer } = needs
  const uninstall = installEmitter({ emit: observedEmit(needs), log, observer })
  const broadcasting = broadcastingFor(needs)
  return {
    /** Resolves when every event that has a subscriber by now is heard from other instances. */
    wired: async () => {
      await broadcasting?.wired()
    },
    close: async () => {
      await broadcasting?.close()
      uninstall()
    },
  }
}

function broadcastingFor({ cache, multiInstance = true, channelPrefix }: Needs) {
  if (!cache?.shared || !multiInstance) return undefined
  const { SVC_SSE_CHANNEL_PREFIX } = readEventEnv()
  return new EventBroadcaster({ cache, channelPrefix: channelPrefix ?? SVC_SSE_CHANNEL_PREFIX })
}

function observedEmit({ database, observer }: Needs) {
  const emit = emitWith(database, observer)
  if (!observer) return emit
  return (event: EmittedEvent, given: unknown, options: EmitOptions) =>
    observer.around({ kind: 'emit', name: event.name }, () => emit(event, given, options))
}

function emitWith(database: Needs['database'], observer: Needs['observer']) {
  const checkOf = rememberedChecks()
  // What is opened for an event outlives the request that emits it first.
  const apart = AsyncLocalStorage.snapshot()

  function carry(event: EmittedEvent, payload: unknown) {
    const wires = event['~wire'] ? undefined : broadcaster()
    if (wires) apart(() => wires.wire(event))
    return hand(event, payload)
  }

  async function emitAtOnce(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    const checked = payload instanceof Promise ? await payload : payload
    if (event['~jobs'].size > 0) await enqueueApart(event, given, database)
    const waiting = carry(event, checked)
    if (waiting) await waiting
  }

  async function emitAfterCommit(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    // Registered before anything is awaited: the transaction may end while this emission is under way.
    const carryOn = async () => carry(event, await payload)
    await afterCommit(observer ? observer.bind(carryOn) : carryOn)
    await payload
    await enqueueAll(event, given)
  }

  return async (event: EmittedEvent, given: unknown, { now = false }: EmitOptions) => {
    if (!currentTransaction()) return emitAtOnce(event, given)
    return now ? outsideTransaction(() => emitAtOnce(event, given)) : emitAfterCommit(event, given)
  }
}

/** Jobs get what was emitted, not what the schema made of it: it is checked again when it is read. */
async function enqueueAll(event: EmittedEvent, given: unknown) {
  for (const job of event['~jobs']) await job['~enqueue'](given)
}

/** In a transaction of its own where there are several, so that all of the jobs are written or none. */
function enqueueApart(event: EmittedEvent, given: unknown, database: Needs['database']) {
  const enqueue = () => enqueueAll(event, given)
  return event['~jobs'].size === 1 || !database ? enqueue() : database.db.transaction(enqueue)
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
