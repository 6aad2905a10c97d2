'use client'

import { Panel, TextLink, useNow } from '@svc/web/account'
import type { Listed } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'
import { listAddress } from './list-query.ts'
import { OrganizationRow } from './organization-row.tsx'

interface Props {
  organizations: readonly Listed[]
  hasMore: boolean
  userId: string
  path: string
  renderedAt: number
}

/** On the page of a user: the organizations that they are in. */
export function OfPersonView({ organizations, hasMore, userId, path, renderedAt }: Props) {
  const say = useConsoleSay()
  const now = useNow(renderedAt)
  const all = listAddress(path, { field: 'user', text: userId, after: '' })
  return (
    <Panel title={say('Organizations')}>
      {organizations.length === 0 && (
        <p className="svc-note">{say('This user is in no organization.')}</p>
      )}
      <ul className="svc-entries">
        {organizations.map((organization) => (
          <OrganizationRow key={organization.organizationId} {...{ organization, now, path }} />
        ))}
      </ul>
      {hasMore && (
        <p className="svc-small svc-above-4">
          <TextLink isAlone href={all} prefetch={false}>
            {say('More organizations of this user')}
          </TextLink>
        </p>
      )}
    </Panel>
  )
}
