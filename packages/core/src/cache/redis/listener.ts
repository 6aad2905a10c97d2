import type { Redis } from 'ioredis'
import type { Channels } from '../channels.ts'

/** Under the 5 s in which a lost subscription is to be back, with the 2 s that a silent connection is given. */
const pingMillis = 2000

interface Given {
  channels: Channels
  prefix: string
  /** The connection was lost, and every channel is subscribed to again. */
  onBack: () => void
}

/** Passes on what arrives on a connection of its own, and subscribes again whenever that connection comes back. */
export function listen(redis: Redis, { channels, prefix, onBack }: Given) {
  redis.on('message', (channel: string, message: string) => {
    channels.deliver(channel.slice(prefix.length), message)
  })
  let isListening = redis.status === 'ready'
  let connections = 0
  redis.on('close', () => {
    isListening = false
    connections += 1
  })
  redis.on('ready', () => void listenAgain(connections))

  /** What is published before the last channel is back would be missed on it. */
  async function listenAgain(connection: number) {
    const names = channels.names.map((name) => prefix + name)
    try {
      if (names.length > 0) await redis.subscribe(...names)
      isListening = connection === connections
      if (isListening) onBack()
    } catch {
      if (connection === connections) redis.disconnect(true)
    }
  }

  // A listener sends nothing by itself, and so would never learn that the other side is gone.
  const ping = setInterval(() => void redis.ping().catch(() => {}), pingMillis)
  ping.unref()

  return {
    get isListening() {
      return isListening
    },
    async subscribe(channel: string, handler: (message: string) => void) {
      const remove = channels.add(channel, handler)
      try {
        await redis.subscribe(prefix + channel)
      } catch (error) {
        // It may have been a late answer.
        if (remove()) redis.unsubscribe(prefix + channel).catch(() => {})
        throw error
      }
      return async () => {
        if (remove()) await redis.unsubscribe(prefix + channel).catch(() => {})
      }
    },
    close() {
      clearInterval(ping)
      redis.disconnect()
    },
  }
}
