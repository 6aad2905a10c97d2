import { it } from 'vitest'
import { Connection } from '../../stream-client/connection.ts'
import { drop, type Source, verdictOf } from '../../stream-client/source.ts'
import { expectAllBack, Tally } from './coming-back.ts'
import { CheapStream } from './crowd.ts'

const tally = new Tally()

/** Our own client but for its fetch, of which ten thousand would measure this process. */
function connect(port: number, user: string) {
  let stream: CheapStream
  const source: Source = {
    isPinged: false,
    async run({ token = '', signal }, listener) {
      signal.addEventListener('abort', () => stream.socket.destroy())
      await stream.stream(token)
      if (stream.status !== 200) {
        if (stream.status > 0) tally.refused += 1
        return { ...drop('The stream was refused.'), verdict: verdictOf(stream.status || 500) }
      }
      tally.open()
      listener.opened({ events: [], recovered: false }, () => Promise.reject())
      await stream.closed
      return drop('The stream has ended.')
    },
  }
  const plan = { source, reconnect: true, reconnectDelay: 3000, maxReconnectAttempts: 0 }
  async function acquireToken() {
    stream = new CheapStream(port)
    const token = await stream.token({ port, user })
    if (!token) throw new Error('The connection broke.')
    tally.minted += 1
    return token
  }
  const connection = new Connection({ ...plan, events: ['tick'], acquireToken }, () => {})
  return () => connection.close()
}

it(
  'has ten thousand clients back within 30 s of a kill, with hardly a token lost',
  () =>
    expectAllBack(10_000, {
      tally,
      connect: ({ port }, user) => connect(port, user),
    }),
  180_000,
)
