import { findOrganization } from '@svc/organizations/web/next'
import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { loaded } from '../../../../board/load-problem.ts'
import { NoticeBoard } from '../../../../board/notice-board.tsx'
import { noticesOnPage, pageNumber } from '../../../../board/pager.tsx'
import { serverApi } from '../../../../server-api.ts'
import { PageWords } from '../../../../words/languages.tsx'
import { pageWords } from '../../../../words/page-words.ts'

export const metadata: Metadata = { title: 'Board' }

interface Props {
  params: Promise<{ org: string }>
  searchParams: Promise<{ page?: string | string[] }>
}

/** The board of the organization in the address. */
export default async function Page({ params, searchParams }: Props) {
  const { org } = await params
  const path = `/orgs/${org}/board`
  const session = await requireSession({ returnTo: path })
  const organization = await findOrganization(org)
  if (!organization) notFound()
  const { organizationId, name, permissions } = organization
  const query = { page: pageNumber((await searchParams).page), limit: noticesOnPage }
  const given = { params: { org: organizationId }, query }
  const [initial, words] = await Promise.all([
    loaded(serverApi().listOrgNotices.call(given)),
    pageWords(),
  ])
  const board = { path, name, org: organizationId, mayWrite: permissions.includes('board:write') }
  return (
    <PageWords words={{ board: words.board }}>
      <NoticeBoard {...{ board, initial, session }} renderedAt={Date.now()} />
    </PageWords>
  )
}
