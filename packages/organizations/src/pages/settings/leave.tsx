import { ConfirmButton, Outcome, Setting } from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { useAct } from '../acts/use-act.ts'
import { type OwnOrganization, organizationApi } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'

interface LeaveProps {
  organization: Pick<OwnOrganization, 'organizationId' | 'name'>
}

/** Ends the membership of the user. */
export function Leave({ organization: { organizationId: org, name } }: LeaveProps) {
  const say = useOrganizationSay()
  const { list } = usePlaces()
  const router = useRouter()
  const leaving = useAct()
  const leave = () =>
    leaving.run(
      async () => {
        await organizationApi.leaveOrganization.call({ params: { org } })
        router.push(list)
      },
      say('You have left {name}.', { name }),
    )
  return (
    <Setting
      title={say('Leave')}
      about={say('You lose access at once. What you wrote stays.')}
      action={
        <ConfirmButton
          look="danger"
          isBusy={leaving.isBusy}
          question={say(
            'Leave {name}? You need an invitation to come back, unless you may join by a domain.',
            { name },
          )}
          confirm={say('Yes, leave')}
          onConfirm={() => void leave()}
          refusal={leaving.problem}
        >
          {say('Leave')}
        </ConfirmButton>
      }
    >
      <Outcome problem={leaving.problem} done={leaving.done} />
    </Setting>
  )
}
