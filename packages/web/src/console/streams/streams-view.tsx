'use client'

import { authApi, type OpenStreamItem } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useAction } from '../../account/account.ts'
import {
  AccountPage,
  ConfirmButton,
  failureWords,
  Outcome,
  RelativeTime,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { CursorPager } from '../cursor-pager.tsx'
import { PersonLabel } from '../person-label.tsx'

interface Props {
  streams: OpenStreamItem[]
  total: number
  next: string | undefined
  /** Where the page before has ended. */
  after: string
  path: string
  mayEnd: boolean
  renderedAt: number
}

export function StreamsView({ streams, total, next, after, path, mayEnd, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  const router = useRouter()
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const ending = useAction(async (streamId: string) => {
    setDone('')
    await authApi.endStream.call({ params: { streamId } })
    setDone(say('The stream has ended. Its client may open another one.'))
    // The button that had the focus disappears with its stream.
    list.current?.focus({ preventScroll: true })
    router.refresh()
  })
  return (
    <AccountPage
      title={say('Streams')}
      about={say('Streams that are open now, of all instances: {total}.', { total })}
    >
      <div ref={list} tabIndex={-1} className="svc-focusable svc-outcome-box">
        <Outcome problem={ending.error ? failureWords(say, ending.error) : ''} done={done} />
      </div>
      {streams.length === 0 && <p className="svc-note svc-above-5">{say('No stream is open.')}</p>}
      {streams.length > 0 && (
        <ul aria-label={say('Streams')} className="svc-sheet svc-above-5">
          {streams.map((stream) => (
            <StreamRow
              key={stream.streamId}
              {...{ stream, now, mayEnd }}
              isBusy={ending.isRunning}
              onEnd={() => void ending.run(stream.streamId)}
            />
          ))}
        </ul>
      )}
      <CursorPager first={after ? path : null} next={next ? `${path}?after=${next}` : null} />
    </AccountPage>
  )
}

interface RowProps {
  stream: OpenStreamItem
  now: number
  mayEnd: boolean
  isBusy: boolean
  onEnd: () => void
}

function StreamRow({ stream, now, mayEnd, isBusy, onEnd }: RowProps) {
  const say = useSay()
  const { kind, userId, account, subject, events, openedAt, address, waitingBytes, instance } =
    stream
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h2 className="svc-entry-title svc-entry-title-close">
            <span>{kind === 'sse' ? 'SSE' : 'WebSocket'}</span>
            {userId ? (
              <span>
                <PersonLabel id={userId} account={account} />
              </span>
            ) : (
              subject && <bdi>{subject}</bdi>
            )}
          </h2>
          <p className="svc-note svc-above-half svc-break">
            {say.nodes('Opened {since} from {address}, at {instance}', {
              since: <RelativeTime at={openedAt} now={now} />,
              address: address ?? say('an unknown place'),
              instance,
            })}
          </p>
          <p className="svc-note svc-above-half svc-break">{events.join(', ')}</p>
          {waitingBytes > 0 && (
            <p className="svc-note svc-above-half">
              {say('The client has not taken {bytes} bytes yet.', { bytes: waitingBytes })}
            </p>
          )}
        </div>
        {mayEnd && (
          <ConfirmButton
            isBusy={isBusy}
            question={say('End this stream? Its client may open another one.')}
            confirm={say('Yes, end it')}
            onConfirm={onEnd}
          >
            {say('End')}
            <span className="svc-hidden">
              {' '}
              {say('the stream of {user}', {
                user: account?.name ?? userId ?? subject ?? instance,
              })}
            </span>
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}
