'use client'

import { type ReactNode, Suspense } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'

interface Props extends PageSlots {
  /** A `DeviceList`. */
  children: ReactNode
}

/** The devices where the user is signed in. */
export function DevicesView({ children, ...slots }: Props) {
  const say = useSay()
  const paths = usePaths()
  return (
    <AccountPage
      title={say('Devices')}
      about={say(
        'The devices where you are signed in. Each has its own key. When you sign a device out, it stops working at once.',
      )}
      {...slots}
    >
      <Suspense fallback={<Skeleton label={say('Loading your devices…')} />}>{children}</Suspense>
      <p className="svc-note svc-above-6">
        {say.nodes('Does a device show you a code? <link>Link a device</link>', {
          link: (text) => <TextLink href={paths.approveDevice}>{text}</TextLink>,
        })}
      </p>
      <p className="svc-note svc-above-2">
        {say.nodes(
          'Do you have the key of a script or an agent? <link>Register a machine key</link>',
          { link: (text) => <TextLink href={paths.machines}>{text}</TextLink> },
        )}
      </p>
    </AccountPage>
  )
}
