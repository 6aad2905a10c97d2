import { createWSClient, eventsToken } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback, useRef, useState } from 'react'
import type { socketRouter } from 'starter-api/events'
import { streamPlace } from '../env.ts'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { answered, type Echo, failed, noEcho, useReceived } from './received.ts'

const newClient = () =>
  createWSClient<typeof socketRouter>({ ...streamPlace, acquireToken: eventsToken(streamPlace) })

/** Notices over a WebSocket, and messages that the API sends back. */
export function useSocket() {
  const live = useWords('live')
  // A page that is rendered again has other objects with the same words: the connection stays.
  const words = useRef(live)
  words.current = live
  const [client] = useState(newClient)
  const { received, receive } = useReceived()
  const [echo, setEcho] = useState(noEcho)
  const open = useCallback(
    (listeners: StreamListeners) => {
      const lose = (why: string) => setEcho((before) => failed(before, why))
      client.subscribe({
        ...listeners,
        handlers: { notice: receive },
        replies: {
          echo: ({ text }) => setEcho((before) => answered(before, text, performance.now())),
        },
        onMessageError: ({ message }) => lose(fill(words.current.messageRefused, { message })),
        // Nothing is sent twice: to get an answer over the next connection, the user sends the
        // message again.
        onOpen: (opened) => {
          lose(words.current.broke)
          listeners.onOpen(opened)
        },
        onClose: () => {
          lose(words.current.over)
          listeners.onClose()
        },
      })
      return client
    },
    [client, receive],
  )
  const send = useCallback(
    (text: string) => {
      // Before it is sent: the answer may be there first.
      const waiting: Echo = { state: 'waiting', sentAtMillis: performance.now() }
      setEcho(waiting)
      if (client.send('echo', { text })) return
      setEcho({ state: 'failed', why: words.current.notYet })
    },
    [client],
  )
  return { received, status: useStream(open), echo, send }
}
