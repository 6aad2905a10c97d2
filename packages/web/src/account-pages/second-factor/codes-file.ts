import type { Say } from '../words/say.ts'

interface Given {
  account: string
  /** Where the codes are for. */
  host: string
  at: Date
}

/** What is kept of recovery codes as a file: it says what they are, for a reader in a year. */
export function codesFile(say: Say, codes: readonly string[], { account, host, at }: Given) {
  const day = at.toISOString().slice(0, 10)
  return {
    name: `recovery-codes-${host.replace(/[^a-z0-9.-]/gi, '-')}.txt`,
    text: [
      say('Recovery codes of {account} for {host}', { account, host }),
      say('Made on {day}. Older codes no longer work.', { day }),
      say('Each works once, in place of your authenticator app or passkey.'),
      '',
      ...codes,
      '',
    ].join('\n'),
  }
}
