import { authApi } from '@svc/auth'
import { useAction } from '@svc/web/react'
import { useEffect, useState } from 'react'
import { TextLink } from '../ui/text-link.tsx'

/** For whoever has finished the sign-in in another tab. */
export function SignedInAlready({ returnTo }: { returnTo: string }) {
  const [isSignedIn, setSignedIn] = useState(false)
  const { run: look } = useAction(async () => {
    await authApi.getAuthSession.call()
    setSignedIn(true)
  })
  useEffect(() => void look(), [look])
  if (!isSignedIn) return null
  return (
    <p className="mt-2 text-sm">
      You are already signed in: <TextLink href={returnTo}>continue</TextLink>
    </p>
  )
}
