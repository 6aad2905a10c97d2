import type { PasskeyItem } from '@svc/auth'
import type { ReactNode } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { PasskeyIcon } from './passkey-icon.tsx'
import { keptWhere, passkeyName } from './passkey-words.ts'

interface Props {
  passkey: PasskeyItem
  now: number
  /** What can be done about it. */
  children: ReactNode
}

/** A passkey as its owner knows it again. */
export function PasskeySummary({ passkey, now, children }: Props) {
  const say = useSay()
  const { createdAtMillis, lastUsedAtMillis, secondFactor } = passkey
  return (
    <div className="svc-entry">
      <PasskeyIcon />
      <div className="svc-entry-text">
        <h3 className="svc-entry-title">
          <bdi>{passkeyName(say, passkey)}</bdi>
          {secondFactor && <span className="svc-badge svc-badge-fresh">{say('Second step')}</span>}
        </h3>
        <p className="svc-small svc-above-half">{keptWhere(say, passkey)}</p>
        <p className="svc-note svc-above-half">
          <>{say.nodes('Added {since}.', { since: <Since at={createdAtMillis} now={now} /> })}</>{' '}
          <LastUsed at={lastUsedAtMillis} now={now} />
        </p>
      </div>
      <div className="svc-row svc-row-whole">{children}</div>
    </div>
  )
}

function LastUsed({ at, now }: { at: number | undefined; now: number }) {
  const say = useSay()
  if (at === undefined) return say('Not used yet.')
  return <>{say.nodes('Last used {since}.', { since: <Since at={at} now={now} /> })}</>
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}
