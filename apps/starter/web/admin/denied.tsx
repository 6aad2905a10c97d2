import { PageHeading, TextLink } from '@svc/web/account'

/** What users see in place of a page that their role may not see. */
export function Denied({ needs }: { needs: string }) {
  return (
    <main>
      <PageHeading title="Your role may not see this page">
        This page needs {needs}. A superadmin can give you another role. Then load the page again.
      </PageHeading>
      <p>
        <TextLink href="/">Go to the notice board</TextLink>
      </p>
    </main>
  )
}
