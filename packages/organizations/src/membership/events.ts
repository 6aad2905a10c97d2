import { defineEvent, t } from '@svc/core/contract'

/** A member has come or gone, or may do other things. It ends what they had open by that, on every instance. */
export const memberChanged = defineEvent(
  'organizations.member.changed',
  t.Object({ organizationId: t.String(), userId: t.String() }),
  { description: 'A member of an organization was added or removed, or has other roles.' },
)

/** A role or a policy has changed, or the organization was closed: it concerns members whom the code does not know. */
export const organizationChanged = defineEvent(
  'organizations.changed',
  t.Object({ organizationId: t.String() }),
  {
    description:
      'An organization was closed or opened, or one of its roles or its policies has changed.',
  },
)
