import { publicApiUrl } from '../env.ts'

/** Where the mail of an API in development is read. */
export function MailboxLink() {
  return (
    <a href={`${publicApiUrl}/_ops/mailbox`} className="text-accent underline underline-offset-4">
      the mailbox
    </a>
  )
}
