'use client'

import { TextLink } from '@svc/web/account'
import { isSignedOut } from './connection-words.ts'
import { EchoForm } from './echo-form.tsx'
import { PostForm } from './post-form.tsx'
import { StreamPanel } from './stream-panel.tsx'
import { useEventStream } from './use-event-stream.ts'
import { useSocket } from './use-socket.ts'

interface Props {
  userId: string
  mayPost: boolean
}

/** The same notices over both kinds of streams. */
export function LiveStreams({ userId, mayPost }: Props) {
  const events = useEventStream(userId)
  const { echo, send, ...socket } = useSocket()
  const isOut = isSignedOut(events.status) || isSignedOut(socket.status)
  return (
    <div className="grid gap-6">
      <SignedOut isOut={isOut} />
      {mayPost && !isOut && <PostForm />}
      <div className="grid items-start gap-6 md:grid-cols-2">
        <StreamPanel
          title="Server-sent events"
          about="One way, over an HTTP request. All tabs of this browser share one connection."
          {...events}
        />
        <StreamPanel
          title="WebSocket"
          about="Both ways. The API sends back the messages that you send here."
          {...socket}
        >
          <EchoForm echo={echo} onSend={send} />
        </StreamPanel>
      </div>
    </div>
  )
}

/** It is always there, so that a screen reader announces its text when it appears. */
function SignedOut({ isOut }: { isOut: boolean }) {
  return (
    <div role="alert">
      {isOut && (
        <div className="rounded-xl border border-danger bg-sheet p-5">
          <p className="font-medium text-danger">This device was signed out</p>
          <p className="mt-1 text-sm">
            The device’s key was revoked, so its streams ended.{' '}
            <TextLink href="/login?returnTo=%2Flive">Sign in again</TextLink> to continue.
          </p>
        </div>
      )}
    </div>
  )
}
