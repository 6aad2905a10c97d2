'use client'

import { useSay } from '../provider/account-provider.tsx'
import { FinishSignIn } from '../second-factor/finish-sign-in.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  returnTo: string
  isWaiting: boolean
}

/** Asks for the second step of a sign-in. */
export function SecondStepView({ returnTo, isWaiting, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('One more step')} notes={<Notes />} slots={slots}>
      <FinishSignIn returnTo={returnTo} isWaiting={isWaiting} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'This account has two-step sign-in. On a new device, you confirm the sign-in with something that only you have.',
        )}
      </p>
      <p>{say('Lost your phone or passkey? Use a recovery code.')}</p>
    </>
  )
}
