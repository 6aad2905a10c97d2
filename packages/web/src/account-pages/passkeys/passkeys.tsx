'use client'

import { Outcome } from '../ui/outcome.tsx'
import { useNow } from '../ui/use-now.ts'
import { AddPasskey } from './add-passkey.tsx'
import { LoadingPasskeys } from './loading-passkeys.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { usePasskeyList } from './use-passkey-list.ts'

/** The passkeys of an account, and what can be done about them. */
export function Passkeys({ renderedAt }: { renderedAt: number }) {
  const now = useNow(renderedAt)
  const list = usePasskeyList()
  const { passkeys, loading } = list
  return (
    <div>
      <AddPasskey
        isSupported={list.isSupported}
        isBusy={list.isAdding}
        outcome={list.outcomeOfAdding}
        onAdd={list.add}
      />
      <div className="svc-above-5">
        {passkeys && <PasskeyList {...list} {...{ passkeys, now }} />}
        {!passkeys && <Outcome {...list.outcomeOfList} />}
        {!passkeys && <LoadingPasskeys loading={loading} />}
      </div>
    </div>
  )
}
