import { Button, Field } from '@svc/web/account'
import { type FormEvent, useState } from 'react'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import type { Echo } from './received.ts'

interface Props {
  echo: Echo
  onSend: (text: string) => void
}

/** Sends a message over the WebSocket, and shows what comes back. */
export function EchoForm({ echo, onSend }: Props) {
  const live = useWords('live')
  const [text, setText] = useState('')
  const isWaiting = echo.state === 'waiting'

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isWaiting || !text.trim()) return
    onSend(text.trim())
    setText('')
  }

  return (
    <form onSubmit={submit}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <Field
            label={live.message}
            name="message"
            maxLength={500}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className="mt-7 grid h-10.5">
          <Button type="submit" isBusy={isWaiting}>
            {live.send}
          </Button>
        </div>
      </div>
      <EchoLine echo={echo} />
    </form>
  )
}

function EchoLine({ echo }: { echo: Echo }) {
  const live = useWords('live')
  return (
    <p
      role="status"
      className={`mt-2 min-h-5 text-sm [overflow-wrap:anywhere] ${echo.state === 'failed' ? 'text-danger' : 'text-faded'}`}
    >
      {echo.state === 'waiting' && live.waiting}
      {echo.state === 'failed' && echo.why}
      {echo.state === 'answered' &&
        fill(live.answered, { text: echo.text, time: milliseconds(echo.millis) })}
    </p>
  )
}

function milliseconds(millis: number) {
  return `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`
}
