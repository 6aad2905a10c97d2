import { Outcome, Panel } from '@svc/web/account'
import { useState } from 'react'
import { OrganizationPolicyError } from '../../membership/errors.ts'
import { ActForm } from '../acts/act-form.tsx'
import { useAct } from '../acts/use-act.ts'
import {
  type Member,
  type OrganizationPolicies,
  type OwnOrganization,
  organizationApi,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { Asked } from './asked.tsx'
import { Domains, Hours, SecondFactor, WaysIn } from './policy-fields.tsx'
import { bodyOf, inputOf, type PolicyInput, wrongOf } from './policy-input.ts'

/** What the form of the policies knows. */
export interface PoliciesForForm {
  policies: OrganizationPolicies
  /** The ways to sign in that members may have. */
  ways: readonly string[]
  /** The code of the error where the providers can't be read now; else empty. */
  waysFailure: string
  /** Those who came first. */
  members: readonly Member[]
  /** There are more members than these. */
  hasMore: boolean
}

interface PoliciesPanelProps extends PoliciesForForm {
  organization: OwnOrganization
}

/** What an organization asks of its members beside a membership. */
export function PoliciesPanel(given: PoliciesPanelProps) {
  const say = useOrganizationSay()
  return (
    <Panel
      title={say('Policies')}
      about={say(
        'What members have to meet, from their next request on. Until then, they see what to do and nothing else.',
      )}
    >
      <PoliciesForm {...given} />
    </Panel>
  )
}

const nothing = { secondFactorWindowDays: false, maxKeyAgeHours: false, maxIdleHours: false }

function PoliciesForm({ organization, policies, members, hasMore, ...given }: PoliciesPanelProps) {
  const say = useOrganizationSay()
  const [input, setInput] = useState(() => inputOf(policies))
  const [wrong, setWrong] = useState(nothing)
  const saving = useAct({ invalid: 'Enter domains such as acme.example, at most 50.' })
  const set = (changes: Partial<PolicyInput>) => setInput({ ...input, ...changes })

  async function submit() {
    const found = wrongOf(input)
    setWrong(found)
    if (Object.values(found).includes(true)) return
    const params = { org: organization.organizationId }
    const save = async () => {
      const body = bodyOf(input)
      setInput(inputOf(await organizationApi.updateOrganizationPolicies.call({ params, body })))
    }
    await saving.run(save, say('The policies are saved.'))
  }

  return (
    <ActForm
      label={say('Save the policies')}
      busyLabel={say('Saving…')}
      isBusy={saving.isBusy}
      outcome={<PolicyOutcome {...saving} />}
      onSubmit={submit}
    >
      <div className="svc-stack svc-stack-5">
        <SecondFactor {...{ input, set, wrong }} by={policies.secondFactorBy} />
        <WaysIn {...{ input, set }} ways={given.ways} failure={given.waysFailure} />
        <Hours {...{ input, set, wrong }} />
        <Domains {...{ input, set, members, hasMore }} />
      </div>
    </ActForm>
  )
}

function PolicyOutcome({ error, problem, done }: ReturnType<typeof useAct>) {
  const own = error instanceof OrganizationPolicyError ? error : null
  return (
    <>
      <Outcome problem={own ? '' : problem} done={done} />
      {own && <OwnRefusal error={own} />}
    </>
  )
}

/** No member sets a policy that they do not meet: they would shut themselves out. */
function OwnRefusal({ error: { needs, ways = [] } }: { error: OrganizationPolicyError }) {
  const say = useOrganizationSay()
  return (
    <div role="alert" className="svc-stack svc-stack-3">
      <p className="svc-small svc-problem">
        {say('Nothing was saved, because you don’t meet this yourself. Do this first:')}
      </p>
      <ul>
        <Asked need={needs} ways={ways} />
      </ul>
    </div>
  )
}
