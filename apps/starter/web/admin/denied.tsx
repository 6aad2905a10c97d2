import { PageHeading, TextLink } from '@svc/web/account'
import { pageWords } from '../words/page-words.ts'
import { fill } from '../words/words.ts'

/** What users see in place of a page that their role may not see. */
export async function Denied({ permission }: { permission: string }) {
  const { problems } = await pageWords()
  const needed = fill(problems.neededPermission, { name: permission })
  return (
    <main>
      <PageHeading title={problems.denied}>{fill(problems.deniedFor, { needed })}</PageHeading>
      <p>
        <TextLink href="/">{problems.toBoard}</TextLink>
      </p>
    </main>
  )
}
