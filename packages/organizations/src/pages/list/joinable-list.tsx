import { Button, Outcome } from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { OrganizationNotFoundError } from '../../membership/errors.ts'
import { useAct } from '../acts/use-act.ts'
import { type JoinableOrganization, organizationApi } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'

interface JoinableListProps {
  organizations: readonly JoinableOrganization[]
}

/** Organizations that have proved the domain of the user's address. */
export function JoinableList({ organizations }: JoinableListProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const router = useRouter()
  const joining = useAct()
  const join = ({ organizationId, name }: JoinableOrganization) =>
    joining.run(
      async () => {
        const { slug } = await organizationApi.joinOrganization.call({ body: { organizationId } })
        router.push(pageOf(slug))
      },
      say('You have joined {name}.', { name }),
    )
  const isOver = joining.error instanceof OrganizationNotFoundError
  const problem = isOver ? say('You may no longer join this organization.') : joining.problem
  // The page is rendered again after a refusal, and the organization is no longer in the list then.
  if (organizations.length === 0 && problem === '') return null
  return (
    <section>
      <h2 className="svc-title svc-below-3">{say('You may join')}</h2>
      <div className="svc-outcome-box">
        <Outcome problem={problem} done={joining.done} />
      </div>
      {organizations.length > 0 && (
        <ul className="svc-sheet">
          {organizations.map((each) => (
            <JoinableRow
              key={each.organizationId}
              organization={each}
              isBusy={joining.isBusy}
              onJoin={() => void join(each)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface JoinableRowProps {
  organization: JoinableOrganization
  isBusy: boolean
  onJoin: () => void
}

function JoinableRow({ organization: { name, domain }, isBusy, onJoin }: JoinableRowProps) {
  const say = useOrganizationSay()
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart svc-entry-middle">
        <div className="svc-entry-text svc-entry-text-short">
          <h3 className="svc-strong svc-break">
            <bdi>{name}</bdi>
          </h3>
          <p className="svc-note svc-break">
            {say('You have an address at {domain}. Members will see it.', { domain })}
          </p>
        </div>
        <Button isBusy={isBusy} onClick={onJoin}>
          {say('Join')}
          <span className="svc-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  )
}
