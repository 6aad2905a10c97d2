import { authApi } from '@svc/auth'
import { useEffect, useState } from 'react'
import { useAction } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** For a user who has finished the sign-in in another tab. */
export function SignedInAlready({ returnTo }: { returnTo: string }) {
  const say = useSay()
  const [isSignedIn, setSignedIn] = useState(false)
  const { run: look } = useAction(async () => {
    await authApi.getAuthSession.call()
    setSignedIn(true)
  })
  useEffect(() => void look(), [look])
  if (!isSignedIn) return null
  return (
    <p className="svc-small svc-above-2">
      {say.nodes('You are already signed in: <link>continue</link>', {
        link: (text) => <TextLink href={returnTo}>{text}</TextLink>,
      })}
    </p>
  )
}
