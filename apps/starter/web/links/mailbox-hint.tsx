import { MailboxLink } from './mailbox-link.tsx'

/** Where a message is that did not come. */
export function MailboxHint() {
  return (
    <>
      Nothing there? Look among the spam. In development it is in <MailboxLink />.
    </>
  )
}
