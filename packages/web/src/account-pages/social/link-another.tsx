import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/panel.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { providerName } from './provider-name.ts'
import type { useLinkedAccounts } from './use-linked-accounts.ts'

interface Props
  extends Pick<
    ReturnType<typeof useLinkedAccounts>,
    'isBusy' | 'opening' | 'link' | 'outcomeOfLinking'
  > {
  /** The ids of those that are not linked. */
  providers: readonly string[]
}

export function LinkAnother({ providers, isBusy, opening, link, outcomeOfLinking }: Props) {
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
