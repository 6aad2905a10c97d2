import type { Database } from '../database/connect.ts'
import { afterCommit, currentTransaction, outsideTransaction } from '../database/transaction.ts'
import type { Log } from '../infrastructure/logger.ts'
import { type EmittedEvent, installEmitter } from './emitter.ts'
import { EventPayloadError } from './errors.ts'
import { type Check, payloadCheck } from './payload-check.ts'

interface Needs {
  readonly log: Pick<Log, 'error'>
  readonly database?: Pick<Database, 'db'>
}

/**
 * Makes every `emit` of this process the server's: the payload is checked, jobs are written with the open transaction,
 * handlers wait for its commit. Answers what ends that.
 */
export function connectEvents({ log, database }: Needs): () => void {
  const checkOf = rememberedChecks()

  function deliver(event: EmittedEvent, payload: unknown) {
    return event['~deliver'](payload, (error) => {
      log.error({ err: error, event: event.name }, 'an event handler failed')
    })
  }

  async function emitAtOnce(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    const checked = payload instanceof Promise ? await payload : payload
    if (event['~jobs'].size > 0) await enqueueApart(event, given, database)
    const waiting = deliver(event, checked)
    if (waiting) await waiting
  }

  async function emitAfterCommit(event: EmittedEvent, given: unknown) {
    const payload = checkOf(event)?.(given)
    // Registered before anything is awaited: the transaction may end while this emission is under way.
    await afterCommit(async () => deliver(event, await payload))
    await payload
    await enqueueAll(event, given)
  }

  return installEmitter(async (event, given, { now = false }) => {
    if (!currentTransaction()) return emitAtOnce(event, given)
    return now ? outsideTransaction(() => emitAtOnce(event, given)) : emitAfterCommit(event, given)
  })
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
