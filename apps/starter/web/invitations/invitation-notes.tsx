import { TextLink } from '../ui/text-link.tsx'

export function InvitationNotes() {
  return (
    <>
      <p>
        You have an account of this address already? <TextLink href="/login">Sign in</TextLink>
      </p>
      <p>An invitation is good once. Whoever sent it can send another, and take it back.</p>
      <p>Nothing happens until you choose a password: opening the link changes nothing.</p>
    </>
  )
}
