import type { Variable } from '@svc/core'
import { isMailAddress } from '../delivery/recipient.ts'

export interface MailFrom {
  name: string
  address: string
}

/** `no-reply@example.com` or `Example <no-reply@example.com>`. */
export const mailFrom: Variable<MailFrom | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(given.trim()) ?? []
  const address = bracketed ?? given.trim()
  return isMailAddress(address) && !/\p{C}/u.test(name)
    ? { value: { name: name.trim().replace(/^"(.*)"$/, '$1'), address } }
    : {
        problem:
          'must be an address such as no-reply@example.com or Example <no-reply@example.com>',
      }
}
