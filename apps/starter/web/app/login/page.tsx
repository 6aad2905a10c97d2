import { getSession, returnPath } from '@svc/web/next'
import { redirect } from 'next/navigation'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Panel } from '../../ui/panel.tsx'

interface Props {
  searchParams: Promise<{ returnTo?: string | string[] }>
}

export default async function LoginPage({ searchParams }: Props) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await getSession()) redirect(returnTo)
  return (
    <main>
      <PageHeading title="Sign in">
        <code>npm start</code> printed an email and a password to begin with.
      </PageHeading>
      <Panel title="With your password">
        <SignInForm returnTo={returnTo} />
      </Panel>
    </main>
  )
}
