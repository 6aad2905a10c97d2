'use client'

import { Field, Outcome, Panel, useNow } from '@svc/web/account'
import { useRef, useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { useAct } from '../acts/use-act.ts'
import {
  type Domain,
  type OwnOrganization,
  organizationApi,
  type Role,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from '../roles/role-boxes.tsx'
import { teamRoles } from '../teams/team-roles.ts'
import { DomainRow } from './domain-row.tsx'

interface DomainsViewProps {
  organization: OwnOrganization
  domains: readonly Domain[]
  roles: readonly Role[]
  renderedAt: number
}

/** The domains of an organization, and a form for another one. */
export function DomainsView(given: DomainsViewProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-6">
      <DomainList {...given} />
      <Panel
        title={say('A new domain')}
        about={say('A record in its DNS proves that it belongs to the organization.')}
      >
        <NewDomain {...given} />
      </Panel>
    </div>
  )
}

function DomainList({ organization, domains, roles, renderedAt }: DomainsViewProps) {
  const say = useOrganizationSay()
  const now = useNow(renderedAt)
  const removing = useAct()
  const list = useRef<HTMLDivElement>(null)

  async function remove(domain: string) {
    const params = { org: organization.organizationId, domain }
    await removing.run(
      () => organizationApi.removeOrganizationDomain.call({ params }),
      say('{domain} is removed.', { domain }),
    )
    // The button that had the focus disappears with its domain.
    list.current?.focus()
  }

  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={removing.problem} done={removing.done} />
      </div>
      {domains.length === 0 && <p className="svc-note">{say('There is no domain yet.')}</p>}
      {domains.length > 0 && (
        <ul className="svc-sheet">
          {domains.map((each) => (
            <DomainRow
              key={each.domain}
              {...{ organization, roles, now }}
              domain={each}
              isBusy={removing.isBusy}
              onRemove={() => void remove(each.domain)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function NewDomain({ organization, roles }: DomainsViewProps) {
  const say = useOrganizationSay()
  const given = teamRoles(organization, roles)
  const usual = given.map(({ name }) => name).filter((name) => name === 'member')
  const [domain, setDomain] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(usual)
  const adding = useAct({
    invalid:
      'Enter a domain of your own, such as acme.example, and choose a role. Domains where everyone can get an address are refused.',
    full: 'There are as many domains as an organization may have. Remove one first.',
  })

  async function submit() {
    const params = { org: organization.organizationId }
    const body = { domain: domain.trim(), roles: [...chosen] }
    const isDone = await adding.run(
      () => organizationApi.addOrganizationDomain.call({ params, body }),
      say('{domain} is added. Set its record, and then check it.', { domain: body.domain }),
    )
    if (!isDone) return
    setDomain('')
    setChosen(usual)
  }

  return (
    <ActForm
      label={say('Add the domain')}
      busyLabel={say('Adding…')}
      isBusy={adding.isBusy}
      outcome={<Outcome problem={adding.problem} done={adding.done} />}
      onSubmit={submit}
    >
      <Field
        label={say('Domain')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={253}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
        hint={say('Such as acme.example. A subdomain is another domain.')}
      />
      <RoleBoxes
        roles={given}
        legend={say('Roles of those who join')}
        chosen={chosen}
        onChoose={setChosen}
      />
    </ActForm>
  )
}
