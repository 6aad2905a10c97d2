import { Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../../observation/observation.ts'
import type { RedisAddress, RedisNode } from './address.ts'
import { primaryConnector } from './primary-connector.ts'
import { type ConnectionOptions, createFinder } from './primary-finder.ts'

/** A token is refused within a second while the server is stalled, and the answer takes some of it. */
const answerMillis = 800

/** A connection that has said nothing for this long is given up: a cut cable closes no socket. */
const silenceMillis = 2000

/**
 * After a failover the old primary may still answer, and refuses the commands that it may no longer
 * run.
 */
const outdated = /^(READONLY|MOVED|CLUSTERDOWN)/

/** If every server refuses, don't open connections for each command. */
const pauseMillis = 3000

/** How often Sentinels are asked. A planned failover leaves the old primary up for seconds. */
const followMillis = 500

// Random, so that instances do not reconnect all at once.
const retryMillis = (attempt: number) =>
  Math.min(50 * 2 ** attempt, 1000) * (0.5 + Math.random() / 2)

const shared = {
  lazyConnect: true,
  connectTimeout: silenceMillis,
  commandTimeout: answerMillis,
  socketTimeout: silenceMillis,
  // A command that waits for the server's return would run after its caller was told that it failed.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The client would subscribe again by itself, but without catching a failure: that ends the process.
  autoResubscribe: false,
  // The name of the client's library isn't worth one more right of the user.
  disableClientInfo: true,
  retryStrategy: retryMillis,
} satisfies RedisOptions

/**
 * Opens connections that reconnect by themselves after outages, and to another server after a
 * failover.
 */
export function connectionsTo(address: RedisAddress, log: Pick<Log, 'info' | 'warn'>) {
  const outages = createOutageLog(log)
  const finder = createFinder(address, optionsOfNodes(address))
  const all = new Map<Redis, { at: RedisNode }>()
  let leftAtMillis = -Infinity

  /** A listener at the old primary would get nothing. If one server is named, there is no other. */
  function leave(redis: Redis) {
    const now = performance.now()
    if (now - leftAtMillis < pauseMillis) return false
    leftAtMillis = now
    for (const each of address.kind === 'server' ? [redis] : all.keys()) reconnect(each)
    return true
  }

  async function open() {
    const place = { at: address.nodes[0] }
    let cause: unknown
    const redis: Redis = new Redis({
      ...optionsOf(address),
      ...(address.kind === 'server' ? address.nodes[0] : { Connector: connectorTo(place) }),
      reconnectOnError(error: Error) {
        if (outdated.test(error.message) && leave(redis)) cause = error
        return false
      },
    })
    redis.on('error', (error) => {
      cause = error
    })
    try {
      await redis.connect()
      // A database that does not exist is only reported, and the client would use another
      // application's instead.
      if (cause) throw cause
    } catch (error) {
      redis.disconnect()
      throw cause ?? error
    }
    all.set(redis, place)
    redis.on('ready', () => outages.ended(redis))
    redis.on('close', () => outages.began(redis, cause))
    return redis
  }

  function connectorTo(place: { at: RedisNode }) {
    const onFound = (node: RedisNode) => {
      place.at = node
    }
    return primaryConnector({ secure: address.secure, find: () => finder.find(), onFound })
  }

  /**
   * While two instances write to the old primary and to the new one, a spent id would be accepted
   * twice.
   */
  async function followSentinels() {
    const { host, port } = await finder.find()
    for (const [redis, { at }] of all) if (at.host !== host || at.port !== port) reconnect(redis)
  }

  const follow = () => void followSentinels().catch(() => {})
  const timer = address.kind === 'sentinel' ? setInterval(follow, followMillis) : undefined
  timer?.unref()

  return {
    open,
    close() {
      clearInterval(timer)
      for (const redis of all.keys()) redis.disconnect()
      finder.close()
    },
  }
}

/** A connection that is being opened will already lead to the right server. */
function reconnect(redis: Redis) {
  if (redis.status === 'ready') redis.disconnect(true)
}

function optionsOf({ username, password, db, secure }: RedisAddress): ConnectionOptions {
  return {
    ...shared,
    db,
    ...(username && { username }),
    ...(password && { password }),
    ...(secure && { tls: {} }),
  }
}

/** Sentinels have users of their own. */
function optionsOfNodes(address: RedisAddress) {
  if (address.kind !== 'sentinel') return optionsOf(address)
  const { username, password } = address.sentinel
  return optionsOf({ ...address, username, password, db: 0 })
}

/** Says once that an outage began and once that it ended, however often connections are tried. */
function createOutageLog(log: Pick<Log, 'info' | 'warn'>) {
  const down = new Set<Redis>()
  return {
    began(redis: Redis, cause: unknown) {
      if (down.size === 0) log.warn({ err: cause }, 'the connection to the cache is lost')
      down.add(redis)
    },
    ended(redis: Redis) {
      down.delete(redis)
      if (down.size === 0) log.info('the connection to the cache is back')
    },
  }
}
