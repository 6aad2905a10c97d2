'use client'

import { createAuthSSEClient } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback } from 'react'
import type { eventRouter } from 'starter-api/events'
import { streamPlace } from '../env.ts'
import { Linked, useWords } from '../words/languages.tsx'
import { isSignedOut } from './connection-state.tsx'
import { EchoForm } from './echo-form.tsx'
import { PostForm } from './post-form.tsx'
import { useReceived } from './received.ts'
import { StreamPanel } from './stream-panel.tsx'
import { useSocket } from './use-socket.ts'

interface Props {
  userId: string
  mayPost: boolean
}

/** The same notices over both kinds of streams. */
export function LiveStreams({ userId, mayPost }: Props) {
  const live = useWords('live')
  const events = useEventStream(userId)
  const { echo, send, ...socket } = useSocket()
  const isOut = isSignedOut(events.status) || isSignedOut(socket.status)
  return (
    <div className="grid gap-6">
      <SignedOut isOut={isOut} />
      {mayPost && (
        <div inert={isOut} className={isOut ? 'opacity-50' : ''}>
          <PostForm />
        </div>
      )}
      <div className="grid items-start gap-6 md:grid-cols-2">
        <StreamPanel title={live.events} about={live.aboutEvents} {...events} />
        <StreamPanel title={live.socket} about={live.aboutSocket} {...socket}>
          <EchoForm echo={echo} onSend={send} />
        </StreamPanel>
      </div>
    </div>
  )
}

/**
 * It is always there, so that a screen reader announces its text when it appears. It lies over the end of the window,
 * so that nothing moves while someone reads.
 */
function SignedOut({ isOut }: { isOut: boolean }) {
  const live = useWords('live')
  return (
    <div role="alert">
      {isOut && (
        <div className="fixed inset-x-4 bottom-4 z-10 mx-auto max-w-xl rounded-xl border border-danger bg-sheet p-5 shadow-lg">
          <p className="font-medium text-danger">{live.signedOut}</p>
          <p className="mt-1 text-sm">
            <Linked words={live.signInAgain} href="/login?returnTo=%2Flive" />
          </p>
        </div>
      )}
    </div>
  )
}

/** Notices over server-sent events: one connection for all tabs in which the same person is signed in. */
function useEventStream(userId: string) {
  const { received, receive } = useReceived()
  const open = useCallback(
    (listeners: StreamListeners) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        ...streamPlace,
        shareAcrossTabs: userId,
      })
      client.subscribe({ ...listeners, handlers: { notice: receive } })
      return client
    },
    [userId, receive],
  )
  return { received, status: useStream(open) }
}
