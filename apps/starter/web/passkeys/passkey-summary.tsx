import type { PasskeyItem } from '@svc/auth'
import type { ReactNode } from 'react'
import { RelativeTime } from '../board/relative-time.tsx'
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
  const { createdAtMillis, lastUsedAtMillis, secondFactor } = passkey
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <PasskeyIcon />
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium [overflow-wrap:anywhere]">
          <bdi>{passkeyName(passkey)}</bdi>
          {secondFactor && (
            <span className="rounded-full bg-fresh px-2.5 py-0.5 font-normal text-sm">
              Second step
            </span>
          )}
        </h3>
        <p className="mt-0.5 text-sm">{keptWhere(passkey)}</p>
        <p className="mt-0.5 text-faded text-sm">
          Added <Since at={createdAtMillis} now={now} />.{' '}
          {lastUsedAtMillis === undefined ? (
            'Not used yet.'
          ) : (
            <>
              Last used <Since at={lastUsedAtMillis} now={now} />.
            </>
          )}
        </p>
      </div>
      <div className="flex basis-full flex-wrap gap-3">{children}</div>
    </div>
  )
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}
