interface Named {
  readonly email: string | null
  readonly phone: string | null
  readonly username: string | null
  readonly publicId: string
}

/** What an authenticator, or an authenticator app, tells the accounts apart by that somebody has here. */
export function accountName({ email, phone, username, publicId }: Named) {
  return email ?? phone ?? username ?? publicId
}
