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
        This session is bound to your passkeys. Its key expires after a short time, so a copied
        session soon stops working. You renew the key with your passkey.
      </p>
      <p>You can turn this off on the Security page when you are signed in again.</p>
    </>
  )
}
