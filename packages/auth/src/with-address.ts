import { addressSubject } from '@svc/core'

/** The subject for an account and an address together: the same address at another account is another subject. */
export function withAddress(subject: string, address: string | null) {
  return `${subject}\n${address === null ? 'unknown' : addressSubject(address)}`
}
