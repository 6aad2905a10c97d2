import { addressSubject } from '@svc/core'

/**
 * A limit's subject of an account and an address together: the same address at another account is
 * another subject.
 */
export function withAddress(subject: string, address: string | null) {
  return `${subject}\n${address === null ? 'unknown' : addressSubject(address)}`
}
