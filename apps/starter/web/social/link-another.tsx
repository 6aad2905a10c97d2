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
  return (
    <Panel
      title="Link an account"
      about="We send you to the service to confirm that the account is yours. You can link one account of each service."
    >
      <div className="flex flex-wrap gap-3">
        {providers.map((provider) => (
          <Button key={provider} isBusy={isBusy} onClick={() => link(provider)}>
            <span className="flex items-center gap-2.5">
              <ProviderMark id={provider} />
              {opening === provider
                ? `Opening ${providerName(provider)}…`
                : `Link ${providerName(provider)}`}
            </span>
          </Button>
        ))}
      </div>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome {...outcomeOfLinking} />
      </div>
    </Panel>
  )
}
