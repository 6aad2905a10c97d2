import type { RoleItem, UserDetails } from '@svc/auth'
import { type FormEvent, useState } from 'react'
import {
  Button,
  ConfirmButton,
  Panel,
  type Say,
  Select,
  useSay,
} from '../../account-pages/account-pages.ts'
import { RoleName } from '../role-name.tsx'
import { userName } from '../user-words.ts'
import type { PersonAct } from './use-person-acts.ts'

interface Props {
  user: UserDetails
  /** Null where the operator may neither see nor give them. */
  roles: RoleItem[] | null
  isBusy: boolean
  onAct: (act: PersonAct) => void
}

/** The roles of a user, by their names for people. */
export function PersonRoles({ user, roles, isBusy, onAct }: Props) {
  const say = useSay()
  return (
    <Panel
      title={say('Roles')}
      about={say(
        'A user may do what any of their roles allows. A change counts from the next request on.',
      )}
    >
      <ul className="svc-entries">
        {user.roles.map((role, at) => (
          <HeldRole
            key={role}
            {...{ role, isBusy, onAct }}
            displayName={user.roleNames[at] ?? role}
            mayTake={roles !== null && user.roles.length > 1}
          />
        ))}
      </ul>
      {roles ? (
        <GiveRole {...{ user, roles, isBusy, onAct }} />
      ) : (
        <p className="svc-note svc-above-4">
          {say('Only a super administrator can give and take roles.')}
        </p>
      )}
    </Panel>
  )
}

interface HeldProps extends Pick<Props, 'isBusy' | 'onAct'> {
  role: string
  displayName: string
  mayTake: boolean
}

function HeldRole({ role, displayName, mayTake, isBusy, onAct }: HeldProps) {
  const say = useSay()
  const name = roleWords(say, { name: role, displayName })
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart svc-entry-middle">
        <span>
          <RoleName name={role} displayName={displayName} />
        </span>
        {mayTake && (
          <ConfirmButton
            isBusy={isBusy}
            question={say('Take the role {role} from this user?', { role: name })}
            confirm={say('Yes, take it')}
            onConfirm={() => onAct({ kind: 'remove role', role, name })}
          >
            {say('Remove')}
            <span className="svc-hidden"> {name}</span>
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}

type Given = Pick<Props, 'user' | 'isBusy' | 'onAct'> & { roles: RoleItem[] }

/** A role is power, so it is given after a question that names both. */
function GiveRole({ user, roles, isBusy, onAct }: Given) {
  const say = useSay()
  const others = roles.filter(({ name }) => !user.roles.includes(name))
  const [chosen, setChosen] = useState('')
  // None is chosen at first: the first of the list may be the highest.
  const role = others.find(({ name }) => name === chosen)
  if (others.length === 0) return null
  const name = role ? roleWords(say, role) : ''
  // The browser says that one has to be chosen.
  const submit = (event: FormEvent) => event.preventDefault()
  return (
    <form onSubmit={submit} className="svc-stack svc-stack-3 svc-above-4">
      <Select
        label={say('Another role')}
        value={role?.name ?? ''}
        required
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">{say('Choose a role')}</option>
        {others.map((each) => (
          <option key={each.name} value={each.name}>
            {roleWords(say, each)}
          </option>
        ))}
      </Select>
      <div>
        {role ? (
          <ConfirmButton
            key={role.name}
            isBusy={isBusy}
            question={say(
              'Give {user} the role {role}? They can do what it allows from the next request on.',
              { user: userName(user), role: name },
            )}
            confirm={say('Yes, give it')}
            onConfirm={() => onAct({ kind: 'add role', role: role.name, name })}
          >
            {say('Give this role')}
          </ConfirmButton>
        ) : (
          <Button type="submit">{say('Give this role')}</Button>
        )}
      </div>
    </form>
  )
}

/** The same as text, for sentences and choices. */
function roleWords(say: Say, { name, displayName }: Pick<RoleItem, 'name' | 'displayName'>) {
  return `${say.fromApi(displayName)} (${name})`
}
