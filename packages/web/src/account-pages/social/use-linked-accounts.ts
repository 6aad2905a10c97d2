import { useEffect, useRef, useState } from 'react'
import { useSocialAccounts } from '../../oauth/use-social-accounts.ts'
import { useSay } from '../provider/account-provider.tsx'
import { providerName } from './provider-name.ts'
import { linkFailure } from './social-failure.ts'

/** The accounts that are linked, what can be done about them, and what came of it. */
export function useLinkedAccounts(linked: string) {
  const say = useSay()
  const { accounts, loading, linking, unlinking } = useSocialAccounts()
  const [last, setLast] = useState({ provider: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)

  // A reload has no news.
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
    // The button that had the focus is gone with its account.
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
    /** Which provider’s page is being opened. */
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
