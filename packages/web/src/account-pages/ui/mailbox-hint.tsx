'use client'

import { useAccount, useSay } from '../provider/account-provider.tsx'
import { TextLink } from './button.tsx'

/** Says where to look for a message that did not arrive. */
export function MailboxHint() {
  const say = useSay()
  const { mailboxUrl } = useAccount()
  return (
    <>
      <>{say('No message? Check your spam folder.')}</>
      {mailboxUrl && (
        <>
          {' '}
          <>
            {say.nodes('In development, open <link>the mailbox</link>.', {
              link: (text) => <TextLink href={mailboxUrl}>{text}</TextLink>,
            })}
          </>
        </>
      )}
    </>
  )
}
