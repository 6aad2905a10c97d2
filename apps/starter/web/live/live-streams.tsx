'use client'

import { isSignedOut } from './connection-words.ts'
import { EchoForm } from './echo-form.tsx'
import { PostForm } from './post-form.tsx'
import { SignedOut } from './signed-out.tsx'
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
