'use client'

import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { useNow } from '../ui/relative-time.tsx'
import { LinkedList, useLinkedAccounts } from './linked-list.tsx'
import { ProviderMark, providerName } from './provider-mark.tsx'

interface LinkedAccountsViewProps extends PageSlots {
  providers: readonly string[]
  linked: string
  renderedAt: number
}

/** The accounts at other services that the user signs in with. */
export function LinkedAccountsView({
  providers,
  linked,
  renderedAt,
  ...slots
}: LinkedAccountsViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Linked accounts')}
      about={say('Sign in with an account that you have at another service.')}
      {...slots}
    >
      <LinkedAccounts {...{ providers, linked, renderedAt }} />
    </AccountPage>
  )
}

interface LinkedAccountsProps {
  /** The ids of the providers that can be linked. */
  providers: readonly string[]
  /** The provider that the browser has just come back from. An attacker may have written it. */
  linked: string
  renderedAt: number
}

/** The provider accounts that can sign in to an account, and the actions for them. */
function LinkedAccounts({ providers, linked, renderedAt }: LinkedAccountsProps) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = useLinkedAccounts(linked)
  const { accounts, loading } = list
  if (!accounts) {
    return (
      <Loading
        loading={loading}
        label={say('Loading your linked accounts…')}
        problem={list.outcomeOfList.problem}
      />
    )
  }
  const others = providers.filter((id) => !accounts.some(({ provider }) => provider === id))
  return (
    <div className="svc-stack svc-stack-5">
      <LinkedList {...list} {...{ accounts, now }} canLink={providers.length > 0} />
      {others.length > 0 && <LinkAnother {...list} providers={others} />}
    </div>
  )
}

interface LinkAnotherProps
  extends Pick<
    ReturnType<typeof useLinkedAccounts>,
    'isBusy' | 'opening' | 'link' | 'outcomeOfLinking'
  > {
  /** The ids of the providers that are not linked. */
  providers: readonly string[]
}

function LinkAnother({ providers, isBusy, opening, link, outcomeOfLinking }: LinkAnotherProps) {
  const say = useSay()
  return (
    <Panel
      title={say('Link an account')}
      about={say(
        'We send you to the service to confirm that the account is yours. You can link one account of each service.',
      )}
    >
      <div className="svc-row">
        {providers.map((provider) => (
          <Button key={provider} isBusy={isBusy} onClick={() => link(provider)}>
            <span className="svc-choice">
              <ProviderMark id={provider} />
              {opening === provider
                ? say('Opening {provider}…', { provider: providerName(provider) })
                : say('Link {provider}', { provider: providerName(provider) })}
            </span>
          </Button>
        ))}
      </div>
      <div className="svc-outcome-box">
        <Outcome {...outcomeOfLinking} />
      </div>
    </Panel>
  )
}
