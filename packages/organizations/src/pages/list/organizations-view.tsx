'use client'

import { ButtonLink, ConfirmButton, Field, Outcome, Panel } from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { dayOf } from '../acts/moment.ts'
import { useAct } from '../acts/use-act.ts'
import {
  type JoinableOrganization,
  type ListedOrganization,
  organizationApi,
} from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { useRoleWords } from '../roles/role-words.ts'
import { JoinableList } from './joinable-list.tsx'

interface OrganizationsViewProps {
  organizations: readonly ListedOrganization[]
}

/** The organizations of the user, those that they may join, and a form for a new one. */
export function OrganizationsView({
  organizations,
  joinable = [],
}: OrganizationsViewProps & { joinable?: readonly JoinableOrganization[] }) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-6">
      {organizations.length === 0 ? (
        <p className="svc-note">
          {say('You are in no organization yet. Create one, or open the link of an invitation.')}
        </p>
      ) : (
        <OrganizationList organizations={organizations} />
      )}
      <JoinableList organizations={joinable} />
      <Panel
        title={say('A new organization')}
        about={say('You are its owner, and can invite others.')}
      >
        <NewOrganization />
      </Panel>
    </div>
  )
}

function OrganizationList({ organizations }: OrganizationsViewProps) {
  const say = useOrganizationSay()
  const reopening = useAct()
  const list = useRef<HTMLDivElement>(null)

  async function reopen({ organizationId, name }: ListedOrganization) {
    await reopening.run(
      () => organizationApi.reopenOrganization.call({ body: { organizationId } }),
      say('{name} is open again.', { name }),
    )
    list.current?.focus()
  }

  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={reopening.problem} done={reopening.done} />
      </div>
      <ul className="svc-sheet">
        {organizations.map((each) => (
          <li key={each.organizationId} className="svc-listed">
            <OrganizationRow
              organization={each}
              isBusy={reopening.isBusy}
              onReopen={() => void reopen(each)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  organization: ListedOrganization
  isBusy: boolean
  onReopen: () => void
}

function OrganizationRow({ organization, isBusy, onReopen }: RowProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const roleWords = useRoleWords()
  const { name, slug, roles, purgeAt } = organization
  const of = <span className="svc-hidden"> {name}</span>
  return (
    <div className="svc-entry svc-entry-apart svc-entry-middle">
      <div className="svc-entry-text svc-entry-text-short">
        <h2 className="svc-strong svc-break">
          <bdi>{name}</bdi>
        </h2>
        <p className="svc-note">
          {purgeAt
            ? say('Closed. It is deleted on {day}.', { day: dayOf(say, purgeAt) })
            : roleWords(roles)}
        </p>
      </div>
      {!purgeAt && (
        <ButtonLink href={pageOf(slug)}>
          {say('Open')}
          {of}
        </ButtonLink>
      )}
      {purgeAt && roles.includes('owner') && (
        <ConfirmButton
          isBusy={isBusy}
          question={say('Open {name} again, for all its members?', { name })}
          confirm={say('Yes, open it')}
          onConfirm={onReopen}
        >
          {say('Open again')}
          {of}
        </ConfirmButton>
      )}
    </div>
  )
}

function NewOrganization() {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const router = useRouter()
  const [name, setName] = useState('')
  const creating = useAct({
    invalid: 'A name has 1 to 100 characters.',
    full: 'You own as many organizations as one account may.',
  })

  async function submit() {
    await creating.run(
      async () => {
        const { slug } = await organizationApi.createOrganization.call({
          body: { name: name.trim() },
        })
        router.push(pageOf(slug))
      },
      say('{name} is created.', { name: name.trim() }),
    )
  }

  return (
    <ActForm
      label={say('Create')}
      busyLabel={say('Creating…')}
      isBusy={creating.isBusy}
      outcome={<Outcome problem={creating.problem} done={creating.done} />}
      onSubmit={submit}
    >
      <Field
        label={say('Name')}
        name="name"
        autoComplete="organization"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </ActForm>
  )
}
