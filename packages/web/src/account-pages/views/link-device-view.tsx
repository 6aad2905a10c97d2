'use client'

import { LinkDevice } from '../device/link-device.tsx'
import { LinkNotes } from '../device/link-notes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  returnTo: string
}

/** Shows a code that the user approves on another device. */
export function LinkDeviceView({ returnTo, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance
      title={say('Sign in with another device')}
      notes={<LinkNotes returnTo={returnTo} />}
      slots={slots}
    >
      <LinkDevice returnTo={returnTo} />
    </Entrance>
  )
}
