'use client'

import type { AccountLabel, RoleItem, UserDetails } from '@svc/auth'
import type { ReactNode } from 'react'
import {
  AccountPage,
  ButtonLink,
  ExactTime,
  Outcome,
  Panel,
  RelativeTime,
  TextLink,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { useConsolePlaces } from '../console-places.tsx'
import { Fact } from '../fact.tsx'
import { PersonLabel } from '../person-label.tsx'
import { RoleName } from '../role-name.tsx'
import { statusWords, userName } from '../user-words.ts'
import { PersonActs } from './person-acts.tsx'
import { PersonDevices } from './person-devices.tsx'
import { PersonRoles } from './person-roles.tsx'
import { type PersonAct, usePersonActs } from './use-person-acts.ts'

interface Props {
  user: UserDetails
  /** The address of the list. */
  list: string
  /** Null where the operator may not see the roles. */
  roles: RoleItem[] | null
  may: { write: boolean; close: boolean; readTrail: boolean }
  /** The operator looks at their own account. */
  isOwn: boolean
  renderedAt: number
  /** What other parts of the console know of the user. */
  further: ReactNode
}

/** What an operator sees of a user, and what they can do. */
export function PersonView({ user, list, roles, may, isOwn, renderedAt, further }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { act, acts, page, problem, done, isBusy } = usePersonActs(user)
  const shared = { user, now, isBusy, onAct: (each: PersonAct) => void act(each) }
  return (
    <AccountPage title={userName(user)}>
      <div className="svc-outcome-box">
        <Outcome problem={problem} done={done} />
      </div>
      <div ref={page} tabIndex={-1} className="svc-focusable svc-stack svc-stack-6">
        <p className="svc-small">
          <TextLink isAlone href={list}>
            {say('← All people')}
          </TextLink>
        </p>
        <Facts user={user} now={now} hasTrail={may.readTrail} />
        <PersonDevices key={`devices ${acts}`} {...shared} mayEnd={may.write} />
        {user.waiting.length > 0 && <Waiting user={user} />}
        {further}
        {!isOwn && (roles || may.write) && (
          <PersonRoles key={`roles ${acts}`} {...shared} roles={roles} />
        )}
        {isOwn ? (
          <p className="svc-note">
            {say('This is your own account. You change it on your account pages.')}
          </p>
        ) : (
          <PersonActs key={`account ${acts}`} {...shared} may={may} />
        )}
      </div>
    </AccountPage>
  )
}

function Facts({ user, now, hasTrail }: { user: UserDetails; now: number; hasTrail: boolean }) {
  const say = useSay()
  const { audit } = useConsolePlaces()
  const none = say('none')
  const since = (at: string | undefined) => (at ? <RelativeTime at={at} now={now} /> : say('never'))
  return (
    <Panel title={say('Account')}>
      <dl className="svc-facts">
        <Fact name={say('Status')}>{say(statusWords[user.status])}</Fact>
        {user.suspension && <SuspensionFacts suspension={user.suspension} now={now} />}
        <Fact name={say('Name')}>{user.displayName || none}</Fact>
        <Fact name={say('Email')}>{user.email || none}</Fact>
        <Fact name={say('Phone number')}>{user.phone ?? none}</Fact>
        <Fact name={say('Username')}>{user.username ?? none}</Fact>
        <Fact name={say('Roles')}>
          {user.roles.map((name, at) => (
            <span key={name} className="svc-role">
              <RoleName name={name} displayName={user.roleNames[at]} />
            </span>
          ))}
        </Fact>
        <Fact name={say('Created')}>{since(user.createdAt)}</Fact>
        <Fact name={say('Created by')}>{personOf(user.createdBy)}</Fact>
        <Fact name={say('Invited by')}>{personOf(user.invitedBy)}</Fact>
        <Fact name={say('Last sign-in')}>{since(user.lastLoginAt)}</Fact>
        <Fact name={say('Password')}>{say(passwordWords(user))}</Fact>
        <Fact name={say('Second step')}>
          {factorsOf(user)
            .map((each) => say(each))
            .join(', ') || none}
        </Fact>
        <Fact name={say('Passkeys')}>{user.passkeys.length}</Fact>
        <Fact name={say('Linked accounts')}>
          {user.linkedAccounts.map(({ provider }) => provider).join(', ') || none}
        </Fact>
        <Fact name={say('Agents')}>
          {user.grants.map(({ clientName }) => clientName).join(', ') || none}
        </Fact>
        <Fact name={say('User id')}>
          <code className="svc-break">{user.userId}</code>
        </Fact>
      </dl>
      {hasTrail && audit !== null && (
        <p className="svc-row svc-above-4">
          <ButtonLink href={`${audit}?target=${user.userId}`} prefetch={false}>
            {say('What happened to this account')}
          </ButtonLink>
          <ButtonLink href={`${audit}?actor=${user.userId}`} prefetch={false}>
            {say('What this user did')}
          </ButtonLink>
        </p>
      )}
    </Panel>
  )
}

const personOf = (account: AccountLabel | undefined) =>
  account && <PersonLabel id={account.userId} account={account} />

type Suspension = NonNullable<UserDetails['suspension']>

function SuspensionFacts({ suspension, now }: { suspension: Suspension; now: number }) {
  const say = useSay()
  const { at, by, reason } = suspension
  return (
    <>
      <Fact name={say('Suspended since')}>
        <RelativeTime at={at} now={now} />
      </Fact>
      <Fact name={say('Suspended by')}>{personOf(by) ?? say('the application')}</Fact>
      <Fact name={say('Reason')}>{reason ?? say('none')}</Fact>
    </>
  )
}

function passwordWords({ hasPassword, mustChangePassword }: UserDetails) {
  if (!hasPassword) return 'none' as const
  return mustChangePassword ? ('must be changed' as const) : ('set' as const)
}

function factorsOf({ factors }: UserDetails) {
  return factors.map((each) =>
    each === 'totp' ? ('authenticator app' as const) : ('passkey' as const),
  )
}

/** What can still happen to the account. */
function Waiting({ user }: { user: UserDetails }) {
  const say = useSay()
  return (
    <Panel
      title={say('Waiting')}
      about={say('Links that were mailed and still work, and what is carried out by itself.')}
    >
      <ul className="svc-entries">
        {user.waiting.map(({ kind, expiresAt }) => (
          <li key={`${kind} ${expiresAt}`} className="svc-entry-box">
            {waitingWords[kind] ? say(waitingWords[kind]) : <code>{kind}</code>}
            <span className="svc-note">
              {' · '}
              {say.nodes('until {time}', { time: <ExactTime at={Date.parse(expiresAt)} /> })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const waitingWords: Partial<Record<string, WaitingSentence>> = {
  password_reset: 'Link to set a new password',
  revoke_all: 'Link that signs out everywhere',
  signup: 'Sign-up link',
  contact_undo: 'Link that restores an address',
  factor_removal: 'A second step is removed',
  approval: 'Approved device',
  deletion: 'Deletion of the account',
}
type WaitingSentence =
  | 'Link to set a new password'
  | 'Link that signs out everywhere'
  | 'Sign-up link'
  | 'Link that restores an address'
  | 'A second step is removed'
  | 'Approved device'
  | 'Deletion of the account'
