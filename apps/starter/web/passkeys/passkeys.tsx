'use client'

import { useNow } from '../board/use-now.ts'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { usePasskeyList } from './use-passkey-list.ts'

/** The passkeys of an account, and what can be done about them. */
export function Passkeys({ renderedAt }: { renderedAt: number }) {
  const now = useNow(renderedAt)
  const list = usePasskeyList()
  const { passkeys, loading, problem, done } = list
  return (
    <div className="grid gap-5">
      <AddPasskey isSupported={list.isSupported} isBusy={list.isAdding} onAdd={list.add} />
      <div className="-mt-5 has-[p:not(:empty)]:mt-0">
        <Outcome problem={problem} done={done} />
      </div>
      {passkeys && <PasskeyList {...list} {...{ passkeys, now }} />}
      {!passkeys && loading.error === null && <Skeleton label="Your passkeys are being loaded." />}
      {!passkeys && loading.error !== null && (
        <div>
          <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
