import type { ContactChange } from '@svc/web/react'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  change: ContactChange
  revokedCount: number
}

export function Undone({ change: { kind, restores }, revokedCount }: Props) {
  const what = kind === 'email' ? 'email' : 'phone number'
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your {what} is restored
      </h2>
      <p>
        It is <strong className="font-medium break-words">{restores}</strong> again.{' '}
        {signedOut(revokedCount)}
      </p>
      <p>
        The old password was removed too.{' '}
        <TextLink href="/password/forgot">Get a link by email</TextLink> to set a new one.
      </p>
    </div>
  )
}

function signedOut(count: number) {
  if (count === 0) return 'No device was signed in.'
  return count === 1 ? 'One device is signed out.' : `All ${count} devices are signed out.`
}
