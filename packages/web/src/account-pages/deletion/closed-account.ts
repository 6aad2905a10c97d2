const key = 'svc.closed-account'

/** Notes in this tab that its account was closed, with its email: an address would tell others. */
export function noteClosed(email: string) {
  sessionStorage.setItem(key, email)
}

/** The email of the account that was closed in this tab, once; null where none was. */
export function takeClosed() {
  const email = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return email
}
