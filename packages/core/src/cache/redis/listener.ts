import type { Redis } from 'ioredis'
import type { Channels } from '../channels.ts'
import type { RedisAddress } from './address.ts'

/**
 * Less than the 5 s in which a lost subscription must be back, with the 2 s that a dead connection
 * is given.
 */
const pingMillis = 2000

interface Given {
  channels: Channels
  address: Pick<RedisAddress, 'kind' | 'prefix'>
  /** The connection was lost, and every channel is subscribed to again. */
  onBack: () => void
}

const plain = {
  event: 'message',
  publish: (redis: Redis, channel: string, message: string) => redis.publish(channel, message),
  subscribe: (redis: Redis, channels: string[]) => redis.subscribe(...channels),
  unsubscribe: (redis: Redis, channel: string) => redis.unsubscribe(channel),
}

/**
 * All nodes of a Cluster pass on what is published at one of them. Sharded messages stay with the
 * node of their slot.
 */
const sharded: typeof plain = {
  event: 'smessage',
  publish: async (redis, channel, message) => Number(await redis.spublish(channel, message)),
  subscribe: (redis, channels) => redis.ssubscribe(...channels),
  unsubscribe: (redis, channel) => redis.sunsubscribe(channel),
}

export function messagesOf({ kind }: Pick<RedisAddress, 'kind'>) {
  return kind === 'cluster' ? sharded : plain
}

/** Passes on the messages of its own connection, and subscribes again whenever that reconnects. */
export function listen(redis: Redis, { channels, address, onBack }: Given) {
  const { prefix } = address
  const messages = messagesOf(address)
  redis.on(messages.event, (channel: string, message: string) => {
    channels.deliver(channel.slice(prefix.length), message)
  })
  // The slot of the channels is on another node now.
  redis.on('moved', () => {
    if (redis.status === 'ready') redis.disconnect(true)
  })
  let isListening = redis.status === 'ready'
  let connections = 0
  redis.on('close', () => {
    isListening = false
    connections += 1
  })
  redis.on('ready', () => void listenAgain(connections))

  /** Messages that are published before the last channel is back would be missed on it. */
  async function listenAgain(connection: number) {
    const names = channels.names.map((name) => prefix + name)
    try {
      if (names.length > 0) await messages.subscribe(redis, names)
      isListening = connection === connections
      if (isListening) onBack()
    } catch {
      if (connection === connections) redis.disconnect(true)
    }
  }

  // A listener sends nothing by itself, so it would never learn that the other side is gone.
  const ping = setInterval(() => void redis.ping().catch(() => {}), pingMillis)
  ping.unref()
  redis.on('end', () => clearInterval(ping))

  return {
    get isListening() {
      return isListening
    },
    async subscribe(channel: string, handler: (message: string) => void) {
      const remove = channels.add(channel, handler)
      try {
        await messages.subscribe(redis, [prefix + channel])
      } catch (error) {
        // This may have been a late answer.
        if (remove()) messages.unsubscribe(redis, prefix + channel).catch(() => {})
        throw error
      }
      return async () => {
        if (remove()) await messages.unsubscribe(redis, prefix + channel).catch(() => {})
      }
    },
  }
}
