'use client'

import { RenewSession } from '../binding/renew-session.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  returnTo: string
  hasNone: boolean
}

/** Renews a session that is bound to a passkey. */
export function RenewSessionView({ returnTo, hasNone, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('Are you still there?')} notes={<Notes />} slots={slots}>
      <RenewSession returnTo={returnTo} hasNone={hasNone} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'This session is bound to your passkeys. Its key expires after a short time, so a copied session soon stops working. You renew the key with your passkey.',
        )}
      </p>
      <p>{say('You can turn this off on the Security page when you are signed in again.')}</p>
    </>
  )
}
