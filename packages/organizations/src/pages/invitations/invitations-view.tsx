'use client'

import { ConfirmButton, Field, Outcome, Panel, RelativeTime, useNow } from '@svc/web/account'
import { useRef, useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { dayOf } from '../acts/moment.ts'
import { useAct } from '../acts/use-act.ts'
import {
  type Invitation,
  type OwnOrganization,
  organizationApi,
  type Role,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from '../roles/role-boxes.tsx'
import { areWithin, isWithin, useRoleWords } from '../roles/role-words.ts'

interface InvitationsViewProps {
  organization: OwnOrganization
  invitations: readonly Invitation[]
  roles: readonly Role[]
  renderedAt: number
}

/** Invites an address into an organization, and lists the invitations that wait. */
export function InvitationsView(given: InvitationsViewProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-6">
      <Panel
        title={say('Invite someone')}
        about={say('The link works once, within seven days, for the account with this address.')}
      >
        <InviteForm {...given} />
      </Panel>
      <section>
        <h2 className="svc-title svc-below-3">{say('Pending invitations')}</h2>
        <Pending {...given} />
      </section>
    </div>
  )
}

const usual = ['member']

function InviteForm({ organization, roles }: InvitationsViewProps) {
  const say = useOrganizationSay()
  const [email, setEmail] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(usual)
  const inviting = useAct({
    invalid: 'Enter a valid email address, and choose a role.',
    full: 'There are as many invitations or members as there may be. Cancel or remove some first.',
  })

  async function submit() {
    const params = { org: organization.organizationId }
    const body = { email: email.trim(), roles: [...chosen] }
    const isDone = await inviting.run(
      () => organizationApi.inviteToOrganization.call({ params, body }),
      say('We sent an invitation to {email}.', { email: body.email }),
    )
    if (!isDone) return
    setEmail('')
    setChosen(usual)
  }

  return (
    <ActForm
      label={say('Invite')}
      busyLabel={say('Inviting…')}
      isBusy={inviting.isBusy}
      outcome={<Outcome problem={inviting.problem} done={inviting.done} />}
      onSubmit={submit}
    >
      <Field
        label={say('Email')}
        name="email"
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleBoxes
        roles={roles.filter((role) => isWithin(organization, role))}
        chosen={chosen}
        onChoose={setChosen}
      />
    </ActForm>
  )
}

function Pending({ organization, invitations, roles, renderedAt }: InvitationsViewProps) {
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const now = useNow(renderedAt)
  const list = useRef<HTMLDivElement>(null)
  const cancelling = useAct()

  async function cancel({ invitationId, email }: Invitation) {
    const params = { org: organization.organizationId, invitationId }
    await cancelling.run(
      () => organizationApi.cancelOrganizationInvitation.call({ params }),
      say('The invitation of {email} is cancelled. Its link no longer works.', { email }),
    )
    // The button that had the focus disappears with its invitation.
    list.current?.focus()
  }

  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={cancelling.problem} done={cancelling.done} />
      </div>
      {invitations.length === 0 && <p className="svc-note">{say('No invitation is pending.')}</p>}
      {invitations.length > 0 && (
        <ul className="svc-sheet">
          {invitations.map((each) => (
            <li key={each.invitationId} className="svc-listed">
              <div className="svc-entry svc-entry-apart">
                <div className="svc-entry-text svc-entry-text-wide">
                  <h3 className="svc-strong svc-break">
                    <bdi>{each.email}</bdi>
                  </h3>
                  <p className="svc-note svc-above-1">
                    {say.nodes('{roles} · invited {since} · until {day}', {
                      roles: roleWords(each.roles),
                      since: <RelativeTime at={each.createdAt} now={now} />,
                      day: dayOf(say, each.expiresAt),
                    })}
                  </p>
                </div>
                {areWithin(organization, each.roles, roles) && (
                  <ConfirmButton
                    isBusy={cancelling.isBusy}
                    question={say(
                      'Cancel the invitation? The link sent to {email} stops working.',
                      {
                        email: each.email,
                      },
                    )}
                    confirm={say('Yes, cancel it')}
                    cancel={say('Keep it')}
                    onConfirm={() => void cancel(each)}
                  >
                    {say('Cancel invitation')}
                    <span className="svc-hidden"> {each.email}</span>
                  </ConfirmButton>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
