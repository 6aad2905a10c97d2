import type { RoleItem, UserDetails } from '@svc/auth'
import { type FormEvent, useState } from 'react'
import { Button, ConfirmButton, Panel, Select, useSay } from '../../account-pages/account-pages.ts'
import type { PersonAct } from './use-person-acts.ts'

interface Props {
  user: UserDetails
  roles: RoleItem[]
  isBusy: boolean
  onAct: (act: PersonAct) => void
}

/** The roles of a user, by their names for people. */
export function PersonRoles({ user, roles, isBusy, onAct }: Props) {
  const say = useSay()
  const wordsFor = (name: string) => roles.find((role) => role.name === name)?.displayName ?? name
  const others = roles.filter(({ name }) => !user.roles.includes(name))
  const [chosen, setChosen] = useState('')
  // None is chosen at first: the first of the list may be the highest.
  const role = others.some(({ name }) => name === chosen) ? chosen : ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (role) onAct({ kind: 'add role', role, name: wordsFor(role) })
  }

  return (
    <Panel
      title={say('Roles')}
      about={say(
        'A user may do what any of their roles allows. A change counts from the next request on.',
      )}
    >
      <ul className="svc-entries">
        {user.roles.map((name) => (
          <li key={name} className="svc-entry-box">
            <div className="svc-entry svc-entry-apart svc-entry-middle">
              <span>{wordsFor(name)}</span>
              {user.roles.length > 1 && (
                <ConfirmButton
                  isBusy={isBusy}
                  question={say('Take the role {role} from this user?', { role: wordsFor(name) })}
                  confirm={say('Yes, take it')}
                  onConfirm={() => onAct({ kind: 'remove role', role: name, name: wordsFor(name) })}
                >
                  {say('Remove')}
                  <span className="svc-hidden"> {wordsFor(name)}</span>
                </ConfirmButton>
              )}
            </div>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <form onSubmit={submit} className="svc-stack svc-stack-3 svc-above-4">
          <Select
            label={say('Another role')}
            value={role}
            required
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{say('Choose a role')}</option>
            {others.map(({ name, displayName }) => (
              <option key={name} value={name}>
                {displayName}
              </option>
            ))}
          </Select>
          <div>
            <Button type="submit" isBusy={isBusy}>
              {say('Give this role')}
            </Button>
          </div>
        </form>
      )}
    </Panel>
  )
}
