'use client'

import { Button, ButtonLink, ConfirmButton, Field, Outcome, Panel } from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, useRef, useState } from 'react'
import { dayOf } from '../acts/moment.ts'
import { useAct } from '../acts/use-act.ts'
import { type ListedOrganization, organizationApi } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { useRoleWords } from '../roles/role-words.ts'

interface OrganizationsViewProps {
  organizations: readonly ListedOrganization[]
}

/** The organizations of the user, and a form for a new one. */
export function OrganizationsView({ organizations }: OrganizationsViewProps) {
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
      <div className="svc-entry-text">
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

  async function submit(event: FormEvent) {
    event.preventDefault()
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
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="svc-stack svc-stack-3"
    >
      <Field
        label={say('Name')}
        name="name"
        autoComplete="organization"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Outcome problem={creating.problem} done={creating.done} />
      <div>
        <Button type="submit" look="primary" isBusy={creating.isBusy}>
          {creating.isBusy ? say('Creating…') : say('Create')}
        </Button>
      </div>
    </form>
  )
}
