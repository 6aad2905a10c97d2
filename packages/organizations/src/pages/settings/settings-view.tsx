'use client'

import {
  ButtonLink,
  ConfirmButton,
  Field,
  Outcome,
  Panel,
  Setting,
  Settings,
} from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { useAct } from '../acts/use-act.ts'
import { type OwnOrganization, organizationApi } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { Leave } from './leave.tsx'
import { type PoliciesForForm, PoliciesPanel } from './policies-panel.tsx'

interface SettingsViewProps {
  organization: OwnOrganization
}

/** The name of an organization and its policies; leaving it, handing it over and closing it. */
export function SettingsView({
  organization,
  policies = null,
}: SettingsViewProps & {
  /** For members who may change them. */
  policies?: PoliciesForForm | null
}) {
  const say = useOrganizationSay()
  const { permissions, slug } = organization
  return (
    <div className="svc-stack svc-stack-6">
      {permissions.includes('organization:update') && (
        <Panel title={say('Name and address')}>
          <NameForm key={slug} organization={organization} />
        </Panel>
      )}
      {policies && <PoliciesPanel organization={organization} {...policies} />}
      {organization.isPersonal ? (
        <p className="svc-paragraph">
          {say(
            'This organization is your own. It has no other members, and is deleted with your account.',
          )}
        </p>
      ) : (
        <Membership organization={organization} />
      )}
    </div>
  )
}

function Membership({ organization }: SettingsViewProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const { permissions, roles, slug } = organization
  return (
    <Settings title={say('Membership')}>
      <Leave organization={organization} />
      {roles.includes('owner') && (
        <Setting
          title={say('Hand over')}
          about={say('Another member becomes the owner in your place. You become an admin.')}
          action={<ButtonLink href={pageOf(slug, 'members')}>{say('Choose a member')}</ButtonLink>}
        />
      )}
      {permissions.includes('organization:close') && <Close organization={organization} />}
    </Settings>
  )
}

function NameForm({ organization }: SettingsViewProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const router = useRouter()
  const [name, setName] = useState(organization.name)
  const [slug, setSlug] = useState(organization.slug)
  const saving = useAct({
    invalid: 'A name has 1 to 100 characters, and an address 2 to 48 of a–z, 0–9 and hyphens.',
  })
  const params = { org: organization.organizationId }

  async function submit() {
    await saving.run(async () => {
      const body = { name: name.trim(), slug: slug.trim() }
      const saved = await organizationApi.updateOrganization.call({ params, body })
      // The old address leads nowhere.
      if (saved.slug !== organization.slug) router.replace(pageOf(saved.slug, 'settings'))
    }, say('The name and the address are saved.'))
  }

  return (
    <ActForm
      label={say('Save')}
      busyLabel={say('Saving…')}
      isBusy={saving.isBusy}
      outcome={<Outcome problem={saving.problem} done={saving.done} />}
      onSubmit={submit}
    >
      <div className="svc-form-columns svc-form-columns-wide">
        <Field
          label={say('Name')}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={say('Address')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={48}
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          hint={say('Part of the address of its pages. Links with the old one stop working.')}
        />
      </div>
    </ActForm>
  )
}

function Close({ organization: { organizationId: org, name } }: SettingsViewProps) {
  const say = useOrganizationSay()
  const { list } = usePlaces()
  const router = useRouter()
  const closing = useAct()
  const close = () =>
    closing.run(
      async () => {
        await organizationApi.closeOrganization.call({ params: { org }, body: {} })
        router.push(list)
      },
      say('{name} is closed.', { name }),
    )
  return (
    <Setting
      title={say('Close the organization')}
      about={say(
        'No member can use it any more. It is deleted later, and until then an owner can open it again.',
      )}
      action={
        <ConfirmButton
          look="danger"
          isBusy={closing.isBusy}
          question={say('Close {name} for all its members?', { name })}
          confirm={say('Yes, close it')}
          onConfirm={() => void close()}
          refusal={closing.problem}
        >
          {say('Close')}
        </ConfirmButton>
      }
    >
      <Outcome problem={closing.problem} done={closing.done} />
    </Setting>
  )
}
