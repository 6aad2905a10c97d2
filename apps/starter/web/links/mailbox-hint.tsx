import { MailboxLink } from './mailbox-link.tsx'

/** Where a message is that did not come. */
export function MailboxHint() {
  return (
    <>
      No message? Check your spam folder. In development, open <MailboxLink />.
    </>
  )
}
