import { Panel } from '@svc/web/account'
import type { Details } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'
import { asksAnything } from './policies.tsx'
import { ReasonedAct } from './reasoned-act.tsx'
import type { OrganizationAct, WholeAct } from './use-organization-acts.ts'

interface Props {
  organization: Details
  isBusy: boolean
  onAct: (act: OrganizationAct) => void
}

/** What the operator may do about the organization, as it is now. */
export function OrganizationActs({ organization, isBusy, onAct }: Props) {
  const say = useConsoleSay()
  return (
    <Panel
      title={say('Help this organization')}
      about={say('Each is in the audit trail with your user id and the reason.')}
    >
      <ul className="svc-entries">
        {offeredFor(organization).map((kind) => {
          const { about, button, question, confirm } = words[kind]
          return (
            <li key={kind} className="svc-entry-box">
              <div className="svc-entry svc-entry-apart">
                <p className="svc-entry-text">{say(about)}</p>
                <ReasonedAct
                  of={kind}
                  look={kind === 'close' ? 'danger' : 'plain'}
                  button={say(button)}
                  question={say(question, { name: organization.name })}
                  confirm={say(confirm)}
                  isBusy={isBusy}
                  onConfirm={(reason) => onAct({ kind, reason })}
                />
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function offeredFor({ state, policies }: Details): WholeAct[] {
  return [
    ...(asksAnything(policies) ? (['clear policies'] as const) : []),
    state === 'open' ? 'close' : 'reopen',
  ]
}

const words = {
  'clear policies': {
    about: 'No owner can meet the policies any more: end all of them. Owners can set new ones.',
    button: 'End all policies',
    question:
      'End all policies of {name}? Its members are asked nothing from their next request on.',
    confirm: 'Yes, end them',
  },
  close: {
    about: 'The organization is misused: close it for all its members. No owner can open it again.',
    button: 'Close the organization',
    question:
      'Close {name} for all its members? It is deleted later, unless an operator opens it again.',
    confirm: 'Yes, close it',
  },
  reopen: {
    about:
      'The organization is closed, and will be deleted. Until then you can open it again for its members.',
    button: 'Open it again',
    question: 'Open {name} again, for all its members?',
    confirm: 'Yes, open it',
  },
} as const
