interface Given {
  account: string
  /** Where the codes are for. */
  host: string
  at: Date
}

/** What is kept of recovery codes as a file: whoever finds it in a year knows what they are. */
export function codesFile(codes: readonly string[], { account, host, at }: Given) {
  const day = at.toISOString().slice(0, 10)
  return {
    name: `recovery-codes-${host.replace(/[^a-z0-9.-]/gi, '-')}.txt`,
    text: [
      `Recovery codes of ${account} for ${host}`,
      `Made on ${day}. Older codes no longer work.`,
      'Each works once, in place of your authenticator app or passkey.',
      '',
      ...codes,
      '',
    ].join('\n'),
  }
}
