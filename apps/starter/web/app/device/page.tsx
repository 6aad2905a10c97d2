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
        The device that is to be signed in shows a code, under “Sign in with another device”. Type
        it in here.
      </p>
      <p>
        It signs in as you, with a key of its own, and you can sign it out at any time under{' '}
        <TextLink href="/account/devices">Devices</TextLink>.
      </p>
    </>
  )
}
