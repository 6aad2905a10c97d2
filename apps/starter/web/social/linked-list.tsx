import type { SocialAccountItem } from '@svc/auth'
import { RelativeTime } from '../board/relative-time.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { providerName } from './provider-name.ts'
import type { useLinkedAccounts } from './use-linked-accounts.ts'

interface Props
  extends Pick<
    ReturnType<typeof useLinkedAccounts>,
    'heading' | 'isBusy' | 'unlink' | 'outcomeOfList' | 'outcomeAt'
  > {
  accounts: SocialAccountItem[]
  /** There is a service that could be linked. */
  canLink: boolean
  now: number
}

export function LinkedList({
  accounts,
  canLink,
  now,
  heading,
  isBusy,
  unlink,
  ...outcomes
}: Props) {
  return (
    <section aria-labelledby="linked" className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
      <h2 id="linked" ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {countOf(accounts.length)}
      </h2>
      <p className="mt-1 max-w-prose text-faded text-sm">
        {aboutThem(accounts.length > 0, canLink)}
      </p>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome {...outcomes.outcomeOfList} />
      </div>
      <ul className="divide-y divide-line">
        {accounts.map((account) => (
          <li key={account.provider} className="py-5 last:pb-0">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
              <Summary account={account} now={now} />
              <Unlink
                provider={account.provider}
                isBusy={isBusy}
                refusal={outcomes.outcomeAt(account.provider).problem}
                onUnlink={() => void unlink(account.provider)}
              />
            </div>
            <div className="has-[p:not(:empty)]:mt-3">
              <Outcome {...outcomes.outcomeAt(account.provider)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function aboutThem(areLinked: boolean, canLink: boolean) {
  if (areLinked)
    return 'You can sign in with each of these. Unlink the accounts that you no longer use.'
  return canLink
    ? 'Link an account and sign in with it, without a password.'
    : 'This app is not connected to other services.'
}

function countOf(count: number) {
  if (count === 0) return 'No linked accounts yet'
  return count === 1 ? '1 linked account' : `${count} linked accounts`
}

function Summary({ account, now }: { account: SocialAccountItem; now: number }) {
  const { provider, linkedAtMillis, lastUsedAtMillis } = account
  return (
    <>
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-paper text-faded">
        <ProviderMark id={provider} />
      </span>
      <div className="min-w-0 flex-1 basis-32">
        <h3 className="font-medium [overflow-wrap:anywhere]">{providerName(provider)}</h3>
        <p className="mt-0.5 text-faded text-sm">
          Linked <Since at={linkedAtMillis} now={now} />.{' '}
          {lastUsedAtMillis === undefined ? (
            'Not used yet.'
          ) : (
            <>
              Last used <Since at={lastUsedAtMillis} now={now} />.
            </>
          )}
        </p>
      </div>
    </>
  )
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}

interface UnlinkProps {
  provider: string
  isBusy: boolean
  refusal: string
  onUnlink: () => void
}

function Unlink({ provider, isBusy, refusal, onUnlink }: UnlinkProps) {
  const name = providerName(provider)
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={`Unlink ${name}? You can no longer sign in with it. Devices stay signed in.`}
      confirm="Yes, unlink it"
      onConfirm={onUnlink}
      refusal={refusal}
    >
      Unlink<span className="sr-only"> {name}</span>
    </ConfirmButton>
  )
}
