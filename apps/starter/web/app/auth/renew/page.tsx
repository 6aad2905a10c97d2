import { isSessionToRenew, returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { RenewSession } from '../../../binding/renew-session.tsx'
import { Entrance } from '../../../sign-in/entrance.tsx'
import { knownSession } from '../../known-session.ts'

export const metadata: Metadata = { title: 'Continue · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[] }>
}

/** Guards send a bound session here whose key has run out. */
export default async function Page({ searchParams }: Props) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await knownSession()) redirect(returnTo)
  // While the API is away the page says so, once it is asked to go on.
  const hasOne = await isSessionToRenew().catch(() => true)
  return (
    <Entrance title="Are you still there?" notes={<Notes />}>
      <RenewSession returnTo={returnTo} hasNone={!hasOne} />
    </Entrance>
  )
}

function Notes() {
  return (
    <>
      <p>
        You have bound this session to your passkeys. Its key lives for a short time, so that
        whoever copies it has little of it, and only a passkey of yours gets the next one.
      </p>
      <p>You can end that on the security page, once you are back.</p>
    </>
  )
}
