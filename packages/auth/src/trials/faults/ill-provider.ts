import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** What a mail provider does, to the first message for an address, before it is well again. */
export type Illness = 'hangs up' | 'is slow' | 'takes it and says nothing' | 'says 451' | 'says 554'

// Longer than anybody waits for it.
const slowMillis = 30_000

/** A mail provider that is ill once for every address that names an illness: `is.slow.1@example.com`. */
export async function startIllProvider(illnesses: readonly Illness[]) {
  const taken: { to: string; text: string }[] = []
  const asked: string[] = []
  const stopped = new AbortController()

  function illnessOf(to: string) {
    asked.push(to)
    const isFirst = asked.filter((each) => each === to).length === 1
    return isFirst ? illnesses.find((each) => to.startsWith(localPart(each))) : undefined
  }

  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    async onData(stream, { id, envelope }, callback) {
      const text = Buffer.concat(await stream.toArray()).toString()
      const to = envelope.rcptTo[0]?.address ?? ''
      const illness = illnessOf(to)
      if (illness === 'is slow') {
        await wait(slowMillis, undefined, { signal: stopped.signal }).catch(() => {})
        return
      }
      if (illness === undefined || illness === 'takes it and says nothing') taken.push({ to, text })
      if (illness === undefined) return callback()
      const responseCode = Number(illness.replace(/\D/g, ''))
      if (responseCode > 0) return callback(Object.assign(new Error('not now'), { responseCode }))
      hangUp(id)
    },
  })
  const connections = server.connections as Set<{ id: string; _socket: { destroy(): void } }>
  const hangUp = (id: string) => {
    for (const each of connections) if (each.id === id) each._socket.destroy()
  }
  // A client that turns away is an error to the server, and what this is about.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}?tls=optional`,
    asked,
    takenFor: (to: string) => taken.filter((each) => each.to === to).map(({ text }) => text),
    stop() {
      stopped.abort()
      return new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** What an address begins with that is to meet an illness. */
export const localPart = (illness: Illness) => illness.replaceAll(' ', '.')
