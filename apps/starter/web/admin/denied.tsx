import { PageHeading, TextLink } from '@svc/web/account'
import { pageWords } from '../words/page-words.ts'
import { fill } from '../words/words.ts'

type Props = { role: string } | { permission: string }

/** What users see in place of a page that their role may not see. */
export async function Denied(needs: Props) {
  const { problems } = await pageWords()
  const needed =
    'role' in needs
      ? fill(problems.neededRole, { name: needs.role })
      : fill(problems.neededPermission, { name: needs.permission })
  return (
    <main>
      <PageHeading title={problems.denied}>{fill(problems.deniedFor, { needed })}</PageHeading>
      <p>
        <TextLink href="/">{problems.toBoard}</TextLink>
      </p>
    </main>
  )
}
