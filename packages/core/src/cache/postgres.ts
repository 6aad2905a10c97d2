import { ServiceUnavailableError } from '../errors/contract.ts'
import type { Log } from '../observation/observation.ts'
import { watchBirths } from './births.ts'
import type { Cache } from './cache.ts'
import { Channels } from './channels.ts'
import { CacheConnectionError } from './connection-error.ts'
import { Interruptions } from './interruptions.ts'
import { PostgresListener } from './postgres-listener.ts'
import { createPublisher } from './postgres-publisher.ts'
import { openSpending } from './postgres-spending.ts'
import { openStatements } from './postgres-statements.ts'
import { startSweeping } from './postgres-sweep.ts'
import { valuesIn } from './postgres-values.ts'

/** The application's own database: up to four connections for commands and one that listens. */
export async function connectPostgresCache(
  url: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<Cache> {
  const channels = new Channels(log)
  const interruptions = new Interruptions(log)
  const statements = openStatements(url)
  const { spend, seeBirth } = openSpending(statements, { onBorn: watchBirths(log) })
  const onBack = () => {
    void seeBirth()
    interruptions.tell()
  }
  const listener = new PostgresListener(url, { channels, log, onBack })
  await listener.open().catch(async (cause: unknown) => {
    listener.close()
    await statements.close()
    throw new CacheConnectionError(
      'The database cannot be used as the cache: check that its migrations are applied, and that no pooler shares its connections between transactions.',
      { cause },
    )
  })
  await seeBirth()
  const values = valuesIn(statements)
  const publish = createPublisher(statements)
  const stopSweeping = startSweeping(statements)

  return {
    shared: true,
    countsEveryInstance: false,
    get: (key) => answer(values.get(key)),
    set: (key, value, ttlMillis) => answer(values.set(key, value, ttlMillis)),
    setIfAbsent: (key, value, ttlMillis) => answer(values.setIfAbsent(key, value, ttlMillis)),
    spend: (key, given) => answer(spend(key, given)),
    take: (key) => answer(values.take(key)),
    increment: (key, ttlMillis) => answer(values.increment(key, ttlMillis)),
    delete: (key) => answer(values.delete(key)),
    async publish(channel, message) {
      await answer(publish(channel, message))
      return listener.isListening ? channels.count(channel) : 0
    },
    async subscribe(channel, handler) {
      const leave = await answer(listener.subscribe(channel, handler))
      return async () => void leave()
    },
    get isListening() {
      return listener.isListening
    },
    onInterruption: (handler) => interruptions.add(handler),
    isUp: () =>
      statements.run({ name: 'svc_cache_is_up', text: 'select' }).then(
        () => true,
        () => false,
      ),
    async close() {
      stopSweeping()
      listener.close()
      await statements.close()
    },
  }
}

/** Every failure of the database becomes a 503: the cache can't be used right now. */
async function answer<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    throw new ServiceUnavailableError({ cause })
  }
}
