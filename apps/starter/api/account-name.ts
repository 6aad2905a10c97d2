interface Account {
  readonly username: string | null
  readonly email: string | null
}

/** What others see of an account. The board is public, so never a whole address. */
export function accountName({ username, email }: Account) {
  return username ?? email?.split('@', 1)[0] ?? 'someone'
}
