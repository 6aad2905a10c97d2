import type { ReactNode } from 'react'
import type { Member } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

type Named = Pick<Member, 'userId' | 'displayName' | 'email'>

interface MemberEntryProps {
  member: Named
  isSelf: boolean
  note: ReactNode
  /** What the user may do, at the end of the line. */
  children: ReactNode
}

/** A member in a list. */
export function MemberEntry({ member, isSelf, note, children }: MemberEntryProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-entry svc-entry-apart">
      <div className="svc-entry-text svc-entry-text-wide">
        <h2 className="svc-entry-title svc-entry-title-close">
          <bdi className="svc-strong svc-break">{nameOf(member)}</bdi>
          {isSelf && <span className="svc-badge svc-badge-tiny">{say('You')}</span>}
        </h2>
        {member.displayName && member.email && (
          <p className="svc-small svc-break">
            <bdi>{member.email}</bdi>
          </p>
        )}
        <p className="svc-note svc-above-1">{note}</p>
      </div>
      {children}
    </div>
  )
}

/** What a member is called in sentences. */
export function nameOf({ displayName, email, userId }: Named) {
  return displayName ?? email ?? userId
}
