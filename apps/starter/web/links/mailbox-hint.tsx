import { publicApiUrl } from '../env.ts'

/** Where a message is that did not come. */
export function MailboxHint() {
  return (
    <>
      Nothing there? Look among the spam. In development it is in{' '}
      <a href={`${publicApiUrl}/_ops/mailbox`} className="text-accent underline underline-offset-4">
        the mailbox
      </a>
      .
    </>
  )
}
