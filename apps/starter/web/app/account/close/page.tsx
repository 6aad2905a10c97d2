import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { DataPanel } from '../../../deletion/data-panel.tsx'
import { DeleteAccount } from '../../../deletion/delete-account.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { Panel } from '../../../ui/panel.tsx'

export const metadata: Metadata = { title: 'Delete your account · Svc starter' }

export default async function Page() {
  const { email = '', hasPassword } = await requireSession({ returnTo: '/account/close' })
  return (
    <main>
      <PageHeading title="Delete your account">
        Your account closes at once. You can restore it within 30 days. After that, it is deleted
        permanently.
      </PageHeading>
      <div className="grid gap-5">
        <DataPanel title="Take your data with you" />
        <Panel title="Delete this account">
          <Consequences />
          <DeleteAccount email={email} hasPassword={hasPassword} />
        </Panel>
      </div>
    </main>
  )
}

function Consequences() {
  return (
    <ul className="mb-5 grid max-w-prose list-disc gap-1 pl-5 text-faded text-sm">
      <li>Now: every device is signed out, and you can’t sign in.</li>
      <li>
        For 30 days: we keep everything, and you can restore the account with your password or a
        code sent to your email.
      </li>
      <li>
        After that: we erase your email, your username and your profile. Your notices stay on the
        board, under the name you posted them with.
      </li>
    </ul>
  )
}
