import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { ApproveDevice } from '../../device/approve-device.tsx'
import { Entrance } from '../../sign-in/entrance.tsx'
import { TextLink } from '../../ui/text-link.tsx'

export const metadata: Metadata = { title: 'Link a device · Svc starter' }

interface Props {
  searchParams: Promise<{ code?: string | string[] }>
}

/** A code in the address is filled in for you, and sent by nobody but you. */
export default async function Page({ searchParams }: Props) {
  const given = (await searchParams).code
  const code = typeof given === 'string' ? given.slice(0, 32) : ''
  const returnTo = code ? `/device?${new URLSearchParams({ code })}` : '/device'
  const { email, phone, publicId } = await requireSession({ returnTo })
  return (
    <Entrance title="Link a device" notes={<Notes />}>
      <ApproveDevice code={code} signedInAs={email ?? phone ?? publicId} />
    </Entrance>
  )
}

function Notes() {
  return (
    <>
      <p>
        On the new device, choose “Sign in with another device”. It shows a code. Enter that code
        here.
      </p>
      <p>
        The device signs in as you, with its own key. You can sign it out at any time under{' '}
        <TextLink href="/account/devices">Devices</TextLink>.
      </p>
    </>
  )
}
