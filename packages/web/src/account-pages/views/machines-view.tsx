'use client'

import { RegisterMachine } from '../machines/register-machine.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  permissions: string[]
}

/** Registers the key of a program. */
export function MachinesView({ permissions, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Machine keys')}
      about={say(
        'A script, a CI job or an agent signs requests for you with its own key, and never has your password. You choose its permissions, and after how many days its key expires.',
      )}
      {...slots}
    >
      <RegisterMachine permissions={permissions} />
    </AccountPage>
  )
}
