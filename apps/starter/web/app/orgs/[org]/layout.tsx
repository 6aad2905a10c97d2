import { OrganizationLayout, type OrganizationLayoutProps } from '@svc/organizations/web/next'
import { OrganizationLanguages } from '../../../words/organization-languages.tsx'
import { pageWords } from '../../../words/page-words.ts'

export default async function Layout({ children, params }: OrganizationLayoutProps) {
  const { site } = await pageWords()
  const tabs = [{ page: 'board', label: site.board }]
  return (
    <OrganizationLanguages>
      <OrganizationLayout {...{ params, tabs }}>{children}</OrganizationLayout>
    </OrganizationLanguages>
  )
}
