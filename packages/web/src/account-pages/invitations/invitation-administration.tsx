'use client'

import type { InvitationItem, RoleItem } from '@svc/auth'
import { useState } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { Panel } from '../ui/panel.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { type Listing, listingAddress, statuses } from './listing.ts'
import { ListingPager } from './listing-pager.tsx'
import { statusWords } from './status-words.ts'

interface Props {
  listing: Listing
  invitations: InvitationItem[]
  totalPages: number
  renderedAt: number
  /** Null where the user may not see the roles. */
  roles: RoleItem[] | null
  mayInvite: boolean
  mayDelete: boolean
}

export function InvitationAdministration({ listing, roles, mayInvite, ...list }: Props) {
  const say = useSay()
  const paths = usePaths()
  const [invited, setInvited] = useState('')
  return (
    <div className="svc-stack svc-stack-6">
      {mayInvite && (
        <Panel title={say('Invite someone')} about={say('The link works once, within seven days.')}>
          <InviteForm {...{ roles, invited }} onInvited={setInvited} />
        </Panel>
      )}
      <section>
        <h2 className="svc-title">{say('Sent invitations')}</h2>
        <LinkTabs
          label={say('Which invitations')}
          current={listingAddress(paths.invitations, { ...listing, page: 1 })}
          tabs={[undefined, ...statuses].map((status) => ({
            href: listingAddress(paths.invitations, { ...(status && { status }), page: 1 }),
            label: say(status ? statusWords[status] : 'All'),
          }))}
        />
        <InvitationList
          key={listingAddress(paths.invitations, listing)}
          {...{ ...list, roles, mayInvite }}
          onAct={() => setInvited('')}
        />
        <ListingPager listing={listing} totalPages={list.totalPages} />
      </section>
    </div>
  )
}
