'use client'

import { ApproveDevice } from '../device/approve-device.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props extends EntranceSlots {
  code: string
  signedInAs: string
}

/** Lets another device sign in. */
export function ApproveDeviceView({ code, signedInAs, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('Link a device')} notes={<Notes />} slots={slots}>
      <ApproveDevice code={code} signedInAs={signedInAs} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  const paths = usePaths()
  return (
    <>
      <p>
        {say(
          'On the new device, choose “Sign in with another device”. It shows a code. Enter that code here.',
        )}
      </p>
      <p>
        {say.nodes(
          'The device signs in as you, with its own key. You can sign it out at any time under <link>Devices</link>.',
          {
            link: (text) => <TextLink href={paths.devices}>{text}</TextLink>,
          },
        )}
      </p>
    </>
  )
}
