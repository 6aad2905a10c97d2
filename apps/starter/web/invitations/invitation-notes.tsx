import { TextLink } from '../ui/text-link.tsx'

export function InvitationNotes() {
  return (
    <>
      <p>
        Do you already have an account with this address? <TextLink href="/login">Sign in</TextLink>
      </p>
      <p>An invitation works once. The person who sent it can cancel it or send another one.</p>
      <p>Opening the link changes nothing. Your account is created when you choose a password.</p>
    </>
  )
}
