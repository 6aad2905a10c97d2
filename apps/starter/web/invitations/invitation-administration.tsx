'use client'

import type { InvitationItem, RoleItem } from '@svc/auth'
import { useState } from 'react'
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
  /** Null where whoever reads it is not told which there are. */
  roles: RoleItem[] | null
  mayInvite: boolean
  mayDelete: boolean
}

export function InvitationAdministration({ listing, roles, mayInvite, ...list }: Props) {
  const [invited, setInvited] = useState('')
  return (
    <div className="grid gap-6">
      {mayInvite && (
        <Panel title="Invite someone" about="The link works once, within seven days.">
          <InviteForm {...{ roles, invited }} onInvited={setInvited} />
        </Panel>
      )}
      <section>
        <h2 className="font-medium text-lg">Sent invitations</h2>
        <LinkTabs
          label="Which invitations"
          current={listingAddress({ ...listing, page: 1 })}
          tabs={tabs}
        />
        <InvitationList
          key={listingAddress(listing)}
          {...{ ...list, roles, mayInvite }}
          onAct={() => setInvited('')}
        />
        <ListingPager listing={listing} totalPages={list.totalPages} />
      </section>
    </div>
  )
}

const tabs = [
  { href: listingAddress({ page: 1 }), label: 'All' },
  ...statuses.map((status) => ({
    href: listingAddress({ status, page: 1 }),
    label: statusWords[status],
  })),
]
