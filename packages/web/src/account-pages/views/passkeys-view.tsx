'use client'

import { Passkeys } from '../passkeys/passkeys.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  renderedAt: number
}

/** The passkeys of the user. */
export function PasskeysView({ renderedAt, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Passkeys')}
      about={say(
        'Sign in with your fingerprint, your face or your screen lock instead of a password. You never type a passkey, so an attacker can’t trick you into revealing it.',
      )}
      {...slots}
    >
      <Passkeys renderedAt={renderedAt} />
    </AccountPage>
  )
}
