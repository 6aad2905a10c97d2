'use client'

import type { SocialAccountItem } from '@svc/auth'
import { useEffect, useRef, useState } from 'react'
import { useSocialAccounts } from '../../oauth/oauth.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { LastUsed, RelativeTime } from '../ui/relative-time.tsx'
import { Setting } from '../ui/settings.tsx'
import type { Say } from '../words/say.ts'
import { ProviderMark, providerName, providerNames } from './provider-mark.tsx'
import { linkFailure } from './social-failure.ts'

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
  const say = useSay()
  return (
    <section aria-labelledby="linked" className="svc-sheet">
      <h2 id="linked" ref={heading} tabIndex={-1} className="svc-title">
        {countOf(say, accounts.length)}
      </h2>
      <p className="svc-note svc-prose svc-above-1">
        {aboutThem(say, accounts.length > 0, canLink)}
      </p>
      <div className="svc-outcome-box">
        <Outcome {...outcomes.outcomeOfList} />
      </div>
      <ul className="svc-entries">
        {accounts.map((account) => (
          <li key={account.provider} className="svc-entry-box">
            <div className="svc-entry svc-entry-middle">
              <Summary account={account} now={now} />
              <Unlink
                provider={account.provider}
                isBusy={isBusy}
                refusal={outcomes.outcomeAt(account.provider).problem}
                onUnlink={() => void unlink(account.provider)}
              />
            </div>
            <div className="svc-outcome-box">
              <Outcome {...outcomes.outcomeAt(account.provider)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function aboutThem(say: Say, areLinked: boolean, canLink: boolean) {
  if (areLinked)
    return say('You can sign in with each of these. Unlink the accounts that you no longer use.')
  return canLink
    ? say('Link an account and sign in with it, without a password.')
    : say('This app is not connected to other services.')
}

function countOf(say: Say, count: number) {
  if (count === 0) return say('No linked accounts yet')
  return count === 1 ? say('1 linked account') : say('{count} linked accounts', { count })
}

function Summary({ account, now }: { account: SocialAccountItem; now: number }) {
  const say = useSay()
  const { provider, linkedAtMillis, lastUsedAtMillis } = account
  return (
    <>
      <span className="svc-tile">
        <ProviderMark id={provider} />
      </span>
      <div className="svc-entry-text svc-entry-text-short">
        <h3 className="svc-strong svc-break">{providerName(provider)}</h3>
        <p className="svc-note svc-above-half">
          <>
            {say.nodes('Linked {since}.', {
              since: <RelativeTime at={linkedAtMillis} now={now} />,
            })}
          </>{' '}
          <LastUsed at={lastUsedAtMillis} now={now} />
        </p>
      </div>
    </>
  )
}

interface UnlinkProps {
  provider: string
  isBusy: boolean
  refusal: string
  onUnlink: () => void
}

function Unlink({ provider, isBusy, refusal, onUnlink }: UnlinkProps) {
  const say = useSay()
  const name = providerName(provider)
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={say('Unlink {name}? You can no longer sign in with it. Devices stay signed in.', {
        name,
      })}
      confirm={say('Yes, unlink it')}
      onConfirm={onUnlink}
      refusal={refusal}
    >
      {say('Unlink')}
      <span className="svc-hidden"> {name}</span>
    </ConfirmButton>
  )
}

/** Which accounts of other services the user can sign in with, if there is such a service. */
export function LinkedSetting({ providers }: { providers: readonly string[] }) {
  const paths = usePaths()
  const say = useSay()
  const { accounts, loading } = useSocialAccounts()
  const linked = accounts?.map(({ provider }) => provider) ?? null
  if (providers.length === 0 && !linked?.length) return null
  const state =
    linked &&
    (linked.length > 0 ? (
      <span className="svc-choice">
        {linked.map((id) => (
          <ProviderMark key={id} id={id} />
        ))}
        {providerNames(say, linked)}
      </span>
    ) : (
      say('You have none yet.')
    ))
  return (
    <Setting
      title={say('Linked accounts')}
      state={state ?? (loading.error ? failureWords(say, loading.error) : null)}
      href={paths.linkedAccounts}
    />
  )
}

/** The linked accounts, the actions for them, and the result of the last one. */
export function useLinkedAccounts(linked: string) {
  const say = useSay()
  const { accounts, loading, linking, unlinking } = useSocialAccounts()
  const [last, setLast] = useState({ provider: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)

  // After a reload, the message would be old.
  useEffect(() => history.replaceState(null, '', location.pathname), [])
  const isNew = accounts?.some(({ provider }) => provider === linked) ?? false
  const arrived = isNew
    ? say('{provider} is linked. You can sign in with it now.', {
        provider: providerName(linked),
      })
    : ''

  function begin(provider: string) {
    setLast({ provider, done: '' })
    linking.reset()
    unlinking.reset()
  }

  async function unlink(provider: string) {
    begin(provider)
    if (!(await unlinking.run(provider))) return
    setLast({
      provider: '',
      done: say('{provider} is unlinked. You can no longer sign in with it.', {
        provider: providerName(provider),
      }),
    })
    // The button that had the focus disappears with its account.
    heading.current?.focus()
  }

  function link(provider: string) {
    begin(provider)
    void linking.run(provider)
  }

  const inWords = (error: unknown) => (error ? linkFailure(say, error) : '')
  return {
    accounts,
    loading,
    heading,
    unlink,
    link,
    isBusy: linking.isRunning || unlinking.isRunning,
    /** The provider whose page is being opened. */
    opening: linking.isRunning ? last.provider : '',
    outcomeOfList: {
      problem: inWords(loading.error),
      done: last.done || (last.provider ? '' : arrived),
    },
    outcomeOfLinking: { problem: inWords(linking.error) },
    outcomeAt: (provider: string) => ({
      problem: provider === last.provider ? inWords(unlinking.error) : '',
    }),
  }
}
